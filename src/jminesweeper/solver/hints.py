"""Hints that teach: a cell, what to do with it, and the shortest argument for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jminesweeper.core import ActionKind, Cell, PlayerView
from jminesweeper.solver.analysis import Analysis, analyse
from jminesweeper.solver.arguments import (
    AllFlagged,
    Argument,
    EveryLayout,
    NothingSure,
    OnlyMines,
)
from jminesweeper.solver.crowds import find_clash, find_last_mines
from jminesweeper.solver.edge import Edge
from jminesweeper.solver.errors import SolverError
from jminesweeper.solver.player import Player
from jminesweeper.solver.reasoning import Reasoning
from jminesweeper.solver.sentences import sentence
from jminesweeper.solver.terrain import indices


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
        """The advice and its reason in English; a cell is its column and row, from 0."""
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
    hint = _safe_cell(view, analysis) or _last_flag(view, analysis) or _guess(view, analysis)
    if hint is None:
        raise NoHintError("every cell is settled")
    return hint


def _safe_cell(view: PlayerView, analysis: Analysis) -> Hint | None:
    if not analysis.safe:
        return None
    trusted = view.flagged & analysis.mines
    found = Reasoning(view, trusted).first_safe() or _by_counting(view, analysis.safe, trusted)
    index, argument = found
    return _hint(view, view.grid.cell(index), Fraction(0), argument)


def _by_counting(view: PlayerView, safe: int, trusted: int) -> tuple[int, Argument]:
    """Return the argument for a safe cell that no number or pair of numbers shows."""
    cells = indices(safe)
    left = view.mine_count - trusted.bit_count()
    if not left:
        return cells[0], AllFlagged(view.mine_count)
    edge = Edge.of(view, trusted)
    return (
        find_last_mines(edge, left, cells)
        or find_clash(edge, cells)
        or (cells[0], EveryLayout(view.mine_count))
    )


def _are_all_mines(view: PlayerView, analysis: Analysis) -> bool:
    """Whether every cell that is not open, flagged or not, is known to be a mine."""
    return view.grid.mask & ~view.visible == analysis.mines


def _last_flag(view: PlayerView, analysis: Analysis) -> Hint | None:
    """Return a flag to set, once every cell is settled: that is what some rules ask for."""
    unflagged = analysis.mines & ~view.flagged
    if not unflagged or not _are_all_mines(view, analysis):
        return None
    cell = view.grid.cell(indices(unflagged & -unflagged)[0])
    return Hint(cell, ActionKind.FLAG, Fraction(1), OnlyMines(view.mine_count))


def _guess(view: PlayerView, analysis: Analysis) -> Hint | None:
    if _are_all_mines(view, analysis):
        return None
    player = Player(view.size, view.mine_count)
    player.update(view)
    guess = player.decide().guess
    if guess is None:
        return None
    cell = view.grid.cell(guess.index)
    chance = analysis.chance(cell)
    lowest = min(analysis.chances.values())
    argument = NothingSure(chance, lowest, guess.reason, analysis.exact)
    return _hint(view, cell, chance, argument)


def _hint(view: PlayerView, cell: Cell, chance: Fraction, argument: Argument) -> Hint:
    action = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
    return Hint(cell, action, chance, argument)
