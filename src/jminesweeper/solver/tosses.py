"""Guesses that no later number can avoid: coin tosses, and closed-off parts of the board.

Two cells side by side with one mine between them can only be distinguished by a cell that touches
just one of them. If all of those are mines (or off the board) the player must toss a coin. The
same holds for a two by two square with mines on one diagonal, whose outer corners are mines.

Such a toss is lost half the time, now or later. So a reveal inside it, or of a cell that would have
to be a mine to close it, costs less than it seems: part of its risk would have to be taken later
anyway. `relief` is that part.

A region is a part whose cells touch no unknown cell beyond it. No reveal elsewhere says anything
about it, and no reveal in it about the rest: only the mine count connects them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jminesweeper.solver.assessment import ESTIMATED, UNSEEN, Assessment
from jminesweeper.solver.knowledge import MINE, UNKNOWN

MOST_MISSING = 3
_LEAST_CHANCE = 0.005
_LEAST_BOUND = 0.02

Place = tuple[int, int]


class Shape(NamedTuple):
    """A toss relative to its top-left cell, as columns and rows."""

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


class Tosses:
    """The coin tosses of one position, each computed once."""

    __slots__ = ("_assessment", "_known")

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment
        self._known: dict[tuple[int, int], float] = {}

    def relief(self, index: int) -> float:
        """Return the part of a cell's risk that would have to be taken later anyway."""
        row, column = divmod(index, self._assessment.knowledge.terrain.stride)
        pairs = 0.0
        for shape in _PAIRS:
            for across, down in (*shape.inner, *shape.outer):
                pairs += self._chance(column - across, row - down, shape)
        square = max(
            [self._chance(column - across, row - down, SQUARE) for across, down in SQUARE.inner]
        )
        chance = self._assessment.chance[index]
        return min(pairs + square, chance, 1 - chance)

    def _chance(self, column: int, row: int, shape: Shape) -> float:
        """Return the chance of a toss here with the mines on the first of its two sides."""
        terrain = self._assessment.knowledge.terrain
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
        assessment = self._assessment
        status, stride = assessment.knowledge.status, assessment.knowledge.terrain.stride
        mined = {(row + down) * stride + column + across for across, down in shape.mined}
        safe = {(row + down) * stride + column + across for across, down in shape.safe}
        if any(status[cell] != UNKNOWN for cell in mined | safe):
            return 0.0
        missing = 0
        for cell in self._on_board(column, row, shape.outer):
            if status[cell] == UNKNOWN:
                missing += 1
                if missing > MOST_MISSING or assessment.chance[cell] < _LEAST_BOUND:
                    return 0.0
                mined.add(cell)
            elif status[cell] != MINE:
                return 0.0
        return self._joint(mined, safe)

    def _on_board(self, column: int, row: int, places: tuple[Place, ...]) -> Iterator[int]:
        terrain = self._assessment.knowledge.terrain
        for across, down in places:
            if 0 <= column + across < terrain.size.columns and 0 <= row + down < terrain.size.rows:
                yield (row + down) * terrain.stride + column + across

    def _joint(self, mined: set[int], safe: set[int]) -> float:
        """Return the chance of all these together; components are taken as independent."""
        assessment = self._assessment
        by_owner: dict[int, tuple[set[int], set[int]]] = {}
        for side, cells in enumerate((mined, safe)):
            for cell in cells:
                by_owner.setdefault(assessment.owner[cell], (set(), set()))[side].add(cell)
        if ESTIMATED in by_owner:
            return 0.0
        unseen_mined, unseen_safe = by_owner.pop(UNSEEN, (set(), set()))
        density = assessment.unseen_chance
        chance = density ** len(unseen_mined) * (1 - density) ** len(unseen_safe)
        for owner, (mines, safes) in by_owner.items():
            if chance < _LEAST_CHANCE:
                return 0.0
            chance *= assessment.what_if(owner).joint(mines, safes)
        return float(chance)


MOST_CELLS = 40


class Region(NamedTuple):
    """Some components, and the unseen cells between them."""

    components: tuple[int, ...]
    """Their positions in the assessment."""
    has_unseen: bool
    cells: tuple[int, ...]


def find_regions(assessment: Assessment) -> list[Region]:
    """Find the small regions; each has a number, and is not the whole board."""
    everything = assessment.knowledge.unknown_left
    found: list[Region] = []
    done: set[int] = set()
    for position in range(len(assessment.counted)):
        if position not in done:
            region = _spread(assessment, position)
            if region is not None and len(region.cells) < everything:
                done.update(region.components)
                found.append(region)
    return found


def _spread(assessment: Assessment, position: int) -> Region | None:
    """Collect everything connected to a component; None if that is not a small region."""
    neighbours, status = assessment.knowledge.terrain.neighbours, assessment.knowledge.status
    owner = assessment.owner
    components = [position]
    unseen: set[int] = set()
    cells = assessment.counted[position][0].cells
    # The list grows during the loop.
    for cell in cells:
        if len(cells) > MOST_CELLS:
            return None
        for near in neighbours[cell]:
            if status[near] != UNKNOWN:
                continue
            whose = owner[near]
            if whose == ESTIMATED:
                return None
            if whose == UNSEEN:
                if near not in unseen:
                    unseen.add(near)
                    cells.append(near)
            elif whose not in components:
                components.append(whose)
                cells += assessment.counted[whose][0].cells
    return Region(tuple(sorted(components)), bool(unseen), tuple(cells))
