"""Random layouts with an exact number of mines.

Everything is drawn through ``random_bits(n)``, an integer of n random bits: the one method of
`random.Random` whose results are the same in every Python version.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from random import Random

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Cell, Grid, Size, indices
from jminesweeper.core.rules import FirstReveal

RandomBits = Callable[[int], int]

_MOST_PLANES = 12


def seeded_bits(seed: int) -> RandomBits:
    """Return the stream of random bits that belongs to a seed, the same everywhere."""
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
    cells = grid.size.cells
    spare = 2 * isqrt(count) + 1
    planes = min(_MOST_PLANES, max(1, cells.bit_length() - 3))
    threshold = max(0, ((count - spare) << planes) // cells)
    drawn = _bernoulli(grid, threshold, planes, random_bits) if threshold else 0
    return _correct(grid, drawn, count, random_bits)


def _bernoulli(grid: Grid, threshold: int, planes: int, random_bits: RandomBits) -> int:
    """Set each cell with the chance threshold / 2**planes: a random number below the threshold.

    The numbers of all cells are compared at once, bit plane by bit plane from the lowest.
    """
    width = grid.mask.bit_length()
    below = 0
    for plane in range(planes):
        if threshold >> plane & 1:
            below |= random_bits(width)
        elif below:
            below &= random_bits(width)
    return below & grid.mask


def _correct(grid: Grid, drawn: int, count: int, random_bits: RandomBits) -> int:
    """Add or remove uniformly chosen cells until exactly `count` are set."""
    missing = count - drawn.bit_count()
    if not missing:
        return drawn
    board = bytearray(drawn.to_bytes((grid.mask.bit_length() + 7) // 8, "little"))
    cells, columns = grid.size.cells, grid.size.columns
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
