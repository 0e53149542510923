"""Solving a board by certain steps alone."""

from __future__ import annotations

from jminesweeper.solver.analysis import assess, unseen_cells
from jminesweeper.solver.component import Component
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.draft import Draft
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.sweep import TooManyStatesError

_FEW_UNKNOWN = 60


class Proof:
    """One attempt to finish a board from its first reveal without a guess."""

    __slots__ = ("_counter", "_draft", "frontier", "knowledge", "shown", "stuck")

    def __init__(self, draft: Draft, start: int, counter: Counter) -> None:
        self._draft = draft
        self._counter = counter
        self.knowledge = draft.new_knowledge()
        self.frontier = Frontier(self.knowledge)
        self.shown = bytearray(draft.terrain.length)
        self.stuck: list[Component] = []
        """The components in which nothing is certain, after a run that did not finish."""
        self._open([start])

    def run(self) -> bool:
        """Go on as far as certain steps lead; say whether the board is finished."""
        knowledge = self.knowledge
        while True:
            if knowledge.deduce():
                self._open(knowledge.take_safe())
            elif knowledge.unknown_left == knowledge.mines_left:
                return True
            elif not knowledge.mines_left:
                self._open_all_unknown()
            elif not self._count_components() and not self._count_mines():
                return False

    def _open(self, cells: list[int]) -> None:
        clues: list[tuple[int, int]] = []
        for cell in cells:
            clues.extend(self._draft.open(cell, self.shown))
        self.knowledge.show(clues)

    def _open_all_unknown(self) -> None:
        status, cells = self.knowledge.status, self.knowledge.terrain.cells
        self.knowledge.mark_safe([index for index in cells if not status[index]])

    def _count_components(self) -> bool:
        """Look for cells that are certain by their own component, whatever the mine count."""
        knowledge = self.knowledge
        self.stuck = self.frontier.refresh()
        found = False
        for component in self.stuck:
            try:
                counts = self._counter.count(component)
            except TooManyStatesError:
                continue
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                if not any(mined):
                    knowledge.mark_safe(box.cells)
                    found = True
                elif mined == counts.layouts:
                    knowledge.mark_mines(box.cells)
                    found = True
        return found

    def _count_mines(self) -> bool:
        """Near the end, look for cells that the mine count makes certain."""
        knowledge = self.knowledge
        if knowledge.unknown_left > _FEW_UNKNOWN:
            return False
        assessment = assess(knowledge, self.frontier, self._counter)
        safe, mines = assessment.certain()
        knowledge.mark_safe(safe)
        knowledge.mark_mines(mines)
        if assessment.unseen_is_safe:
            knowledge.mark_safe(unseen_cells(knowledge, assessment))
        return bool(safe or mines or assessment.unseen_is_safe)
