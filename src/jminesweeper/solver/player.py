"""A player of one game: sure cells first, and a guess only where nothing is sure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from jminesweeper.core import ActionKind, Cell, Grid, PlayerView, Size, Victory, lowest
from jminesweeper.solver.analysis import assess, unseen_cells
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.errors import SolverError
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.guess import Guess, Reason, choose_guess
from jminesweeper.solver.knowledge import MINE, UNKNOWN, Knowledge
from jminesweeper.solver.strategy import FULL, Strategy

_CORNER = Cell(0, 0)
_MINES_ONLY = bytes(ord("1") if status == MINE else ord("0") for status in range(256))


class NoMoveError(SolverError):
    """There is nothing left to do in this game."""


@dataclass(frozen=True, slots=True)
class Play:
    """What to reveal next: any number of sure cells, or one guess."""

    cells: tuple[int, ...]
    guess: Guess | None


@dataclass(frozen=True, slots=True)
class Move:
    """One action a player decided on."""

    cell: Cell
    kind: ActionKind
    risk: float
    reason: Reason


class Player:
    """Plays one game; what it knows grows with what it is shown."""

    __slots__ = ("_counter", "_frontier", "_queue", "_strategy", "knowledge")

    def __init__(
        self,
        size: Size,
        mine_count: int,
        strategy: Strategy = FULL,
        counter: Counter | None = None,
    ) -> None:
        self._counter = counter or Counter()
        self._strategy = strategy
        self._restart(size, mine_count)

    def _restart(self, size: Size, mine_count: int) -> None:
        self.knowledge = Knowledge(size, mine_count)
        self._frontier = Frontier(self.knowledge)
        self._queue = 0

    def update(self, view: PlayerView) -> None:
        """Take in what became visible since the last call; after an undo, start over."""
        if self.knowledge.visible & ~view.visible:
            self._restart(view.size, view.mine_count)
        self.knowledge.update(view)

    def show(self, clues: list[tuple[int, int]]) -> None:
        """Take in cells that became visible, by index, with their clues."""
        self.knowledge.show(clues)

    def choose(
        self,
        view: PlayerView,
        victory: Victory = Victory.SAFE_VISIBLE,
        near: Cell = _CORNER,
    ) -> Move:
        """Decide on one action in a running game that is won in this way.

        Flags are set only where flags win, and taken off where they stand in the way. Of cells
        that are equally sure one nearest to `near` is taken.
        """
        self.update(view)
        if victory is not Victory.SAFE_VISIBLE and (wrong := self._wrong_flags(view)):
            cell = nearest(view.grid, wrong, near)
            return Move(cell, ActionKind.FLAG, 0.0, Reason.SURE)
        self._queue &= ~view.visible
        if self.knowledge.deduce():
            self._enqueue(self.knowledge.take_safe())
        if not self._queue:
            play = self.decide()
            if play.guess is not None:
                guess = play.guess
                cell = self.knowledge.terrain.cell(guess.index)
                return _reveal(view, cell, guess.risk, guess.reason)
            self._enqueue(play.cells)
        if not self._queue:
            raise NoMoveError("every safe cell is visible")
        return _reveal(view, nearest(view.grid, self._queue, near), 0.0, Reason.SURE)

    def _enqueue(self, cells: Iterable[int]) -> None:
        self._queue |= reduce(or_, (1 << index for index in cells), 0)

    def decide(self) -> Play:
        """Choose what to reveal next: every cell that is sure now, or one guess."""
        knowledge = self.knowledge
        while True:
            if knowledge.deduce():
                return Play(tuple(knowledge.take_safe()), None)
            if not knowledge.mines_left:
                return self._reveal_unknown()
            if knowledge.unknown_left == knowledge.mines_left:
                return Play((), None)
            assessment = assess(knowledge, self._frontier, self._counter)
            safe, mines = assessment.certain()
            knowledge.mark_mines(mines)
            knowledge.mark_safe(safe)
            if assessment.unseen_is_safe:
                knowledge.mark_safe(unseen_cells(knowledge, assessment))
            if not safe and not mines and not knowledge.safe:
                return Play((), choose_guess(knowledge, assessment, self._strategy))

    def _reveal_unknown(self) -> Play:
        knowledge = self.knowledge
        status = knowledge.status
        cells = knowledge.terrain.cells
        knowledge.mark_safe([index for index in cells if status[index] == UNKNOWN])
        return Play(tuple(knowledge.take_safe()), None)

    def _wrong_flags(self, view: PlayerView) -> int:
        """Once all mines are known, where a flag is to be set or to be taken off."""
        knowledge = self.knowledge
        knowledge.deduce_all()
        if knowledge.unknown_left == knowledge.mines_left:
            status = knowledge.status
            knowledge.mark_mines([i for i in knowledge.terrain.cells if status[i] == UNKNOWN])
        if knowledge.mines_left:
            return 0
        mines = int(knowledge.status.translate(_MINES_ONLY)[::-1], 2)
        return mines ^ view.flagged


def nearest(grid: Grid, cells: int, place: Cell) -> Cell:
    """Return the cell of a set, not empty, that is fewest king's moves away from a place."""
    reached = grid.bit(place)
    while not reached & cells:
        reached |= grid.neighbours(reached)
    return grid.cell(lowest(reached & cells).bit_length() - 1)


def _reveal(view: PlayerView, cell: Cell, risk: float, reason: Reason) -> Move:
    """Reveal a cell, or first take off the flag that keeps it from being revealed."""
    kind = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
    return Move(cell, kind, risk, reason)
