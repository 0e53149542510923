"""Flood fill over a board held in one integer.

A fill first steps to its neighbours, which is all that most openings need. One that goes on grows
by doubling: along a line with shifts of 1, 2, 4, 8 cells, and one step sideways for the diagonals,
pass after pass until nothing changes. To the right no shifts are needed: added to a run of open
cells, a reached cell carries through to the run's end, and what the carry cleared is what it
reached. The masks that say where a shift may land depend on the open cells only, and are made once.

``a ^ (a & b)`` stands for ``a & ~b``, which takes three times as long: Python's integers are kept
by sign and magnitude, so a complement is negative, and each use of it is a conversion.
"""

from __future__ import annotations

from jminesweeper.core.grid import MAX_SIDE, Grid
from jminesweeper.core.rules import Spread

_SINGLE_STEPS = 4

# Of 255x255 boards at level 1, whose openings are the largest, the longer jumps cost more than they
# gain; what is not filled after this many passes is a maze with long straight corridors.
_USUAL_JUMP = 8
_USUAL_PASSES = 32

Jumps = list[tuple[int, int, int]]


def flood(grid: Grid, seeds: int, within: int, spread: Spread) -> int:
    """Return the cells of `within` that `seeds` reach by steps of the spread inside it."""
    reached = seeds & within
    step = grid.beside if spread is Spread.FOUR else grid.neighbours
    for _ in range(_SINGLE_STEPS):
        grown = reached | (step(reached) & within)
        if grown == reached:
            return reached
        reached = grown
    return _fill_by_doubling(grid, reached, within, diagonal=spread is Spread.EIGHT)


def _fill_by_doubling(grid: Grid, reached: int, within: int, *, diagonal: bool) -> int:
    stride = grid.stride
    along_rows = _jumps(within, 1, _USUAL_JUMP)
    along_columns = _jumps(within, stride, _USUAL_JUMP)
    passes = 0
    while True:
        before = reached
        reached |= within ^ (within & (within + reached))
        for shift, _, down in along_rows:
            reached |= reached >> shift & down
        for shift, up, down in along_columns:
            reached |= (reached << shift & up) | (reached >> shift & down)
        if diagonal:
            sideways = reached << 1 | reached >> 1
            reached |= (sideways << stride | sideways >> stride) & within
        if reached == before:
            return reached
        passes += 1
        if passes == _USUAL_PASSES:
            along_rows = _jumps(within, 1, MAX_SIDE)
            along_columns = _jumps(within, stride, MAX_SIDE)


def _jumps(within: int, unit: int, longest: int) -> Jumps:
    """List shifts of 1, 2, 4, ... units, each with the cells to land on going up, and down.

    A jump needs every cell on its way open, both ends included.
    """
    jumps = []
    up = within & within << unit
    length = 1
    while up and length <= longest:
        shift = length * unit
        jumps.append((shift, up, up >> shift))
        up &= up << shift
        length *= 2
    return jumps
