"""The mines of a board, and what follows from them: clues, zeros, the cells that a zero opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Grid, Place, Size, flood
from jminesweeper.core.rules import Spread

Planes = tuple[int, int, int, int]


def count_neighbours(grid: Grid, mines: int) -> Planes:
    """Count the mines around every cell at once, as four bit planes, lowest first.

    The eight shifted boards are summed by full adders whose wires are whole boards.
    """
    left, right, stride = mines << 1, mines >> 1, grid.stride
    either = left ^ right
    both = left & right
    row_ones = either ^ mines
    row_twos = both | (either & mines)
    above, below = row_ones << stride, row_ones >> stride
    half = above ^ below
    ones = half ^ either
    carry = (above & below) | (half & either)
    above, below = row_twos << stride, row_twos >> stride
    outer, outer_carry = above ^ below, above & below
    inner, inner_carry = both ^ carry, both & carry
    twos, carry = outer ^ inner, outer & inner
    fours = outer_carry ^ inner_carry ^ carry
    eights = (outer_carry & inner_carry) | (carry & (outer_carry ^ inner_carry))
    mask = grid.mask
    return ones & mask, twos & mask, fours & mask, eights & mask


@dataclass(frozen=True, repr=False)
class Minefield:
    """The truth of one board. Only the engine holds one while a game runs."""

    size: Size
    mines: int
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "grid", Grid.of(self.size))
        if self.mines | self.grid.mask != self.grid.mask:
            raise SetupError("a mine is outside the board")

    def __repr__(self) -> str:
        return f"<Minefield {self.size}, {self.mine_count} mines>"

    def __str__(self) -> str:
        """Draw the board: ``*`` a mine, ``.`` none."""
        return self.grid.draw({"*": self.mines}, ".")

    @property
    def mine_count(self) -> int:
        """Number of mines."""
        return self.mines.bit_count()

    @cached_property
    def clue_planes(self) -> Planes:
        """The clue of every cell, bit-sliced: plane n holds the bit worth 2**n."""
        return count_neighbours(self.grid, self.mines)

    @cached_property
    def safe(self) -> int:
        return self.grid.mask ^ self.mines

    @cached_property
    def zeros(self) -> int:
        """The safe cells with no mine around them."""
        ones, twos, fours, eights = self.clue_planes
        near = ones | twos | fours | eights
        return self.safe ^ (self.safe & near)

    def is_mine(self, cell: Place) -> bool:
        """Tell whether a cell holds a mine."""
        return bool(self.mines & self.grid.bit(cell))

    def clue(self, cell: Place) -> int:
        """Count the mines among the up to eight neighbours of a cell."""
        return read_clue(self.clue_planes, self.grid.index(cell))

    def flood(self, start: int, visible: int, spread: Spread) -> int:
        """Find all cells that open with these: zeros reached through zeros, and their border."""
        zeros = self.zeros
        seeds = start & zeros
        if not seeds:
            return start
        within = zeros ^ (zeros & visible)
        is_wide = spread is Spread.EIGHT
        reached = flood(self.grid, seeds, within, diagonal=is_wide)
        border = self.grid.neighbours(reached) if is_wide else self.grid.beside(reached)
        opened = reached | border
        return start | (opened ^ (opened & visible))


def read_clue(planes: Planes, index: int) -> int:
    """Read one cell's number from bit-sliced clues."""
    ones, twos, fours, eights = planes
    return (
        (ones >> index & 1)
        | (twos >> index & 1) << 1
        | (fours >> index & 1) << 2
        | (eights >> index & 1) << 3
    )
