"""Lines of a screen: a character and a style for each column, and nothing of how they are sent."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from textwrap import wrap
from typing import Final, NamedTuple
from unicodedata import category, east_asian_width

from jminesweeper.screen.styles import SELECTED


class Line(NamedTuple):
    """Columns from the left; what is not there is blank."""

    text: str = ""
    styles: bytes = b""

    @property
    def width(self) -> int:
        return len(self.text)


BLANK = Line()


def span(text: str, style: int = 0) -> Line:
    """Make a line of one style."""
    return Line(text, bytes((style,)) * len(text))


def join(lines: Iterable[Line]) -> Line:
    """Put lines behind one another."""
    parts = list(lines)
    return Line("".join(line.text for line in parts), b"".join(line.styles for line in parts))


def gap(width: int) -> Line:
    """Leave columns blank."""
    return Line(" " * width, bytes(max(0, width)))


def cut(line: Line, width: int) -> Line:
    """Drop what goes beyond a width."""
    return line if len(line.text) <= width else Line(line.text[:width], line.styles[:width])


def pad(line: Line, width: int) -> Line:
    """Bring a line to exactly a width."""
    missing = width - len(line.text)
    if missing <= 0:
        return cut(line, width)
    return Line(line.text + " " * missing, line.styles + bytes(missing))


def centre(line: Line, width: int) -> Line:
    """Put a line in the middle of a width."""
    fitting = cut(line, width)
    return join((gap((width - fitting.width) // 2), fitting))


def indent(line: Line, columns: int) -> Line:
    """Put a line further to the right; an empty one needs no place."""
    return join((gap(columns), line)) if line.text else line


def select(line: Line, column: int) -> Line:
    """Show one column of a line as the selected one."""
    styles = bytearray(line.styles)
    styles[column] |= SELECTED
    return Line(line.text, bytes(styles))


@lru_cache(maxsize=1_024)
def clean(text: str, *, has_unicode: bool = True) -> str:
    """Make text from outside harmless: one column for each character, and no control sequence."""
    if text.isascii() and text.isprintable():
        return text
    kept = (character for character in text if category(character)[0] not in "CM")
    return "".join(_in_one_column(character, has_unicode) for character in kept)


def _in_one_column(character: str, has_unicode: bool) -> str:
    if category(character)[0] == "Z":
        return " "
    if character.isascii() or (has_unicode and _is_one_column(character)):
        return character
    return "?"


def _is_one_column(character: str) -> bool:
    """Whether every terminal agrees on that; beyond these scripts they do not."""
    is_known = any(ord(character) in block for block in _KNOWN_BLOCKS)
    return is_known and east_asian_width(character) not in "WF"


_KNOWN_BLOCKS: Final = (range(0x1100), range(0x1E00, 0x2600), range(0x2690, 0x2E80))


def wrapped(text: str, width: int) -> list[str]:
    """Break text into lines; what starts indented goes on indented."""
    margin = text[: len(text) - len(text.lstrip())]
    if len(margin) * 2 >= width:
        margin = ""
    # A sign stays with its figure: "12 %".
    lines = wrap(text.replace(" %", "\N{NO-BREAK SPACE}%"), max(1, width), subsequent_indent=margin)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [""]


def spread_out(left: Line, right: Line, width: int) -> Line:
    """Put two lines at the two ends of a width; the left one is cut where there is no room."""
    room = max(0, width - right.width - 2)
    return join((pad(cut(left, room), max(0, width - right.width)), cut(right, width)))
