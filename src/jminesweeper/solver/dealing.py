"""The dealer's side: boards to play on and to prove, opened at speed.

A `Board` knows the mines, opens cells and hands out clues, without the engine's bookkeeping. A
player of it sees clues only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from jminesweeper.core.grid import Cell, Grid, Size, bits, indices
from jminesweeper.core.rules import PRESETS, FirstReveal, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.solver.knowledge import neighbour_table

_CROWDED = 0.18
"""Between Intermediate, where (2,2) wins more than (3,3), and Expert, where it wins less."""


class Board:
    """The mines and numbers of one board by index; its mines may still move."""

    def __init__(self, size: Size, mines: int, spread: Spread = Spread.EIGHT) -> None:
        self.grid = Grid.of(size)
        self.neighbours = neighbour_table(self.grid)
        self.mine_count = mines.bit_count()
        self.mined = bytearray(len(self.neighbours))
        self.clues = [0] * len(self.neighbours)
        for index in indices(mines):
            self.put(index, mine=True)
        stride = self.grid.stride
        beside = {1, -1, stride, -stride}
        across = {stride + 1, stride - 1, 1 - stride, -stride - 1}
        self._spreads_to = beside if spread is Spread.FOUR else beside | across
        """Differences of index to the neighbours that a zero opens."""
        self.cover()

    @property
    def mines(self) -> int:
        return bits(index for index, mined in enumerate(self.mined) if mined)

    def put(self, index: int, *, mine: bool) -> None:
        change = int(mine) - self.mined[index]
        if change:
            self.mined[index] = mine
            for near in self.neighbours[index]:
                self.clues[near] += change

    def cover(self) -> None:
        self.shown = bytearray(len(self.neighbours))
        self.left = self.grid.size.cells - self.mine_count
        """Safe cells still covered; at 0 the game is won."""

    def open(self, cells: Iterable[int]) -> list[tuple[int, int]] | None:
        """Open cells and what zeros open; return the new ones with their clues, None at a mine."""
        clues, shown, neighbours = self.clues, self.shown, self.neighbours
        opened: list[tuple[int, int]] = []
        for index in cells:
            if self.mined[index]:
                return None
            if not shown[index]:
                shown[index] = 1
                opened.append((index, clues[index]))
        for at, clue in opened:
            if clue:
                continue
            for near in neighbours[at]:
                if not shown[near] and near - at in self._spreads_to:
                    shown[near] = 1
                    opened.append((near, clues[near]))
        self.left -= len(opened)
        return opened


@dataclass(frozen=True, slots=True)
class Contest:
    """Which boards are played, and how each game begins."""

    size: Size
    mine_count: int
    first: Cell
    protection: FirstReveal


class Opening(Enum):
    """The two customary kinds of first click: any safe cell, or one without mines around it."""

    SAFE_CORNER = "S"
    ZERO_INSIDE = "Z"

    def contest(self, size: Size, mine_count: int) -> Contest:
        """Choose the first cell that wins most."""
        if self is Opening.SAFE_CORNER:
            return Contest(size, mine_count, Cell(0, 0), FirstReveal.SAFE)
        # On crowded boards a cell further from the corner wins more: it opens a larger part.
        inset = 3 if mine_count > _CROWDED * size.cells else 2
        first = Cell(min(inset, size.columns - 1), min(inset, size.rows - 1))
        return Contest(size, mine_count, first, FirstReveal.ZERO)


def deal(contest: Contest, seed: int) -> Board:
    """Return the board of a seed: the same for every player that is compared."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection)
    setup = Setup.of(contest.size, contest.mine_count, rules, seed=seed)
    return Board(contest.size, setup.minefield(contest.first).mines)
