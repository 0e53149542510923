"""Playing a game: certain cells first, and a guess only where nothing is certain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import SolverError
from jminesweeper.core.grid import Cell, Place, Size, place_of
from jminesweeper.core.rules import Rules, Victory
from jminesweeper.core.setup import rules_of
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.guess import Guess, Reason, Strategy, choose_guess
from jminesweeper.solver.knowledge import MINE, check_running, nearest
from jminesweeper.solver.no_guess import Contest, deal
from jminesweeper.solver.position import Position

_CORNER = Cell(0, 0)


class NoMoveError(SolverError):
    """No action is left in this game."""

    __module__ = "jminesweeper"


@dataclass(frozen=True, slots=True)
class Plan:
    """The next reveals: any number of certain cells, or one guess."""

    cells: tuple[int, ...]
    guess: Guess | None


@dataclass(frozen=True, slots=True)
class Decision:
    """One action that the solver decided on."""

    cell: Cell
    kind: ActionKind
    risk: float
    """The chance of a mine in that cell; 0 where it is known."""
    reason: Reason

    @property
    def action(self) -> Action:
        """The action for `Game.apply`."""
        return Action(self.kind, self.cell)


class Solver:
    """Plays games by some rules; its knowledge of one grows with each view."""

    def __init__(
        self,
        rules: str | Rules = "classic",
        strategy: Strategy = Strategy.FULL,
    ) -> None:
        self._victory = rules_of(rules).victory
        self._strategy = strategy
        self._position = Position(Size(1, 1), 1)
        self._queue = 0

    def __repr__(self) -> str:
        knowledge = self._position.knowledge
        left = f"{knowledge.unknown_left} cells unknown, {knowledge.mines_left} mines left"
        return f"<Solver of {knowledge.grid.size}, {left}>"

    def choose(self, view: PlayerView, near: Place = _CORNER) -> Decision:
        """Decide on one action in a running game.

        Flags are set only if flags win, and removed where they are in the way. Of cells
        that are equally sure one nearest to `near` is taken. Raises `GameOverError` once the game
        has ended.
        """
        check_running(view)
        near = place_of(near, "near")
        before = self._position.knowledge
        self._position.update(view)
        knowledge = self._position.knowledge
        if self._victory is not Victory.SAFE_VISIBLE and (wrong := self._wrong_flags(view)):
            cell = nearest(view.grid, wrong, near)
            return Decision(cell, ActionKind.FLAG, 0.0, Reason.SURE)
        self._queue &= ~view.visible if knowledge is before else 0
        if knowledge.deduce():
            self._enqueue(knowledge.take_safe())
        if not self._queue:
            plan = decide(self._position, self._strategy)
            if plan.guess is not None:
                guess = plan.guess
                cell = view.grid.cell(guess.index)
                return _reveal(view, cell, guess.risk, guess.reason)
            self._enqueue(plan.cells)
        if not self._queue:
            raise NoMoveError("every safe cell is visible")
        return _reveal(view, nearest(view.grid, self._queue, near), 0.0, Reason.SURE)

    def _enqueue(self, cells: Iterable[int]) -> None:
        self._queue |= reduce(or_, (1 << index for index in cells), 0)

    def _wrong_flags(self, view: PlayerView) -> int:
        """Return the cells where a flag is missing or wrong, once all mines are known."""
        knowledge = self._position.knowledge
        knowledge.deduce_all()
        if knowledge.unknown_left == knowledge.mines_left:
            knowledge.mark_mines(knowledge.unknown())
        if knowledge.mines_left:
            return 0
        return knowledge.cells_that_are(MINE) ^ (view.flagged | view.known)


def decide(position: Position, strategy: Strategy = Strategy.FULL) -> Plan:
    """Choose what to reveal next: every cell that is certainly safe, or one guess."""
    knowledge = position.knowledge
    while True:
        if knowledge.deduce():
            return Plan(tuple(knowledge.take_safe()), None)
        if knowledge.unknown_left == knowledge.mines_left:
            return Plan((), None)
        if not knowledge.mines_left:
            knowledge.mark_safe(knowledge.unknown())
            continue
        assessment = position.settle()
        if not knowledge.has_safe() and knowledge.unknown_left > knowledge.mines_left:
            return Plan((), choose_guess(assessment, strategy))


def _reveal(view: PlayerView, cell: Cell, risk: float, reason: Reason) -> Decision:
    """Reveal a cell, or first remove the flag that protects it."""
    kind = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
    return Decision(cell, kind, risk, reason)


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """The course of one game."""

    won: bool
    guesses: int


def simulate(contest: Contest, seed: int, strategy: Strategy = Strategy.FULL) -> SimulatedGame:
    """Play the board of a seed from its customary first reveal to the end."""
    board = deal(contest, seed)
    position = Position(contest.size, contest.mine_count)
    opened = board.open([position.knowledge.grid.index(contest.first)])
    guesses = 0
    while opened is not None and board.left:
        position.knowledge.show(opened)
        plan = decide(position, strategy)
        guesses += plan.guess is not None
        opened = board.open(plan.cells if plan.guess is None else [plan.guess.index])
    return SimulatedGame(opened is not None, guesses)
