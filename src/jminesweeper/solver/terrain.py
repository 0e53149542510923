"""Which cells touch which, as tables of cell indices made once per board size.

The solver walks from cell to cell where only a few of them change, so it wants neighbours as
tuples; indices are the bit numbers of the core's `Grid`, so both sides mean the same cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from jminesweeper.core import Cell, Grid, Size


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """The neighbour table of one size; get it with `Terrain.of`, which shares them."""

    size: Size
    grid: Grid
    stride: int
    length: int
    cells: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    """By index; empty for the indices of the padding column."""

    @staticmethod
    @lru_cache(maxsize=8)
    def of(size: Size) -> Terrain:
        grid = Grid.of(size)
        stride = grid.stride
        length = size.rows * stride
        cells = tuple(
            row * stride + column for row in range(size.rows) for column in range(size.columns)
        )
        table: list[tuple[int, ...]] = [()] * length
        for index in cells:
            table[index] = tuple(_around(size, stride, index))
        return Terrain(size, grid, stride, length, cells, tuple(table))

    def index(self, cell: Cell) -> int:
        return self.grid.index(cell)

    def cell(self, index: int) -> Cell:
        return self.grid.cell(index)


def _around(size: Size, stride: int, index: int) -> Iterator[int]:
    row, column = divmod(index, stride)
    for near_row in range(max(0, row - 1), min(size.rows, row + 2)):
        for near_column in range(max(0, column - 1), min(size.columns, column + 2)):
            near = near_row * stride + near_column
            if near != index:
                yield near


def indices(mask: int) -> list[int]:
    """Return the bit numbers of a set, ascending: work that follows its span, not the board."""
    if not mask:
        return []
    start = (mask & -mask).bit_length() - 1
    mask >>= start
    if mask == 1:
        return [start]
    digits = format(mask, "b")[::-1]
    found = []
    at = 0
    while at >= 0:
        found.append(start + at)
        at = digits.find("1", at + 1)
    return found
