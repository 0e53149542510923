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


def counted(count: int, noun: str, nouns: str = "") -> str:
    return f"{count} {plural(count, noun, nouns)}"


def plural(count: int, noun: str, nouns: str = "") -> str:
    return noun if count == 1 else nouns or f"{noun}s"


def percent(chance: Fraction | float) -> str:
    """Return a chance in whole percent, with one decimal where that would read as certain."""
    whole = round(chance * 100)
    if chance in (0, 1) or 0 < whole < 100:
        return f"{whole} %"
    return percent_in_tenths(chance).replace("<", "under ").replace(">", "over ")


def percent_in_tenths(chance: Fraction | float) -> str:
    """Return a chance in percent with one decimal; one short of certain never reads as certain."""
    tenths = f"{float(chance) * 100:.1f} %"
    if chance in (0, 1):
        return tenths
    return {"0.0 %": "<0.1 %", "100.0 %": ">99.9 %"}.get(tenths, tenths)
