"""A player of one game: sure cells first, and a guess only where nothing is sure."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.core import ActionKind, Cell, PlayerView, Size, Victory
from jminesweeper.solver.analysis import assess, unseen_cells
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.errors import SolverError
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.guess import Guess, Reason, choose_guess
from jminesweeper.solver.knowledge import MINE, SHOWN, UNKNOWN, Knowledge
from jminesweeper.solver.strategy import FULL, Strategy

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
        self._queue: list[int] = []

    def update(self, view: PlayerView) -> None:
        """Take in what became visible since the last call; after an undo, start over."""
        if self.knowledge.visible & ~view.visible:
            self._restart(view.size, view.mine_count)
        self.knowledge.update(view)

    def show(self, clues: list[tuple[int, int]]) -> None:
        """Take in cells that became visible, by index, with their clues."""
        self.knowledge.show(clues)

    def choose(self, view: PlayerView, victory: Victory = Victory.SAFE_VISIBLE) -> Move:
        """Decide on one action in a running game that is won in this way.

        Flags are set only where flags win, and taken off where they stand in the way.
        """
        self.update(view)
        if victory is not Victory.SAFE_VISIBLE and (move := self._next_flag(view)):
            return move
        status = self.knowledge.status
        while self._queue and status[self._queue[-1]] == SHOWN:
            self._queue.pop()
        if not self._queue:
            play = self.decide()
            if play.guess is not None:
                guess = play.guess
                return self._reveal(view, guess.index, guess.risk, guess.reason)
            self._queue = list(play.cells)
        if not self._queue:
            raise NoMoveError("every safe cell is visible")
        return self._reveal(view, self._queue[-1], 0.0, Reason.SURE)

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

    def _reveal(self, view: PlayerView, index: int, risk: float, reason: Reason) -> Move:
        """Reveal a cell, or first take off the flag that keeps it from being revealed."""
        cell = self.knowledge.terrain.cell(index)
        kind = ActionKind.FLAG if view.is_flagged(cell) else ActionKind.REVEAL
        return Move(cell, kind, risk, reason)

    def _next_flag(self, view: PlayerView) -> Move | None:
        """Once all mines are known, the next flag to set or to take off."""
        knowledge = self.knowledge
        knowledge.deduce_all()
        if knowledge.unknown_left == knowledge.mines_left:
            status = knowledge.status
            knowledge.mark_mines([i for i in knowledge.terrain.cells if status[i] == UNKNOWN])
        if knowledge.mines_left:
            return None
        mines = int(knowledge.status.translate(_MINES_ONLY)[::-1], 2)
        wrong = mines ^ view.flagged
        if not wrong:
            return None
        index = (wrong & -wrong).bit_length() - 1
        return Move(knowledge.terrain.cell(index), ActionKind.FLAG, 0.0, Reason.SURE)
