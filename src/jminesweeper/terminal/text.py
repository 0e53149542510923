"""Text and figures for a screen: harmless, in lines, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final, NamedTuple
from unicodedata import category, east_asian_width

from jminesweeper.protocol.view import Listing

WIDEST: Final = 1_000
"""The width of figures where no screen limits it."""
_APART: Final = 2
_CLOSER: Final = 1
_NARROWEST_NAME: Final = 12
"""Where names have less room than this, each gets a line of its own."""
_BARS: Final = "▁▂▃▄▅▆▇█"
"""Where there are none of these there are digits."""
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
    if character.isascii() or (has_unicode and _is_one_column(character)):
        return character
    return str(1 + _BARS.index(character)) if character in _BARS else "?"


def _is_one_column(character: str) -> bool:
    is_known = any(ord(character) in block for block in _KNOWN_BLOCKS)
    return is_known and east_asian_width(character) not in "WF"


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
