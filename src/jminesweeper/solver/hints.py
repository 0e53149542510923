"""Hints that teach: a cell, what to do with it, and the shortest argument for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jminesweeper.core import ActionKind, Cell, PlayerView
from jminesweeper.solver.analysis import Analysis, analyse
from jminesweeper.solver.arguments import (
    Argument,
    EveryLayout,
    MinesFound,
    NothingSure,
)
from jminesweeper.solver.errors import SolverError
from jminesweeper.solver.player import Player
from jminesweeper.solver.reasoning import Reasoning
from jminesweeper.solver.sentences import sentence
from jminesweeper.solver.terrain import Terrain, indices


class NoHintError(SolverError):
    """There is nothing left to advise: the game is over, or every cell is settled."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Advice for one action, with the reason for it."""

    cell: Cell
    action: ActionKind
    chance: Fraction
    """Of a mine in that cell."""
    argument: Argument

    @property
    def text(self) -> str:
        """The advice and its reason in English; columns and rows are counted from 0."""
        return sentence(self.cell, self.action, self.chance, self.argument)


def explain(view: PlayerView) -> Hint:
    """Find the most helpful next action and the shortest argument for it.

    A safe cell if there is one, then a mine once nothing else is left, then the best guess.
    A flag on a cell that is safe is advised to be taken off before that cell is revealed.
    Raises `ImpossiblePositionError` when no layout agrees with the view.
    """
    if view.status.is_over:
        raise NoHintError("the game is over")
    analysis = analyse(view)
    hint = _safe_cell(view, analysis) or _last_mines(view, analysis) or _guess(view, analysis)
    if hint is None:
        raise NoHintError("every cell is settled")
    return hint


def _safe_cell(view: PlayerView, analysis: Analysis) -> Hint | None:
    if not analysis.safe:
        return None
    reasoning = Reasoning(view, view.flagged & analysis.mines)
    found = reasoning.first_safe()
    if found is not None:
        index, argument = found
        return _hint(view, view.grid.cell(index), Fraction(0), argument)
    return _hint(view, _first(view, analysis.safe), Fraction(0), _by_counting(view, analysis))


def _by_counting(view: PlayerView, analysis: Analysis) -> Argument:
    """Return the argument for a safe cell that no number or pair of numbers shows."""
    grid = view.grid
    if analysis.mines.bit_count() == view.mine_count:
        return MinesFound(tuple(grid.cells(analysis.mines)))
    around = grid.neighbours(grid.mask & ~view.visible) & view.visible
    return EveryLayout(tuple(grid.cells(around)), view.mine_count)


def _last_mines(view: PlayerView, analysis: Analysis) -> Hint | None:
    """Return a flag to set, once every cell is settled: that is what some rules ask for."""
    covered = view.grid.mask & ~view.visible
    unflagged = analysis.mines & ~view.flagged
    if not unflagged or covered != analysis.mines:
        return None
    cell = _first(view, unflagged)
    around = tuple(view.grid.cells(view.grid.neighbours(covered) & view.visible))
    return Hint(cell, ActionKind.FLAG, Fraction(1), EveryLayout(around, view.mine_count))


def _guess(view: PlayerView, analysis: Analysis) -> Hint | None:
    if view.grid.mask & ~view.visible == analysis.mines:
        return None
    player = Player(view.size, view.mine_count)
    player.update(view)
    guess = player.decide().guess
    if guess is None:
        return None
    cell = view.grid.cell(guess.index)
    chance = analysis.chance(cell)
    lowest = min(analysis.chances.values())
    return _hint(view, cell, chance, NothingSure(chance, lowest, guess.reason.value))


def _hint(view: PlayerView, cell: Cell, chance: Fraction, argument: Argument) -> Hint:
    action = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
    return Hint(cell, action, chance, argument)


def _first(view: PlayerView, cells: int) -> Cell:
    return Terrain.of(view.size).cell(indices(cells & -cells)[0])
