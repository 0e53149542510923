"""Keys, clicks and pasted text, decoded from the bytes that a terminal sends.

A key is its text in `readchar.key`: a character, or the sequence that xterm sends for it. Other
terminals' sequences for the same key, and those with modifiers, become that one, so that the
table of keys has each of them once. Unknown sequences are dropped whole. Pasted text is not keys:
it comes out in one piece, for a text field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from readchar import key as named

from jminesweeper.client.mouse import MouseReport
from jminesweeper.protocol.packets import LONGEST_NAME


class Pasted(NamedTuple):
    """Pasted text, cut to what a packet has room for."""

    text: str


Input: TypeAlias = str | MouseReport | Pasted

ESC_WAIT_S: Final = 0.05
"""How long a lone ESC waits for the rest of a sequence before it is the key itself."""
SEQUENCE_WAIT_S: Final = 0.5
"""How long the start of a sequence waits for the rest: a slow line delivers it in pieces."""
PASTE_WAIT_S: Final = 1.0
"""How long a paste may pause before keys count again, in case its end was lost."""
MOST_PASTED: Final = LONGEST_NAME
"""Bytes of a paste that are kept; a packet carries no more."""

_CURSOR_KEYS: Final[Mapping[bytes, str]] = {
    b"A": named.UP,
    b"B": named.DOWN,
    b"C": named.RIGHT,
    b"D": named.LEFT,
    b"H": named.HOME,
    b"F": named.END,
    # rxvt with Shift or Ctrl
    b"a": named.UP,
    b"b": named.DOWN,
    b"c": named.RIGHT,
    b"d": named.LEFT,
}
_FUNCTION_KEYS: Final = (named.F1, named.F2, named.F3, named.F4, named.F5)

# After the ESC, without modifiers.
_SEQUENCES: Final[Mapping[bytes, str]] = {
    **{b"[" + final: key for final, key in _CURSOR_KEYS.items()},
    **{b"O" + final: key for final, key in _CURSOR_KEYS.items()},
    **{b"[[%c" % final: key for final, key in zip(b"ABCDE", _FUNCTION_KEYS, strict=True)},
    **{b"O%c" % final: key for final, key in zip(b"PQRS", _FUNCTION_KEYS[:4], strict=True)},
    **{b"[%c" % final: key for final, key in zip(b"PQRS", _FUNCTION_KEYS[:4], strict=True)},
    **{b"[1%d~" % number: key for number, key in enumerate(_FUNCTION_KEYS, start=1)},
    b"[1~": named.HOME,
    b"[3~": named.DELETE,
    b"[4~": named.END,
    b"[5~": named.PAGE_UP,
    b"[6~": named.PAGE_DOWN,
    b"[7~": named.HOME,
    b"[8~": named.END,
    b"[Z": named.SHIFT_TAB,
    b"OM": named.CR,
}

_TOKEN: Final = re.compile(
    rb"""
      \x1b\[<(?P<button>\d{1,4});(?P<column>\d{1,5});(?P<row>\d{1,5})(?P<final>[Mm])
    | \x1b\[M(?s:...)                                # a mouse report of the oldest kind
    | \x1b(?P<sequence>\[\[[ -~]                     # function keys of the Linux console
          | \[(?![M\[])[0-?]*[ -/]*[@-~]
          | O[ -~])
    | \x1b(?:\[(?!M)\[?|O)[0-?]*[ -/]*(?=[^ -~])     # cut off by a byte of no sequence
    | \x1b[^\x1b\[O]                                 # Alt and a key
    | (?P<escape>\x1b)(?=\x1b)
    | (?P<character>[\x00-\x1a\x1c-\x7f])
    | (?P<letter>[\xc2-\xdf][\x80-\xbf]
          | [\xe0-\xef][\x80-\xbf]{2}
          | [\xf0-\xf4][\x80-\xbf]{3})
    | (?!(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z)[\x80-\xff]
    """,
    re.VERBOSE,
)
_MODIFIER: Final = re.compile(rb"1;\d{1,3}(?=[A-Za-z])|;\d{1,3}(?=~)")
_PASTE_BEGIN: Final = b"[200~"
_PASTE_END: Final = b"\x1b[201~"


class KeyDecoder:
    """Incremental decoder; `deadline` is when to call `expire` if nothing comes."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._held = b""
        self._pasting = False
        self._pasted = b""

    def feed(self, data: bytes, now_s: float) -> list[Input]:
        """Return the keys and mouse reports that `data` completes, in the order typed."""
        inputs = list(self._decode(self._held + data))
        wait_s = self._wait_s()
        self.deadline = None if wait_s is None else now_s + wait_s
        return inputs

    def expire(self) -> list[Input]:
        """Decide about a sequence that was never completed."""
        held, self._held = self._held, b""
        alone = held == b"\x1b" and not self._pasting
        self._pasting = False
        self.deadline = None
        return [named.ESC] if alone else []

    def _wait_s(self) -> float | None:
        if self._pasting:
            return PASTE_WAIT_S
        if self._held == b"\x1b":
            return ESC_WAIT_S
        return SEQUENCE_WAIT_S if self._held else None

    def _decode(self, data: bytes) -> Iterator[Input]:
        position = 0
        while True:
            if self._pasting:
                position, pasted = self._collect_paste(data, position)
                yield from pasted
            token = None if self._pasting else _TOKEN.match(data, position)
            if token is None:
                break
            position = token.end()
            yield from self._inputs(token)
        self._held = data[position:]

    def _collect_paste(self, data: bytes, position: int) -> tuple[int, list[Input]]:
        """Keep the beginning of a paste, and return it once the paste has ended."""
        end = data.find(_PASTE_END, position)
        self._pasting = end < 0
        if self._pasting:
            end = max(position, len(data) - len(_PASTE_END) + 1)
        self._pasted = (self._pasted + data[position:end])[:MOST_PASTED]
        if self._pasting:
            return end, []
        return end + len(_PASTE_END), [Pasted(self._pasted.decode(errors="ignore"))]

    def _inputs(self, token: re.Match[bytes]) -> Iterator[Input]:
        match token.lastgroup:
            case "final":
                yield _mouse_report(token)
            case "sequence":
                yield from self._keys(token["sequence"])
            case "escape" | "character":
                yield token[0].decode()
            case "letter":
                yield from token[0].decode(errors="ignore")
            case _:
                pass

    def _keys(self, sequence: bytes) -> Iterator[str]:
        if sequence == _PASTE_BEGIN:
            self._pasting, self._pasted = True, b""
        elif key := _SEQUENCES.get(_MODIFIER.sub(b"", sequence)):
            yield key


def _mouse_report(token: re.Match[bytes]) -> MouseReport:
    return MouseReport(
        code=int(token["button"]),
        column=max(0, int(token["column"]) - 1),
        row=max(0, int(token["row"]) - 1),
        pressed=token["final"] == b"M",
    )
