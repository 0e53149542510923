"""Figures in columns, as many of them as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from jminesweeper.screen.lines import clean, wrapped
from jminesweeper.screen.models import Listing

_APART: Final = 2
_CLOSER: Final = 1
_NARROWEST_NAME: Final = 12
"""Where names had less room than this, each gets a line of its own."""


class _Columns(NamedTuple):
    """How wide the columns are that are shown, and how far apart."""

    widths: Sequence[int]
    apart: int

    @property
    def total(self) -> int:
        """How wide they are with a gap before each."""
        return sum(self.widths) + self.apart * len(self.widths)

    def put(self, cells: Sequence[str]) -> str:
        shown = (cell.rjust(width) for cell, width in zip(cells, self.widths, strict=True))
        return "".join(" " * self.apart + cell for cell in shown)


def align_right(rows: Sequence[Sequence[str]], room: int) -> list[str]:
    """Put values into columns, each row a text; the first columns go where there is no room."""
    columns = _fitting([row[::-1] for row in rows], room)
    first = len(max(rows, key=len, default=())) - len(columns.widths)
    columns = _Columns(columns.widths[::-1], columns.apart)
    return [columns.put(row[first:])[columns.apart :] for row in rows]


def listing_lines(listing: Listing, width: int, *, has_unicode: bool = True) -> list[str]:
    """Write names and figures in lines that are no longer than a width."""
    rows = [
        [clean(cell, has_unicode=has_unicode) for cell in row]
        for row in (listing.head, *listing.rows)
    ]
    names, figures = [row[0] for row in rows], [row[1:] for row in rows]
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
    """Choose how far apart all columns are, if there is room for all."""
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    choices = (_Columns(widths, apart) for apart in (_APART, _CLOSER))
    return next((columns for columns in choices if columns.total <= room), None)


def _fitting(rows: Sequence[Sequence[str]], room: int) -> _Columns:
    """Choose how many of the first columns there is room for, and how far apart they are."""
    most = max(map(len, rows), default=0)
    fewer = (_beside([row[:count] for row in rows], room) for count in range(most, -1, -1))
    return next((columns for columns in fewer if columns), _Columns((), _CLOSER))
