"""The geometry of a board whose sets of cells are integers.

A set of cells is one `int`: bit ``row * stride + column`` stands for a cell, bit 0 for the
top-left one. Each row has one padding column that is never set, so a shift by one cannot carry
a cell from the end of a row into the next: neighbours of a whole set are eight shifts and a mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from jminesweeper.core.errors import CellError, SizeError

MAX_SIDE = 255


class Cell(NamedTuple):
    """A place on the board, counted from 0 at the top-left."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Size:
    """How many columns and rows a board has."""

    columns: int
    rows: int

    def __post_init__(self) -> None:
        for name, side in (("columns", self.columns), ("rows", self.rows)):
            if not 1 <= side <= MAX_SIDE:
                raise SizeError(f"{name} must be 1 to {MAX_SIDE}, not {side}")

    @property
    def cells(self) -> int:
        return self.columns * self.rows

    @property
    def most_mines(self) -> int:
        """How many mines a chosen board may have: one cell is safe, but where there is only one."""
        return max(1, self.cells - 1)

    def __contains__(self, cell: Cell) -> bool:
        return 0 <= cell.column < self.columns and 0 <= cell.row < self.rows

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The bit layout of one size; get it with `Grid.of`, which shares them."""

    size: Size
    stride: int
    row_mask: int
    mask: int

    @staticmethod
    @lru_cache(maxsize=256)
    def of(size: Size) -> Grid:
        stride = size.columns + 1
        row_mask = (1 << size.columns) - 1
        mask = int((format(row_mask, f"0{stride}b")) * size.rows, 2)
        return Grid(size, stride, row_mask, mask)

    def index(self, cell: Cell) -> int:
        """Find the number of the cell's bit."""
        column, row = cell
        if 0 <= column < self.size.columns and 0 <= row < self.size.rows:
            return row * self.stride + column
        raise CellError(f"column {column}, row {row} is not on a board of {self.size}")

    def bit(self, cell: Cell) -> int:
        return 1 << self.index(cell)

    def cell(self, index: int) -> Cell:
        """Find the cell of a bit's number."""
        row, column = divmod(index, self.stride)
        return Cell(column, row)

    def cells(self, mask: int) -> Iterator[Cell]:
        """List the cells of a set in reading order."""
        for row in self.rows_of(mask):
            rest = (mask >> row * self.stride) & self.row_mask
            while rest:
                lowest = rest & -rest
                yield Cell(lowest.bit_length() - 1, row)
                rest ^= lowest

    def rows_of(self, mask: int) -> Iterator[int]:
        """List the rows in which the set has a cell, downwards."""
        row = 0
        while mask:
            skipped = ((mask & -mask).bit_length() - 1) // self.stride
            row += skipped
            yield row
            mask >>= (skipped + 1) * self.stride
            row += 1

    def neighbours(self, mask: int) -> int:
        """Every cell that has one of its up to eight neighbours in the set."""
        sideways = mask << 1 | mask >> 1
        column = mask | sideways
        return (sideways | column << self.stride | column >> self.stride) & self.mask

    def beside(self, mask: int) -> int:
        """Every cell directly above, below, left or right of one in the set."""
        return (mask << 1 | mask >> 1 | mask << self.stride | mask >> self.stride) & self.mask


def lowest(mask: int) -> int:
    """Keep only the first cell of a set in reading order."""
    return mask & -mask
