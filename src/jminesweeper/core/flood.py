"""What is connected on a board held in one integer: flood fill, and counting connected parts.

A fill grows by doubling: along a line with shifts of 1, 2, 4, 8 cells and so on, and one step
sideways for the diagonals, pass after pass until nothing changes. To the right no shifts are
needed: added to a run of open cells, a reached cell carries through to the run's end, and what the
carry cleared is what it reached. The masks that say where a shift may land depend on the open cells
only, and are made once. Single steps alone take three times as long on a large board.

Parts are counted all at once by Levialdi's shrinking: every step takes the bottom-right corners off
all parts and fills their inner corners, so that each part shrinks towards its top left without
breaking up or meeting another, becomes a single cell, and vanishes. Counting the single cells of
every step counts the parts, and a step is a few shifts of the whole board, however many there are.
Only the largest take many steps, so now and then one of those left is filled and removed whole.

``a ^ (a & b)`` is ``a & ~b``, which takes three times as long: Python's integers are kept by sign
and magnitude, so a complement is negative, and each use of it is a conversion.
"""

from __future__ import annotations

from jminesweeper.core.grid import MAX_SIDE, Grid, lowest

# Measured on 255x255 boards of every density: the slowest takes 2 ms.
_STEPS_BETWEEN_FILLS = 16

Jumps = list[tuple[int, int, int]]


def flood(grid: Grid, seeds: int, within: int, *, diagonal: bool) -> int:
    """Return the cells of `within` that `seeds` reach by steps to neighbours inside it."""
    stride, reached = grid.stride, seeds & within
    along_rows, along_columns = _jumps(within, 1), _jumps(within, stride)
    before = 0
    while reached != before:
        before = reached
        reached |= within ^ (within & (within + reached))
        for shift, _, down in along_rows:
            reached |= reached >> shift & down
        for shift, up, down in along_columns:
            reached |= (reached << shift & up) | (reached >> shift & down)
        if diagonal:
            sideways = reached << 1 | reached >> 1
            reached |= (sideways << stride | sideways >> stride) & within
    return reached


def _jumps(within: int, unit: int) -> Jumps:
    """List shifts of 1, 2, 4, ... units, each with the cells to land on going up, and down.

    A jump needs every cell on its way open, both ends included.
    """
    jumps = []
    up = within & within << unit
    shift = unit
    while up and shift <= unit * MAX_SIDE:
        jumps.append((shift, up, up >> shift))
        up &= up << shift
        shift *= 2
    return jumps


def count_components(grid: Grid, cells: int, *, diagonal: bool) -> int:
    """Count the parts of a set whose cells are joined by steps to neighbours."""
    count = 0
    step, shrink = (grid.neighbours, _shrink_eight) if diagonal else (grid.beside, _shrink_four)
    while cells:
        for _ in range(_STEPS_BETWEEN_FILLS):
            joined = cells & step(cells)
            count += (cells ^ joined).bit_count()
            cells = shrink(joined, grid.stride)
        if cells:
            count += 1
            cells ^= flood(grid, lowest(cells), cells, diagonal=diagonal)
    return count


def _shrink_eight(cells: int, stride: int) -> int:
    """Keep a cell with a neighbour right, below or between; fill a gap that has both."""
    right, below = cells >> 1, cells >> stride
    return cells & (right | below | right >> stride) | right & below


def _shrink_four(cells: int, stride: int) -> int:
    """Shrink the gaps as if joined on eight sides: that shrinks parts that are joined on four."""
    right, below = cells >> 1, cells >> stride
    return (cells | right & below & right >> stride) & (right | below)
