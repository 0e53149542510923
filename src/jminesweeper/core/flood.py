"""Flood fill over a board held in one integer.

A fill grows by doubling: along a row with shifts of 1, 2, 4, ... columns, so a run of any length
fills in eight steps, then likewise along the columns, then one step sideways of both for the
diagonals, until nothing changes. The masks that say how far a run may be jumped depend on the
open cells only and are made once.
"""

from __future__ import annotations

from jminesweeper.core.grid import Grid
from jminesweeper.core.rules import Spread

_STEPS_BEFORE_DOUBLING = 4


def flood(grid: Grid, seeds: int, within: int, spread: Spread) -> int:
    """Return the cells of `within` that `seeds` reach by steps of the spread inside it."""
    reached = seeds & within
    step = grid.beside if spread is Spread.FOUR else grid.neighbours
    for _ in range(_STEPS_BEFORE_DOUBLING):
        grown = reached | (step(reached) & within)
        if grown == reached:
            return reached
        reached = grown
    return _fill_by_doubling(grid, reached, within, diagonal=spread is Spread.EIGHT)


def _fill_by_doubling(grid: Grid, reached: int, within: int, *, diagonal: bool) -> int:
    stride = grid.stride
    along_rows = _jumps(within, 1, grid.size.columns)
    along_columns = _jumps(within, stride, grid.size.rows)
    while True:
        before = reached
        for shift, up, down in along_rows:
            reached |= (reached << shift & up) | (reached >> shift & down)
        for shift, up, down in along_columns:
            reached |= (reached << shift & up) | (reached >> shift & down)
        if diagonal:
            sideways = reached << 1 | reached >> 1
            reached |= (sideways << stride | sideways >> stride) & within
        if reached == before:
            return reached


def _jumps(within: int, unit: int, length: int) -> list[tuple[int, int, int]]:
    """List shifts of 1, 2, 4, ... units, each with the cells to land on going up, and down."""
    jumps = []
    up = down = within
    shift = unit
    reach = 1
    while reach < length and up:
        jumps.append((shift, up, down))
        up &= up << shift
        down &= down >> shift
        shift *= 2
        reach *= 2
    return jumps
