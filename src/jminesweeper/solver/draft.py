"""A board in the making: its mines can still be moved, and its clues follow.

It belongs to the generator, which knows the truth as a dealer does. What is proved about it is
proved by a `Knowledge` that is only handed clues of opened cells, as a player's is.
"""

from __future__ import annotations

from jminesweeper.core import Size, Spread
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.terrain import Terrain, indices


class Draft:
    """Mines and clues of one board by index, open to changes."""

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
        """Set or take away a mine."""
        change = int(mine) - self.mined[index]
        if change:
            self.mined[index] = mine
            for near in self.terrain.neighbours[index]:
                self.clues[near] += change

    def open(self, index: int, shown: bytearray) -> list[tuple[int, int]]:
        """Open a safe cell, and from zeros on; `shown` is kept up to date."""
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
        """Return an empty mind, to prove from the first reveal on."""
        return Knowledge(self.terrain.size, self.mine_count)


_BINARY = bytes.maketrans(b"\0\1", b"01")
