"""Lines of a screen: a character and a style for each column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from jminesweeper.screen.symbols import CellTables


class CellRow(NamedTuple):
    """A row of cells within a line, as faces."""

    column: int
    """Where the first cell is, in columns."""
    faces: bytes
    tables: CellTables
    tone: int = 0
    """Of the first cell."""


class Line(NamedTuple):
    """Columns from the left; the rest of the line is blank."""

    text: str = ""
    styles: bytes = b""
    cells: CellRow | None = None
    """The part of the line that is a row of cells, which can be written faster."""

    @property
    def width(self) -> int:
        return len(self.text)


BLANK = Line()


class Screen(NamedTuple):
    """A whole screen: every line of it, and the cursor."""

    lines: Sequence[Line]
    cursor_row: int = 0
    cursor_column: int = 0
    cursor_shown: bool = False
    cursor_marked: bool = False
    clock_runs: bool = False
    takes_text: bool = False


def span(text: str, style: int = 0) -> Line:
    """Make a line of one style."""
    return Line(text, bytes((style,)) * len(text))


def join(lines: Iterable[Line]) -> Line:
    """Put lines one after the other."""
    parts = list(lines)
    text = "".join([line.text for line in parts])
    return Line(text, b"".join([line.styles for line in parts]))


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
    """Move a line to the right; an empty one stays empty."""
    return Line(" " * columns + line.text, bytes(columns) + line.styles) if line.text else line


def spread_out(left: Line, right: Line, width: int) -> Line:
    """Put two lines at the two ends of a width; without enough room the left one is cut."""
    between = width - left.width - right.width
    if between >= 2:
        text = left.text + " " * between + right.text
        return Line(text, left.styles + bytes(between) + right.styles)
    room = max(0, width - right.width - 2)
    return join((pad(cut(left, room), max(0, width - right.width)), cut(right, width)))
