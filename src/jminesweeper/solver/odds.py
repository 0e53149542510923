"""What is known about the covered cells around a place: their odds, and which of them are settled.

Both answer for a part of the board that can be computed in time. A large board is examined
through a window around the cursor; as a window leaves numbers out, its figures are estimates.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell, indices, lowest
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.knowledge import MINE, SAFE
from jminesweeper.solver.position import Position

MOST_CELLS: Final = 2_000
"""Larger boards are examined through a window."""
_REACH: Final = 20


class LocalOdds(NamedTuple):
    """Chances of a mine in percent, by the index of the cell."""

    percents: dict[int, int]
    is_exact: bool


class Solved(NamedTuple):
    """A covered cell that one or two numbers decide."""

    cell: Cell
    is_mine: bool


def odds_near(view: PlayerView, near: Cell, deadline: Deadline = never) -> LocalOdds:
    """Work out the odds of the covered cells around a place.

    0 and 100 mean certainty only. Raises `ImpossiblePositionError` when no layout agrees with
    the view, and `OutOfTimeError` when the deadline passes.
    """
    grid = view.grid
    window = grid.mask if view.size.cells <= MOST_CELLS else grid.square(near, _REACH)
    position = Position.of(view)
    if window != grid.mask:
        position = position.within(window)
    known, assessment = position.knowledge, position.assess(deadline)
    is_exact = assessment.exact and window == grid.mask
    chances = assessment.chance
    assessment.mark_certain()
    settled = {SAFE: 0, MINE: 100}
    inside = window & ~grid.neighbours(grid.mask & ~window) & ~view.visible
    percents = {}
    for index in indices(inside):
        percent = settled.get(known.status[index])
        percents[index] = _uncertain(chances[index]) if percent is None else percent
    return LocalOdds(percents, is_exact)


def next_solved(view: PlayerView, after: Cell) -> Solved | None:
    """Find the next cell, in reading order, that numbers show to be safe, or else to be a mine."""
    known, grid = Position.of(view).knowledge, view.grid
    for status, is_mine in ((SAFE, False), (MINE, True)):
        cells = known.cells_that_are(status)
        if is_mine:
            cells &= ~(view.flagged | view.known)
        if cells:
            later = cells >> grid.index(after) + 1 << grid.index(after) + 1
            return Solved(grid.cell(lowest(later or cells).bit_length() - 1), is_mine)
    return None


def _uncertain(chance: float) -> int:
    return min(99, max(1, round(100 * chance)))
