"""Lines of a screen: a character and a style for each column, put together with +."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias


@dataclass(slots=True)
class Line:
    """Columns from the left."""

    text: str = ""
    styles: bytes = b""

    def __add__(self, other: Line) -> Line:
        return Line(self.text + other.text, self.styles + other.styles)

    def __len__(self) -> int:
        return len(self.text)

    def cut(self, width: int) -> Line:
        """Drop what goes beyond a width."""
        return Line(self.text[:width], self.styles[:width])

    def pad(self, width: int) -> Line:
        """Bring the line to exactly a width."""
        return Line(self.text[:width].ljust(width), self.styles[:width].ljust(width, b"\0"))

    def over(self, column: int, other: Line) -> Line:
        """Write another line over this one, from a column on."""
        end = column + len(other)
        return Line(
            self.text[:column] + other.text + self.text[end:],
            self.styles[:column] + other.styles + self.styles[end:],
        )

    def restyled(self, column: int, style: int) -> Line:
        """Change the style of one column."""
        return self.over(column, span(self.text[column], style))


def span(text: str, style: int = 0) -> Line:
    """Make a line of one style."""
    return Line(text, bytes((style,)) * len(text))


def gap(width: int) -> Line:
    """Leave columns blank."""
    return span(" " * width)


def join(lines: Iterable[Line]) -> Line:
    """Put lines one after the other."""
    parts = list(lines)
    return Line("".join([line.text for line in parts]), b"".join([line.styles for line in parts]))


def centred(line: Line, width: int) -> Line:
    """Put a line in the middle of a width."""
    shown = line.cut(width)
    return gap((width - len(shown)) // 2) + shown


def apart(left: Line, right: Line, width: int) -> Line:
    """Put two lines at the two ends of a width; without enough room the left one is cut."""
    room = max(0, width - len(right) - 2)
    return left.cut(room).pad(max(0, width - len(right))) + right.cut(width)


def in_columns(lines: Sequence[Line], room: int, between: int) -> list[Line]:
    """Put short lines side by side, in as few rows as possible and no more columns than needed."""
    tables = [
        [max(map(len, lines[place::count])) for place in range(count)]
        for count in range(1, len(lines) + 1)
    ]
    fitting = [widths for widths in tables if sum(widths) + between * (len(widths) - 1) <= room]
    if not tables:
        return []
    widths = min(fitting or tables[:1], key=lambda each: (-(-len(lines) // len(each)), len(each)))
    rows = (lines[start : start + len(widths)] for start in range(0, len(lines), len(widths)))
    width = sum(widths) + between * (len(widths) - 1)
    return [
        join(line.pad(each + between) for line, each in zip(row, widths, strict=False)).pad(width)
        for row in rows
    ]


Target: TypeAlias = str | int
"""What the mouse can point at besides cells: a key by its id, a row of a menu by its number."""


class Spot(NamedTuple):
    """Where something is that the mouse can point at."""

    row: int
    columns: range
    target: Target


@dataclass(slots=True, eq=False, repr=False)
class Screen:
    """All lines of a screen, the terminal's cursor, and what the mouse finds."""

    lines: list[Line]
    cursor: tuple[int, int] | None = None
    """Row and column."""
    is_typing: bool = False
    """Whether the terminal's own cursor is shown."""
    spots: Sequence[Spot] = field(default=())

    def at(self, row: int, column: int) -> Target | None:
        """Find what the mouse points at."""
        here = (spot for spot in self.spots if spot.row == row and column in spot.columns)
        return next((spot.target for spot in here), None)
