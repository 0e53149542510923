"""Control sequences of a server that may pass.

A terminal obeys every text: one can make it put words on the clipboard, answer queries as if the
player had typed, swap character sets or drop its scroll-back. A screen needs none of that, so only
what a screen needs passes: printable text, line ends, backspace and tab, colours and attributes,
cursor positions, erasing of what is visible, automatic wrapping and the cursor's visibility.
Everything else is cut out whole, parameters and payload included, and nothing that remains can
join up to a new sequence: every escape that stays is followed by its own complete, permitted
sequence.
"""

from __future__ import annotations

import re
from typing import Final

from jminesweeper.terminal import escapes

SEQUENCE: Final = "\x1b\\[(?P<parameters>[?0-9;:]*)(?P<final>[A-Za-z])"
"""A sequence of a filtered frame, as a regular expression."""

# Parameters are bounded: no screen needs more, and terminals have had bugs beyond.
_SGR = r"\[[0-9;:]{0,64}m"
_CURSOR = r"\[[0-9;]{0,12}[ABCDEFGHdf]"
_ERASE = r"\[[012]?[JK]"
_MODE = r"\[\?(?:7|25)[hl]"
_PERMITTED = f"(?:{_SGR}|{_CURSOR}|{_ERASE}|{_MODE})"

# The body of a string ends at its terminator, at a character that cancels it, or with the frame.
_STRING = "[^\x07\x18\x1a\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"
_CONTROL_BODY = "[0-?]*[ -/]*[@-~]?"

# Characters without a visible shape: controls, bidirectional overrides, invisible joiners,
# tags. They could make a screen read differently from what it says.
INVISIBLE: Final = (
    "\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\xad"
    "\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)

_REFUSED = re.compile(
    f"\x1b(?!{_PERMITTED})(?:[\\]PX^_]{_STRING}|\\[{_CONTROL_BODY}|[ -/]+[0-~]?|[0-OQ-WYZ\\\\`-~])?"
    f"|[\x90\x98\x9d\x9e\x9f]{_STRING}"
    f"|\x9b{_CONTROL_BODY}"
    f"|[{INVISIBLE}]+"
)
_CONTROL = re.compile(f"\x1b{_PERMITTED}|[\r\n\b\t]")
_ATTRIBUTES = re.compile("\x1b\\[([0-9;:]*)m")


def filter_frame(frame: bytes, *, coloured: bool = True) -> str:
    """Cut out what must not reach a terminal; without colours, bold and reverse video stay."""
    text = _REFUSED.sub("", frame.decode(errors="ignore"))
    return text if coloured else _ATTRIBUTES.sub(_without_colours, text)


def plain_text(frame: bytes) -> list[str]:
    """Return the lines of a screen that are not blank, without control sequences."""
    text = _ATTRIBUTES.sub("", filter_frame(frame))
    return [line for part in _CONTROL.split(text) if (line := part.strip())]


def paint_frame(frame: bytes, *, has_colours: bool) -> str:
    """Paint a whole screen of version 1, over anything."""
    return _in_one_frame(filter_frame(frame, coloured=has_colours))


def paint_line(text: str, columns: int, rows: int) -> str:
    """Paint a line of the client's own at the bottom of a frame."""
    return _in_one_frame(
        f"{escapes.go_to(rows - 1, 0)}{escapes.PLAIN_TEXT}{escapes.REVERSE}{text[: columns - 1]}"
        f"{escapes.PLAIN_TEXT}{escapes.ERASE_LINE}"
    )


def _in_one_frame(text: str) -> str:
    return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}"


# 38;5;N, 48;2;R;G;B and the like: the selector and its values are parameters of their own.
_EXTENDED: Final = re.compile("(?<![0-9:])([345]8);(?:5(?:;[^;]*)?|2(?:;[^;]*){0,3}|[^;]*)(?=;|$)")
_COLOURS: Final = frozenset({*range(30, 50), 58, 59, *range(90, 108)})


def _without_colours(match: re.Match[str]) -> str:
    parameters = _EXTENDED.sub(r"\1", match[1]).split(";")
    codes = [each.partition(":")[0] for each in parameters]
    kept = [
        each
        for each, code in zip(parameters, codes, strict=True)
        if not (code.isdecimal() and int(code) in _COLOURS)
    ]
    return f"\x1b[{';'.join(kept)}m" if kept else ""
