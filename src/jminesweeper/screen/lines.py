"""Lines of a screen: a character and a style for each column.

Most of what changes on a screen are rows of cells. They are painted and compared by the faces of
their cells, a byte each; their characters are made only where something is laid over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from jminesweeper.screen.symbols import CellTables


class Line(NamedTuple):
    """Columns from the left; the rest of the line is blank."""

    text: str = ""
    styles: bytes = b""

    @property
    def width(self) -> int:
        return len(self.text)

    def style_at(self, column: int) -> int:
        """Return the style of one column."""
        return self.styles[column]


BLANK = Line()


class CellLine:
    """A row of cells between the edges of the field; a `Line` once that is needed."""

    __slots__ = ("_line", "edges", "faces", "tables", "tone")

    def __init__(
        self, edges: tuple[Line, Line], faces: bytes, tables: CellTables, tone: int = 0
    ) -> None:
        """Take what is left and right of the cells, and the tone of the first cell."""
        self.edges = edges
        self.faces = faces
        self.tables = tables
        self.tone = tone
        self._line: Line | None = None

    @property
    def text(self) -> str:
        return self._written().text

    @property
    def styles(self) -> bytes:
        return self._written().styles

    @property
    def column(self) -> int:
        """Where the first cell is."""
        return len(self.edges[0].text)

    @property
    def width(self) -> int:
        left, right = self.edges
        cells = self.tables.shape.columns * len(self.faces)
        return len(left.text) + cells + len(right.text)

    def looks_like(self, other: CellLine) -> bool:
        """Whether these lines have cells that look alike, and as many columns."""
        if self.tables is not other.tables or len(self.faces) != len(other.faces):
            return False
        return self.edges is other.edges or self.width == other.width

    def style_at(self, column: int) -> int:
        """Return the style of one column, at a cell or on a margin beside the cells."""
        cell, place = divmod(column - self.column, self.tables.shape.columns)
        if not 0 <= cell < len(self.faces):
            return self.tables.margin_style
        return _styles_of(self.tables, self.faces[cell], (self.tone + cell) % 2)[place]

    def _written(self) -> Line:
        if self._line is None:
            left, right = self.edges
            text, styles = self.tables.cells(self.faces, self.tone)
            self._line = Line(left.text + text + right.text, left.styles + styles + right.styles)
        return self._line


@lru_cache(maxsize=1_024)
def _styles_of(tables: CellTables, face: int, tone: int) -> bytes:
    return tables.cell(face, tone)[1]


AnyLine: TypeAlias = Line | CellLine


class Screen(NamedTuple):
    """A whole screen: every line of it, and the cursor."""

    lines: Sequence[AnyLine]
    cursor_row: int = 0
    cursor_column: int = 0
    cursor_shown: bool = False
    cursor_marked: bool = False
    clock_runs: bool = False
    takes_text: bool = False


def span(text: str, style: int = 0) -> Line:
    """Make a line of one style."""
    return Line(text, bytes((style,)) * len(text))


def join(lines: Iterable[AnyLine]) -> Line:
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
