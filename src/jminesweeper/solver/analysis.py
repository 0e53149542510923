"""The chance of a mine in every covered cell, exact while the position can be counted.

This is the solver's ground: strategy, hints and reviews ask it and nothing else. It sees what a
player sees, and it ignores flags, since those may be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from jminesweeper.core import Cell, PlayerView
from jminesweeper.solver.balance import Balance, join
from jminesweeper.solver.component import Component
from jminesweeper.solver.counting import Counter, Counts
from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.estimate import estimate
from jminesweeper.solver.frontier import Frontier
from jminesweeper.solver.knowledge import MINE, SAFE, UNKNOWN, Knowledge
from jminesweeper.solver.sweep import TooManyStatesError

_LEAST_IN_FLOATS = Fraction(1, 10**12)
_LEAST_IN_ESTIMATES = Fraction(1, 1_000)


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """A position taken apart and weighed: what one round of counting knows."""

    counted: tuple[tuple[Component, Counts], ...]
    estimated: tuple[tuple[Component, tuple[float, ...]], ...]
    balance: Balance
    unseen: int
    """How many unknown cells no shown number sees."""
    mines: int
    """Mines not yet known, less those expected in estimated components."""

    @property
    def exact(self) -> bool:
        return self.balance.exact and not self.estimated

    def box_chances(self, position: int) -> list[float]:
        """Per box of a counted component, the chance that a given cell of it is a mine."""
        _, counts = self.counted[position]
        weights = self.balance.weights[position]
        if self.balance.exact:
            total = self.balance.total
            return [_dot(mined, weights) / total for mined in counts.mined]
        layouts = sum(counts.layouts)
        norm = sum(
            [ways / layouts * each for ways, each in zip(counts.layouts, weights, strict=True)]
        )
        return [
            sum([ways / layouts * each for ways, each in zip(mined, weights, strict=True)]) / norm
            for mined in counts.mined
        ]

    def certain(self) -> tuple[list[int], list[int]]:
        """Return the cells of counted components that are safe, and mines, in every layout.

        Decided on integers: a float that reads 1 may stand for a little less. Where the mine
        count was weighed in floats, or some of it estimated, only the clues make things certain.
        """
        safe: list[int] = []
        mines: list[int] = []
        for (component, counts), weights in zip(self.counted, self.balance.weights, strict=True):
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                if not any(mined) or (self.exact and not _dot(mined, weights)):
                    safe.extend(box.cells)
                elif mined == counts.layouts or (
                    self.exact and _dot(mined, weights) == self.balance.total
                ):
                    mines.extend(box.cells)
        return safe, mines

    @property
    def unseen_is_safe(self) -> bool:
        """Whether the mine count leaves no mine for the unseen cells in any layout."""
        return self.exact and self.unseen > 0 and not self.balance.unseen_mined

    @property
    def unseen_chance(self) -> float:
        return self.balance.unseen_mined / self.balance.total


def _dot(counts: tuple[int, ...], weights: tuple[float, ...]) -> float:
    return sum([count * each for count, each in zip(counts, weights, strict=True) if count])


def assess(knowledge: Knowledge, frontier: Frontier, counter: Counter) -> Assessment:
    """Count every component and weigh them together."""
    counted: list[tuple[Component, Counts]] = []
    estimated = []
    mines = knowledge.mines_left
    unseen = knowledge.unknown_left
    density = min(0.9, max(0.05, mines / max(1, unseen)))
    for component in frontier.refresh():
        unseen -= component.cell_count
        try:
            counted.append((component, counter.count(component)))
        except TooManyStatesError:
            guess = estimate(component, density / (1 - density))
            estimated.append((component, guess.mined))
            mines -= round(guess.mines)
    if estimated:
        # An estimated number of mines must not make the rest impossible.
        least = sum(counts.fewest for _, counts in counted)
        mines = max(least, min(mines, least + unseen))
    balance = join([counts for _, counts in counted], unseen, mines)
    return Assessment(tuple(counted), tuple(estimated), balance, unseen, mines)


def unseen_cells(knowledge: Knowledge, assessment: Assessment) -> list[int]:
    """Return the unknown cells that no shown number sees."""
    status = knowledge.status
    seen = {
        cell
        for component, _ in (*assessment.counted, *assessment.estimated)
        for cell in component.cells
    }
    return [
        index for index in knowledge.terrain.cells if status[index] == UNKNOWN and index not in seen
    ]


class Analysis:
    """Everything that can be known about one position."""

    def __init__(self, view: PlayerView, knowledge: Knowledge, assessment: Assessment) -> None:
        self._grid = view.grid
        self._knowledge = knowledge
        self._assessment = assessment

    @property
    def exact(self) -> bool:
        """Whether every figure is exact; if not, those of too large components are estimates."""
        return not self._assessment.estimated

    @property
    def layouts(self) -> int | None:
        """How many layouts agree with the position; unknown when it was too large to count."""
        assessment = self._assessment
        return int(assessment.balance.total) if assessment.exact else None

    @cached_property
    def chances(self) -> Mapping[Cell, Fraction]:
        """The chance of a mine in each cell that is not visible, in reading order."""
        by_index = self._by_index()
        return {self._grid.cell(index): by_index[index] for index in sorted(by_index)}

    def chance(self, cell: Cell) -> Fraction:
        """Return the chance of a mine in one cell: 0 in a visible one."""
        self._grid.index(cell)
        return self.chances.get(cell, Fraction(0))

    @cached_property
    def safe(self) -> int:
        """The covered cells that hold no mine in any layout."""
        return self._certain(Fraction(0))

    @cached_property
    def mines(self) -> int:
        """The covered cells that hold a mine in every layout."""
        return self._certain(Fraction(1))

    def _certain(self, chance: Fraction) -> int:
        return sum(self._grid.bit(cell) for cell, each in self.chances.items() if each == chance)

    def _by_index(self) -> dict[int, Fraction]:
        assessment, status = self._assessment, self._knowledge.status
        by_index: dict[int, Fraction] = {}
        unseen = Fraction(assessment.balance.unseen_mined) / Fraction(assessment.balance.total)
        settled = {SAFE: Fraction(0), MINE: Fraction(1), UNKNOWN: self._unsettled(unseen)}
        for index in self._knowledge.terrain.cells:
            chance = settled.get(status[index])
            if chance is not None:
                by_index[index] = chance
        for (component, counts), weights in zip(
            assessment.counted, assessment.balance.weights, strict=True
        ):
            norm = _exact_dot(counts.layouts, weights)
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                chance = _exact_dot(mined, weights) / norm
                if any(mined) and mined != counts.layouts:
                    chance = self._unsettled(chance)
                by_index.update(dict.fromkeys(box.cells, chance))
        for component, chances in assessment.estimated:
            for box, share in zip(component.boxes, chances, strict=True):
                by_index.update(dict.fromkeys(box.cells, Fraction(share)))
        return by_index

    def _unsettled(self, chance: Fraction) -> Fraction:
        """Keep a chance that is not exact off 0 and 1, which stand for certainty."""
        if self._assessment.exact:
            return chance
        least = _LEAST_IN_FLOATS if self.exact else _LEAST_IN_ESTIMATES
        return min(1 - least, max(least, chance))


def _exact_dot(counts: tuple[int, ...], weights: tuple[float, ...]) -> Fraction:
    return sum(
        (count * Fraction(weight) for count, weight in zip(counts, weights, strict=True)),
        Fraction(0),
    )


def analyse(view: PlayerView, counter: Counter | None = None) -> Analysis:
    """Work out the chance of a mine in every covered cell of a running game.

    Raises `ImpossiblePositionError` when no layout agrees with the view.
    """
    knowledge = Knowledge.of(view)
    knowledge.deduce_all()
    if knowledge.mines_left < 0:
        raise ImpossiblePositionError("the clues need more mines than there are")
    assessment = assess(knowledge, Frontier(knowledge), counter or Counter())
    return Analysis(view, knowledge, assessment)


def is_possible(view: PlayerView) -> bool:
    """Say whether any layout agrees with the view."""
    try:
        analyse(view)
    except ImpossiblePositionError:
        return False
    return True
