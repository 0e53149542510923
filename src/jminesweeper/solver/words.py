"""How cells, chances, numbers of things and lists of them are written in a sentence.

A cell is written as the header of a large board writes the cursor's place: column, then row, both
from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from jminesweeper.core import Cell


def place(cell: Cell) -> str:
    return f"({cell.column},{cell.row})"


def places(cells: Iterable[Cell]) -> str:
    return series(map(place, cells))


def series(items: Iterable[str]) -> str:
    """Write a list as people do: "a", "a and b", "a, b and c"."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


def counted(count: int, noun: str) -> str:
    return f"{count} {plural(count, noun)}"


def plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def percent(chance: Fraction) -> str:
    """Return a chance in whole percent, with one decimal where that would read as certain."""
    whole = round(chance * 100)
    if whole in (0, 100) and chance not in (0, 1):
        return f"{min(99.9, max(0.1, float(chance * 100))):.1f} %"
    return f"{whole} %"
