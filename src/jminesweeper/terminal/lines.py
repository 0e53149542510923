"""Lines of a screen, a character and a style for each column; text and figures in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias
from unicodedata import category, east_asian_width

from jminesweeper.protocol.view import Listing


@dataclass(slots=True)
class StyledLine:
    """Columns from the left."""

    text: str = ""
    styles: bytes = b""

    def __add__(self, other: StyledLine) -> StyledLine:
        return StyledLine(self.text + other.text, self.styles + other.styles)

    def __len__(self) -> int:
        return len(self.text)

    def cut(self, width: int) -> StyledLine:
        """Drop what goes beyond a width."""
        return StyledLine(self.text[:width], self.styles[:width])

    def pad(self, width: int) -> StyledLine:
        """Bring the line to exactly a width."""
        return StyledLine(self.text[:width].ljust(width), self.styles[:width].ljust(width, b"\0"))

    def over(self, column: int, other: StyledLine) -> StyledLine:
        """Write another line over this one, from a column on."""
        end = column + len(other)
        return StyledLine(
            self.text[:column] + other.text + self.text[end:],
            self.styles[:column] + other.styles + self.styles[end:],
        )

    def restyled(self, column: int, style: int) -> StyledLine:
        """Change the style of one column."""
        return self.over(column, span(self.text[column], style))


def span(text: str, style: int = 0) -> StyledLine:
    """Make a line of one style."""
    return StyledLine(text, bytes((style,)) * len(text))


def gap(width: int) -> StyledLine:
    """Leave columns blank."""
    return span(" " * width)


def join(lines: Iterable[StyledLine]) -> StyledLine:
    """Put lines one after the other."""
    parts = list(lines)
    return StyledLine(
        "".join([line.text for line in parts]), b"".join([line.styles for line in parts])
    )


def centred(line: StyledLine, width: int) -> StyledLine:
    """Put a line in the middle of a width."""
    shown = line.cut(width)
    return gap((width - len(shown)) // 2) + shown


def apart(left: StyledLine, right: StyledLine, width: int) -> StyledLine:
    """Put two lines at the two ends of a width; without enough room the left one is cut."""
    room = max(0, width - len(right) - 2)
    return left.cut(room).pad(max(0, width - len(right))) + right.cut(width)


def in_columns(lines: Sequence[StyledLine], room: int, between: int) -> list[StyledLine]:
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
"""Targets of the mouse besides cells: a key by its id, a row of a menu by its number."""


class Spot(NamedTuple):
    """The place of something that the mouse can point at."""

    row: int
    columns: range
    target: Target


@dataclass(slots=True, eq=False, repr=False)
class Screen:
    """All lines of a screen, the terminal's cursor, and what the mouse finds."""

    lines: list[StyledLine]
    cursor: tuple[int, int] | None = None
    """Row and column."""
    is_typing: bool = False
    """The terminal's own cursor is shown."""
    spots: Sequence[Spot] = field(default=())

    def at(self, row: int, column: int) -> Target | None:
        """Find what the mouse points at."""
        here = (spot for spot in self.spots if spot.row == row and column in spot.columns)
        return next((spot.target for spot in here), None)


WIDEST: Final = 1_000
"""The width of figures where no screen limits it."""
_APART: Final = 2
_CLOSER: Final = 1
_NARROWEST_NAME: Final = 12
"""Columns for a name; with fewer each gets a line of its own."""
_BARS: Final = "▁▂▃▄▅▆▇█"
"""Blocks of a bar; without Unicode they become digits."""
_KNOWN_BLOCKS: Final = (range(0x1100), range(0x1E00, 0x2600), range(0x2690, 0x2E80))
"""Blocks in which every terminal makes a character one column wide, unless Unicode says wide."""


def clean(text: str, *, has_unicode: bool = True) -> str:
    """Make text from outside harmless: one column for each character, and no control sequence."""
    if text.isascii() and text.isprintable():
        return text
    kept = (character for character in text if category(character)[0] not in "CM")
    return "".join(_in_one_column(character, has_unicode) for character in kept)


def _in_one_column(character: str, has_unicode: bool) -> str:
    if category(character)[0] == "Z":
        return " "
    is_known = any(ord(character) in block for block in _KNOWN_BLOCKS)
    is_narrow = is_known and east_asian_width(character) not in "WF"
    if character.isascii() or (has_unicode and is_narrow):
        return character
    return str(1 + _BARS.index(character)) if character in _BARS else "?"


def format_clock(ms: int) -> str:
    """Write a time in whole seconds, as ``2:07``."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


def format_tenths(ms: int) -> str:
    """Write a time to the tenth of a second, as ``0:12.3``."""
    return f"{format_clock(ms)}.{ms // 100 % 10}"


def wrapped(text: str, width: int, hanging: str = "") -> list[str]:
    """Break text into lines; further lines keep its indentation, followed by `hanging`."""
    margin = text[: len(text) - len(text.lstrip())]
    if len(margin) * 2 >= width:
        margin = ""
    # A sign stays with its figure ("12 %"), and a seed code is one word.
    joined = text.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = wrap(
        joined,
        max(1, width),
        subsequent_indent=margin + hanging,
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [""]


class _Columns(NamedTuple):
    """The widths of the columns that are shown, and the gap before each."""

    widths: Sequence[int]
    apart: int

    @property
    def total(self) -> int:
        return sum(self.widths) + self.apart * len(self.widths)

    def put(self, cells: Sequence[str]) -> str:
        # A row may have fewer figures than its head.
        shown = (cell.rjust(width) for cell, width in zip(cells, self.widths, strict=False))
        return "".join(" " * self.apart + cell for cell in shown)


def align_right(rows: Sequence[Sequence[str]], room: int) -> list[str]:
    """Put values into columns, a text for each row; without enough room the first are left out."""
    most = max(map(len, rows), default=0)
    rows = [("",) * (most - len(row)) + tuple(row) for row in rows]
    columns = _fitting([row[::-1] for row in rows], room)
    first = most - len(columns.widths)
    columns = _Columns(columns.widths[::-1], columns.apart)
    return [columns.put(row[first:])[columns.apart :] for row in rows]


def page_lines(lines: Iterable[str | Listing], width: int) -> Iterator[str]:
    """Write the lines of a page; figures stand in columns that fit the width."""
    for line in lines:
        yield from (line,) if isinstance(line, str) else table_lines(line, width)


def table_lines(table: Listing, width: int) -> list[str]:
    """Write names and figures in lines that fit a width.

    Where there is little room a name gets a line of its own, and the last figures are dropped.
    """
    names, figures = zip(*((row[0], row[1:]) for row in (table.head, *table.rows)), strict=True)
    longest = max(map(len, names))
    columns = _beside(figures, width - longest) or _fitting(figures, width)
    room = width - columns.total
    name_width = min(longest, room) if room >= min(longest, _NARROWEST_NAME) else 0
    lines = []
    for name, row in zip(names, figures, strict=True):
        beside = name if len(name) <= name_width else ""
        if beside != name:
            lines += wrapped(name, width)
        shown = columns.put(row[: len(columns.widths)])
        lines.append(f"{beside:{name_width}}{shown}".rstrip())
    return lines


def _beside(rows: Sequence[Sequence[str]], room: int) -> _Columns | None:
    """Choose the gap between all columns, if there is room for all."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    choices = (_Columns(widths, apart) for apart in (_APART, _CLOSER))
    return next((columns for columns in choices if columns.total <= room), None)


def _fitting(rows: Sequence[Sequence[str]], room: int) -> _Columns:
    """Choose how many of the first columns fit, and the gap between them."""
    most = max(map(len, rows), default=0)
    fewer = (_beside([row[:count] for row in rows], room) for count in range(most, -1, -1))
    return next((columns for columns in fewer if columns), _Columns((), _CLOSER))
