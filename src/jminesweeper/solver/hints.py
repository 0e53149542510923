"""Hints that teach: a cell, what to do with it, and the shortest argument for it.

Simple arguments come first: where one number or two show a safe cell, nothing is counted. Only then
are layouts counted, and only if nothing is certain are guesses weighed. On a large board this
happens in windows around the cursor, each twice as wide as the one before, until one of them shows
a safe cell, the whole board was looked at, or time is up. A window leaves numbers out, so what it
makes certain is certain; its chances are estimates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import MAX_SIDE, Cell, Grid, bits, indices
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.analysis import Analysis
from jminesweeper.solver.arguments import AllKnown, Argument, EveryLayout, NothingSure, OnlyMines
from jminesweeper.solver.assessment import Assessment
from jminesweeper.solver.errors import Deadline, OutOfTimeError, SolverError, check, never
from jminesweeper.solver.guess import choose_guess
from jminesweeper.solver.knowledge import MINE, SAFE, nearest
from jminesweeper.solver.position import Position
from jminesweeper.solver.reasoning import Edge, Reasoning
from jminesweeper.solver.sentences import sentence
from jminesweeper.solver.strategy import FULL, Reason

_CORNER = Cell(0, 0)
_MOST_CELLS_AT_ONCE = 2_000
"""Larger boards are examined in windows."""
_FIRST_REACH = 10
"""How many cells the first window goes beyond the cursor."""


class NoHintError(SolverError):
    """There is no advice: the game is over, every cell is settled, or time is up."""

    __module__ = "jminesweeper"


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for one action, with the reason for it."""

    cell: Cell
    action: ActionKind
    chance: Fraction
    """The chance of a mine in that cell."""
    argument: Argument

    @property
    def text(self) -> str:
        """The advice and its reason in English; a cell is its column and row, from 0."""
        return sentence(self.cell, self.action, self.chance, self.argument)


def explain(view: PlayerView, near: Cell = _CORNER, deadline: Deadline = never) -> Advice:
    """Find the most helpful next action and the shortest argument for it.

    A safe cell if there is one, then a mine once nothing else is left, then the best guess.
    A flag on a safe cell is removed first. On a large board the cells around `near` come first.
    Raises `ImpossiblePositionError` when no layout agrees with the view.
    """
    if view.status.is_over:
        raise NoHintError("the game is over")
    position = Position.of(view)
    adviser = _Adviser(view, near, deadline, position, position.knowledge.cells_that_are(MINE))
    try:
        hint = adviser.simple_hint() or adviser.settled_hint() or adviser.counted_hint()
    except OutOfTimeError as error:
        raise NoHintError("no hint was found in time") from error
    if hint is None:
        raise NoHintError("every cell is settled")
    return hint


@dataclass(frozen=True)
class _Adviser:
    """One question about a position, in which the simple steps are known already."""

    view: PlayerView
    near: Cell
    deadline: Deadline
    position: Position
    simple_mines: int
    """The mines that one or two numbers prove at a time."""

    def simple_hint(self) -> Advice | None:
        """Find a safe cell by steps that look at one or two numbers."""
        safe = self.position.knowledge.cells_that_are(SAFE)
        if not safe:
            return None
        trusted = self.view.flagged & self.simple_mines
        for window in _windows(self.view.grid, nearest(self.view.grid, safe, self.near)):
            edge = Edge.of(self.view, trusted, window)
            found = Reasoning(edge, self.deadline).first_safe()
            if found is not None:
                return self._safe(*found)
        return None

    def settled_hint(self) -> Advice | None:
        """Find the next step once the mine count decides everything that is left."""
        view, knowledge, mines = self.view, self.position.knowledge, self.simple_mines
        unsettled = view.grid.mask & ~(view.visible | mines)
        if unsettled and not knowledge.mines_left:
            return self._counted(unsettled, mines)
        unflagged = (mines | unsettled) & ~(view.flagged | view.known)
        if knowledge.unknown_left > knowledge.mines_left or not unflagged:
            return None
        cell = view.grid.cell(indices(unflagged)[0])
        return Advice(cell, ActionKind.FLAG, Fraction(1), OnlyMines(view.mine_count))

    def counted_hint(self) -> Advice | None:
        """Find a cell that is safe in every layout, or else the best guess."""
        whole = self.position
        if whole.knowledge.unknown_left == whole.knowledge.mines_left:
            return None
        guess: Advice | None = None
        try:
            for window in _windows(self.view.grid, self.near):
                is_whole = window == self.view.grid.mask
                position = whole if is_whole else whole.within(window)
                assessment = position.settle(self.deadline)
                if safe := position.knowledge.cells_that_are(SAFE):
                    return self._counted(safe, position.knowledge.cells_that_are(MINE))
                if is_whole:
                    return self._guess(assessment)
                guess = self._local_guess(window, assessment) or guess
                check(self.deadline)
        except OutOfTimeError:
            if guess is None:
                raise
        return guess

    def _counted(self, safe: int, mines: int) -> Advice:
        """Advise a cell that counting made safe: no few numbers prove it."""
        view = self.view
        left = view.mine_count - mines.bit_count()
        unflagged = (mines & ~view.flagged).bit_count()
        index = view.grid.index(nearest(view.grid, safe, self.near))
        return self._safe(
            index, EveryLayout(left) if left else AllKnown(view.mine_count, unflagged)
        )

    def _guess(self, assessment: Assessment) -> Advice:
        """Weigh the guesses of the whole board."""
        view = self.view
        guess = choose_guess(assessment, FULL)
        analysis = Analysis(view, assessment)
        chance = analysis.chance(view.grid.cell(guess.index))
        lowest = min(analysis.chances.values())
        argument = NothingSure(chance, lowest, guess.reason, analysis.exact)
        return self._hint(guess.index, chance, argument)

    def _local_guess(self, window: int, assessment: Assessment) -> Advice | None:
        """Take the lowest risk among the cells whose numbers are all in the window."""
        grid = self.view.grid
        inside = window & ~grid.neighbours(grid.mask & ~window)
        for chance, _, cells in assessment.groups:
            found = inside & bits(cells)
            if found:
                index = grid.index(nearest(grid, found, self.near))
                risk = Fraction(chance)
                argument = NothingSure(risk, risk, Reason.LOWEST_RISK, exact=False, is_local=True)
                return self._hint(index, risk, argument)
        return None

    def _safe(self, index: int, argument: Argument) -> Advice:
        return self._hint(index, Fraction(0), argument)

    def _hint(self, index: int, chance: Fraction, argument: Argument) -> Advice:
        cell = self.view.grid.cell(index)
        action = ActionKind.FLAG if self.view.is_flagged(cell) else ActionKind.REVEAL
        return Advice(cell, action, chance, argument)


def _windows(grid: Grid, near: Cell) -> Iterator[int]:
    """Yield ever wider squares around a cell, the whole board at last."""
    reach = _FIRST_REACH if grid.size.cells > _MOST_CELLS_AT_ONCE else MAX_SIDE
    while (window := grid.square(near, reach)) != grid.mask:
        yield window
        reach *= 2
    yield grid.mask
