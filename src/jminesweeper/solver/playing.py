"""Playing a game: certain cells first, and a guess only where nothing is certain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import PRESETS, Rules, Victory
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.assessment import assess, mark_certain
from jminesweeper.solver.counting import Components, Counter
from jminesweeper.solver.dealing import Contest, DealtBoard, deal
from jminesweeper.solver.errors import SolverError
from jminesweeper.solver.guess import Guess, choose_guess
from jminesweeper.solver.knowledge import MINE, UNKNOWN, Knowledge, nearest
from jminesweeper.solver.strategy import FULL, Reason, Strategy

_CORNER = Cell(0, 0)


class NoMoveError(SolverError):
    """No action is left in this game."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to reveal next: any number of certain cells, or one guess."""

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
    """Plays games by some rules; what it knows of one grows with what it is shown."""

    __slots__ = ("_components", "_counter", "_queue", "_strategy", "_victory", "knowledge")

    def __init__(
        self,
        rules: Rules = PRESETS["classic"],
        strategy: Strategy = FULL,
        counter: Counter | None = None,
    ) -> None:
        self._victory = rules.victory
        self._counter = counter or Counter()
        self._strategy = strategy
        self.begin(Size(1, 1), 1)

    def begin(self, size: Size, mine_count: int) -> None:
        """Forget everything: a game begins on a board of which nothing is visible."""
        self.knowledge = Knowledge(size, mine_count)
        self._components = Components(self.knowledge)
        self._queue = 0

    def update(self, view: PlayerView) -> None:
        """Process what became visible since the last call; after an undo, start over."""
        knowledge = self.knowledge
        known = knowledge.terrain.size, knowledge.mine_count
        if known != (view.size, view.mine_count) or knowledge.visible & ~view.visible:
            self.begin(view.size, view.mine_count)
        self.knowledge.update(view)

    def choose(self, view: PlayerView, near: Cell = _CORNER) -> Decision:
        """Decide on one action in a running game.

        Flags are set only if flags win, and removed where they are in the way. Of cells
        that are equally sure one nearest to `near` is taken.
        """
        self.update(view)
        if self._victory is not Victory.SAFE_VISIBLE and (wrong := self._wrong_flags(view)):
            cell = nearest(view.grid, wrong, near)
            return Decision(cell, ActionKind.FLAG, 0.0, Reason.SURE)
        self._queue &= ~view.visible
        if self.knowledge.deduce():
            self._enqueue(self.knowledge.take_safe())
        if not self._queue:
            plan = self.decide()
            if plan.guess is not None:
                guess = plan.guess
                cell = self.knowledge.terrain.grid.cell(guess.index)
                return _reveal(view, cell, guess.risk, guess.reason)
            self._enqueue(plan.cells)
        if not self._queue:
            raise NoMoveError("every safe cell is visible")
        return _reveal(view, nearest(view.grid, self._queue, near), 0.0, Reason.SURE)

    def _enqueue(self, cells: Iterable[int]) -> None:
        self._queue |= reduce(or_, (1 << index for index in cells), 0)

    def decide(self) -> Plan:
        """Choose what to reveal next: every cell that is certainly safe, or one guess."""
        knowledge = self.knowledge
        while True:
            if knowledge.deduce():
                return Plan(tuple(knowledge.take_safe()), None)
            if not knowledge.mines_left:
                return self._reveal_unknown()
            if knowledge.unknown_left == knowledge.mines_left:
                return Plan((), None)
            assessment = assess(knowledge, self._components, self._counter)
            if not mark_certain(knowledge, assessment):
                return Plan((), choose_guess(assessment, self._strategy))

    def _reveal_unknown(self) -> Plan:
        knowledge = self.knowledge
        status = knowledge.status
        cells = knowledge.terrain.cells
        knowledge.mark_safe([index for index in cells if status[index] == UNKNOWN])
        return Plan(tuple(knowledge.take_safe()), None)

    def _wrong_flags(self, view: PlayerView) -> int:
        """Return the cells where a flag is missing or wrong, once all mines are known."""
        knowledge = self.knowledge
        knowledge.deduce_all()
        if knowledge.unknown_left == knowledge.mines_left:
            status = knowledge.status
            knowledge.mark_mines([i for i in knowledge.terrain.cells if status[i] == UNKNOWN])
        if knowledge.mines_left:
            return 0
        return knowledge.cells_that_are(MINE) ^ view.flagged


def _reveal(view: PlayerView, cell: Cell, risk: float, reason: Reason) -> Decision:
    """Reveal a cell, or first remove the flag that protects it."""
    kind = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
    return Decision(cell, kind, risk, reason)


@dataclass(frozen=True, slots=True)
class Played:
    """How one game went."""

    won: bool
    guesses: int


def simulate(
    contest: Contest, seed: int, strategy: Strategy = FULL, counter: Counter | None = None
) -> Played:
    """Play the board of a seed from its customary first reveal to the end."""
    return play_out(contest, DealtBoard(deal(contest, seed)), strategy, counter)


def play_out(
    contest: Contest, board: DealtBoard, strategy: Strategy = FULL, counter: Counter | None = None
) -> Played:
    """Play a dealt board from its customary first reveal to the end."""
    solver = Solver(strategy=strategy, counter=counter)
    solver.begin(contest.size, contest.mine_count)
    opened = board.reveal(Grid.of(contest.size).index(contest.first))
    guesses = 0
    while opened is not None and board.left:
        solver.knowledge.show(opened)
        plan = solver.decide()
        if plan.guess is None:
            opened = board.reveal_all(plan.cells)
        else:
            guesses += 1
            opened = board.reveal(plan.guess.index)
    return Played(opened is not None, guesses)
