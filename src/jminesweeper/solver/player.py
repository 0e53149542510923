"""A player of one game: sure cells first, and a guess only where nothing is sure."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.core import PlayerView, Size
from jminesweeper.solver.analysis import assess, unseen_cells
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.guess import Guess, choose_guess
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.strategy import FULL, Strategy


@dataclass(frozen=True, slots=True)
class Play:
    """What to reveal next: any number of sure cells, or one guess."""

    cells: tuple[int, ...]
    guess: Guess | None


class Player:
    """Plays one game; what it knows grows with what it is shown."""

    def __init__(
        self,
        size: Size,
        mine_count: int,
        strategy: Strategy = FULL,
        counter: Counter | None = None,
    ) -> None:
        self.knowledge = Knowledge(size, mine_count)
        self._frontier = Frontier(self.knowledge)
        self._counter = counter or Counter()
        self._strategy = strategy

    def update(self, view: PlayerView) -> None:
        """Take in what became visible since the last call."""
        self.knowledge.update(view)

    def show(self, clues: list[tuple[int, int]]) -> None:
        """Take in cells that became visible, by index, with their clues."""
        self.knowledge.show(clues)

    def decide(self) -> Play:
        """Choose what to reveal next."""
        knowledge = self.knowledge
        while True:
            if knowledge.deduce():
                return Play(tuple(knowledge.take_safe()), None)
            if not knowledge.mines_left:
                return self._reveal_unknown()
            assessment = assess(knowledge, self._frontier, self._counter)
            safe, mines = assessment.certain()
            knowledge.mark_mines(mines)
            knowledge.mark_safe(safe)
            if assessment.unseen and not assessment.balance.unseen_mined:
                knowledge.mark_safe(unseen_cells(knowledge, assessment))
            if not safe and not mines and not knowledge.safe:
                return Play((), choose_guess(knowledge, assessment, self._strategy))

    def _reveal_unknown(self) -> Play:
        status = self.knowledge.status
        cells = self.knowledge.terrain.cells
        self.knowledge.mark_safe([index for index in cells if status[index] == UNKNOWN])
        return Play(tuple(self.knowledge.take_safe()), None)
