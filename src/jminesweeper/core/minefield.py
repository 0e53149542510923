"""The mines of a board: drawn at random in an exact number, and what follows from them.

Everything is drawn through ``random_bits(n)``, an integer of n random bits: the one method of
`random.Random` whose results are the same in every Python version. From the mines follow the
clues, the zeros, and the cells that a zero opens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isqrt
from random import Random

from jminesweeper.core.errors import SetupError, check_kind
from jminesweeper.core.grid import Cell, Grid, Place, Size, flood, indices
from jminesweeper.core.rules import FirstReveal, Spread

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


@dataclass(frozen=True, repr=False, slots=True)
class Minefield:
    """The truth of one board. Only the engine holds one while a game runs."""

    size: Size
    mines: int
    grid: Grid = field(init=False, compare=False)
    clue_planes: Planes = field(init=False, compare=False)
    """The clue of every cell, bit-sliced: plane n holds the bit worth 2**n."""

    def __post_init__(self) -> None:
        grid = Grid.of(self.size)
        if self.mines | grid.mask != grid.mask:
            raise SetupError("a mine is outside the board")
        object.__setattr__(self, "grid", grid)
        # At once, into a slot: a dictionary for what is computed later would cost a game 106 bytes.
        object.__setattr__(self, "clue_planes", count_neighbours(grid, self.mines))

    def __repr__(self) -> str:
        return f"<Minefield {self.size}, {self.mine_count} mines>"

    def __str__(self) -> str:
        """Draw the board: ``*`` a mine, ``.`` none."""
        return self.grid.draw({"*": self.mines}, ".")

    @property
    def mine_count(self) -> int:
        """Number of mines."""
        return self.mines.bit_count()

    # Of these two a reveal asks once or twice: to keep them took 180 bytes of each game.

    @property
    def safe(self) -> int:
        """The cells without a mine."""
        return self.grid.mask ^ self.mines

    @property
    def zeros(self) -> int:
        """The safe cells with no mine around them."""
        ones, twos, fours, eights = self.clue_planes
        near = ones | twos | fours | eights
        return self.safe ^ (self.safe & near)

    def is_mine(self, cell: Place) -> bool:
        """Return True if a cell holds a mine."""
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


# Drawing mines


RandomBits = Callable[[int], int]

_MOST_PLANES = 12


def seeded_bits(seed: int) -> RandomBits:
    """Return the stream of random bits that belongs to a seed, the same everywhere."""
    check_kind("seed", seed, int, "a number")
    return Random(seed).getrandbits


def place_mines(size: Size, count: int, random_bits: RandomBits) -> int:
    """Draw one of all layouts with exactly this many mines, each equally likely."""
    if not 0 <= count <= size.cells:
        raise SetupError(f"a board of {size} has room for 0 to {size.cells} mines, not {count}")
    grid = Grid.of(size)
    if count * 2 > size.cells:
        return grid.mask ^ _draw(grid, size.cells - count, random_bits)
    return _draw(grid, count, random_bits)


def _draw(grid: Grid, count: int, random_bits: RandomBits) -> int:
    """Draw each cell on its own with nearly the right chance, then correct the count.

    Given their number, cells drawn so are uniform over all sets of that number, and stay so
    when uniformly chosen cells are added or removed. The chance is chosen a little low, as a
    free cell is found at once and a mined one is not.
    """
    cells, columns = grid.size.cells, grid.size.columns
    spare = 2 * isqrt(count) + 1
    planes = min(_MOST_PLANES, max(1, cells.bit_length() - 3))
    threshold = max(0, ((count - spare) << planes) // cells)
    # Each cell is set with the chance threshold / 2**planes: a random number below the threshold.
    # The numbers of all cells are compared at once, bit plane by bit plane from the lowest.
    drawn, width = 0, grid.mask.bit_length()
    for plane in range(planes if threshold else 0):
        if threshold >> plane & 1:
            drawn |= random_bits(width)
        elif drawn:
            drawn &= random_bits(width)
    drawn &= grid.mask
    # Uniformly chosen cells are added or removed until exactly `count` are set.
    missing = count - drawn.bit_count()
    board = bytearray(drawn.to_bytes((width + 7) // 8, "little"))
    width, left, removes = (cells - 1).bit_length(), abs(missing), missing < 0
    while left:
        number = random_bits(width)
        if number >= cells:
            continue
        index = number + number // columns
        if (board[index >> 3] >> (index & 7) & 1) == removes:
            board[index >> 3] ^= 1 << (index & 7)
            left -= 1
    return int.from_bytes(board, "little")


def protect(grid: Grid, mines: int, first: Cell, kind: FirstReveal, random_bits: RandomBits) -> int:
    """Move mines away from the first reveal; every layout that is safe there stays equally likely.

    The cell is cleared first, then its neighbours; mines without room elsewhere stay.
    """
    here = grid.bit(first)
    around = grid.neighbours(here) if kind is FirstReveal.ZERO else 0
    zone = here | around if kind is not FirstReveal.OFF else 0
    displaced = (mines & zone).bit_count()
    if not displaced:
        return mines
    mines &= ~zone
    for room in (grid.mask & ~zone, around, here):
        free = room & ~mines
        moved = min(displaced, free.bit_count())
        mines |= _choose(free, moved, random_bits)
        displaced -= moved
    return mines


def _choose(among: int, count: int, random_bits: RandomBits) -> int:
    """Choose some cells of a set uniformly."""
    cells = indices(among)
    return sum([1 << cells.pop(below(len(cells), random_bits)) for _ in range(count)])


def below(limit: int, random_bits: RandomBits) -> int:
    """Draw a number from 0 up to a limit, each equally likely."""
    width = (limit - 1).bit_length()
    if not width:
        return 0
    while (number := random_bits(width)) >= limit:
        pass
    return number
