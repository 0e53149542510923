"""A board in the making, and the proof that certain steps alone solve it.

The draft belongs to the generator, which knows the truth as a dealer does: its mines can still be
moved, and its clues follow. A proof knows only the clues of opened cells, as a player does.
"""

from __future__ import annotations

from jminesweeper.core.grid import Size, indices
from jminesweeper.core.rules import Spread
from jminesweeper.solver.assessment import assess, mark_certain
from jminesweeper.solver.component import Component
from jminesweeper.solver.counting import Components, Counter
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge, Terrain
from jminesweeper.solver.sweep import TooManyStatesError


class Draft:
    """The mines and clues of one board by index, which may change."""

    __slots__ = ("clues", "mine_count", "mined", "spreads_to", "terrain")

    def __init__(self, size: Size, mines: int, spread: Spread) -> None:
        self.terrain = Terrain.of(size)
        self.mine_count = mines.bit_count()
        self.mined = bytearray(self.terrain.length)
        self.clues = [0] * self.terrain.length
        for index in indices(mines):
            self.mined[index] = 1
            for near in self.terrain.neighbours[index]:
                self.clues[near] += 1
        stride = self.terrain.stride
        self.spreads_to = frozenset(
            {1, -1, stride, -stride}
            if spread is Spread.FOUR
            else {1, -1, stride, -stride, stride + 1, stride - 1, 1 - stride, -stride - 1}
        )
        """Differences of index to the neighbours that a zero opens."""

    @property
    def mines(self) -> int:
        """The mines as a bitboard."""
        digits = self.mined.translate(_BINARY)[::-1].decode()
        return int(digits, 2)

    def put(self, index: int, *, mine: bool) -> None:
        """Set or remove a mine."""
        change = int(mine) - self.mined[index]
        if change:
            self.mined[index] = mine
            for near in self.terrain.neighbours[index]:
                self.clues[near] += change

    def open(self, index: int, shown: bytearray) -> list[tuple[int, int]]:
        """Open a safe cell, and all cells around zeros; update `shown`."""
        if shown[index]:
            return []
        clues, neighbours, spreads_to = self.clues, self.terrain.neighbours, self.spreads_to
        shown[index] = 1
        opened = [(index, clues[index])]
        for at, clue in opened:
            if clue:
                continue
            for near in neighbours[at]:
                if not shown[near] and near - at in spreads_to:
                    shown[near] = 1
                    opened.append((near, clues[near]))
        return opened

    def new_knowledge(self) -> Knowledge:
        """Return what a player knows before the first reveal: nothing."""
        return Knowledge(self.terrain.size, self.mine_count)


_BINARY = bytes.maketrans(b"\0\1", b"01")


_FEW_UNKNOWN = 60


class Proof:
    """One attempt to finish a board from its first reveal without a guess."""

    __slots__ = ("_components", "_counter", "_draft", "knowledge", "shown", "stuck")

    def __init__(self, draft: Draft, start: int, counter: Counter) -> None:
        self._draft = draft
        self._counter = counter
        self.knowledge = draft.new_knowledge()
        self._components = Components(self.knowledge)
        self.shown = bytearray(draft.terrain.length)
        self.stuck: list[Component] = []
        """The components in which nothing is certain, after a run that did not finish."""
        self._open([start])

    def run(self) -> bool:
        """Take all certain steps; return whether they finish the board."""
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
        self.knowledge.mark_safe([index for index in cells if status[index] == UNKNOWN])

    def _count_components(self) -> bool:
        """Look for cells that their own component makes certain under any mine count."""
        knowledge = self.knowledge
        self.stuck = self._components.refresh()
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
        assessment = assess(knowledge, self._components, self._counter)
        return mark_certain(knowledge, assessment)
