"""Fifty-fifties: pairs and squares of cells that no later number may ever tell apart.

Two cells side by side with one mine between them can only be told apart by a cell that touches
just one of them. If all of those are mines (or off the board) the player must toss a coin. The
same holds for a two by two square with mines on one diagonal, whose outer corners are mines.

Such a coin is lost half of the times it comes up, whenever it is tossed. So a reveal inside the
trap, or of a cell that would have to be a mine to close it, costs less than it seems: that part
of its risk would have to be paid later anyway. `relief` is that part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jminesweeper.solver.knowledge import MINE, UNKNOWN
from jminesweeper.solver.risks import ESTIMATED, UNSEEN, Risks

MOST_MISSING = 3
_LEAST_CHANCE = 0.005
_LEAST_BOUND = 0.02

Place = tuple[int, int]


class Shape(NamedTuple):
    """A trap relative to its top-left cell, as columns and rows."""

    mined: tuple[Place, ...]
    safe: tuple[Place, ...]
    outer: tuple[Place, ...]

    @property
    def inner(self) -> tuple[Place, ...]:
        return self.mined + self.safe


LYING = Shape(((0, 0),), ((1, 0),), ((-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)))
STANDING = Shape(((0, 0),), ((0, 1),), ((-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)))
SQUARE = Shape(((0, 0), (1, 1)), ((1, 0), (0, 1)), ((-1, -1), (2, -1), (-1, 2), (2, 2)))
_PAIRS = (LYING, STANDING)


class Traps:
    """The fifty-fifties of one position, each worked out once."""

    __slots__ = ("_known", "_risks")

    def __init__(self, risks: Risks) -> None:
        self._risks = risks
        self._known: dict[tuple[int, int], float] = {}

    def relief(self, index: int) -> float:
        """Return the part of a cell's risk that would be paid later anyway."""
        row, column = divmod(index, self._risks.knowledge.terrain.stride)
        pairs = 0.0
        for shape in _PAIRS:
            for across, down in (*shape.inner, *shape.outer):
                pairs += self._chance(column - across, row - down, shape)
        square = max(
            [self._chance(column - across, row - down, SQUARE) for across, down in SQUARE.inner]
        )
        chance = self._risks.chance[index]
        return min(pairs + square, chance, 1 - chance)

    def _chance(self, column: int, row: int, shape: Shape) -> float:
        """Return the chance that the trap closes with its mines on the first of its two sides."""
        terrain = self._risks.knowledge.terrain
        far_column, far_row = shape.mined[-1]
        if len(shape.mined) == 1:
            far_column, far_row = shape.safe[0]
        size = terrain.size
        if column < 0 or row < 0:
            return 0.0
        if column + far_column >= size.columns or row + far_row >= size.rows:
            return 0.0
        corner = row * terrain.stride + column
        # A shape is a constant of this module, so its identity is a name for it.
        known = self._known.get((corner, id(shape)))
        if known is None:
            known = self._known[corner, id(shape)] = self._work_out(column, row, shape)
        return known

    def _work_out(self, column: int, row: int, shape: Shape) -> float:
        risks = self._risks
        status, stride = risks.knowledge.status, risks.knowledge.terrain.stride
        mined = {(row + down) * stride + column + across for across, down in shape.mined}
        safe = {(row + down) * stride + column + across for across, down in shape.safe}
        if any(status[cell] != UNKNOWN for cell in mined | safe):
            return 0.0
        missing = 0
        for cell in self._on_board(column, row, shape.outer):
            if status[cell] == UNKNOWN:
                missing += 1
                if missing > MOST_MISSING or risks.chance[cell] < _LEAST_BOUND:
                    return 0.0
                mined.add(cell)
            elif status[cell] != MINE:
                return 0.0
        return self._joint(mined, safe)

    def _on_board(self, column: int, row: int, places: tuple[Place, ...]) -> Iterator[int]:
        terrain = self._risks.knowledge.terrain
        for across, down in places:
            if 0 <= column + across < terrain.size.columns and 0 <= row + down < terrain.size.rows:
                yield (row + down) * terrain.stride + column + across

    def _joint(self, mined: set[int], safe: set[int]) -> float:
        """Return the chance of all these together; components are taken as independent."""
        risks = self._risks
        by_owner: dict[int, tuple[set[int], set[int]]] = {}
        for side, cells in enumerate((mined, safe)):
            for cell in cells:
                by_owner.setdefault(risks.owner[cell], (set(), set()))[side].add(cell)
        if ESTIMATED in by_owner:
            return 0.0
        unseen_mined, unseen_safe = by_owner.pop(UNSEEN, (set(), set()))
        density = risks.unseen_chance
        chance = density ** len(unseen_mined) * (1 - density) ** len(unseen_safe)
        for owner, (mines, safes) in by_owner.items():
            if chance < _LEAST_CHANCE:
                return 0.0
            chance *= risks.landscape(owner).joint(mines, safes)
        return float(chance)
