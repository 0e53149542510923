"""The chance of a mine in every covered cell, exact while the position can be counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from jminesweeper.core.grid import Cell, bits
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.assessment import Assessment
from jminesweeper.solver.counting import DEFAULT_STATE_LIMIT
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.knowledge import MINE, SAFE, UNKNOWN
from jminesweeper.solver.position import Position

_LEAST_IN_ESTIMATES = Fraction(1, 1_000)


class Analysis:
    """Everything that can be known about one position."""

    def __init__(self, view: PlayerView, assessment: Assessment) -> None:
        self._grid = view.grid
        self._assessment = assessment

    def __repr__(self) -> str:
        counted = "estimated" if self.layouts is None else f"{self.layouts} layouts"
        sure = f"{self.safe.bit_count()} safe, {self.mines.bit_count()} mines"
        return f"<Analysis {self._grid.size}, {counted}, {sure}>"

    @property
    def exact(self) -> bool:
        """Whether every figure is exact rather than an estimate, on a large board."""
        return self._assessment.exact

    @property
    def layouts(self) -> int | None:
        """How many layouts agree with the position; None when it was too large to count."""
        return self._assessment.balance.layouts if self.exact else None

    @cached_property
    def chances(self) -> Mapping[Cell, Fraction]:
        """The chance of a mine in each cell that is not visible, in reading order."""
        by_index = self._by_index()
        return {self._grid.cell(index): by_index[index] for index in sorted(by_index)}

    def chance(self, cell: Cell) -> Fraction:
        """Return the chance of a mine in one cell: 0 if it is visible."""
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
        index = self._grid.index
        return bits(index(cell) for cell, each in self.chances.items() if each == chance)

    def _by_index(self) -> dict[int, Fraction]:
        assessment = self._assessment
        status = assessment.knowledge.status
        by_index: dict[int, Fraction] = {}
        unseen = Fraction(assessment.balance.unseen_mined) / Fraction(assessment.balance.total)
        settled = {SAFE: Fraction(0), MINE: Fraction(1), UNKNOWN: self._unsettled(unseen)}
        for index in assessment.knowledge.terrain.cells:
            chance = settled.get(status[index])
            if chance is not None:
                by_index[index] = chance
        for (component, counts), weights in zip(
            assessment.counted, assessment.balance.weights, strict=True
        ):
            whole = _in_whole_numbers(weights)
            norm = _dot(counts.layouts, whole)
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                chance = Fraction(_dot(mined, whole), norm)
                if any(mined) and mined != counts.layouts:
                    chance = self._unsettled(chance)
                by_index.update(dict.fromkeys(box.cells, chance))
        for component, chances in assessment.estimated:
            for box, share in zip(component.boxes, chances, strict=True):
                by_index.update(dict.fromkeys(box.cells, Fraction(share)))
        return by_index

    def _unsettled(self, chance: Fraction) -> Fraction:
        """Keep a chance that is not exact away from 0 and 1, which mean certainty."""
        if self.exact:
            return chance
        return min(1 - _LEAST_IN_ESTIMATES, max(_LEAST_IN_ESTIMATES, chance))


def _in_whole_numbers(weights: Iterable[float]) -> list[int]:
    """Scale weights so that none has a fraction: a float is a whole number over a power of two."""
    ratios = [weight.as_integer_ratio() for weight in weights]
    scale = max(denominator for _, denominator in ratios)
    return [numerator * (scale // denominator) for numerator, denominator in ratios]


def _dot(counts: Iterable[int], weights: Iterable[int]) -> int:
    return sum([count * weight for count, weight in zip(counts, weights, strict=True)])


def analyse(
    view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT, deadline: Deadline = never
) -> Analysis:
    """Work out the chance of a mine in every covered cell of a running game.

    Raises `ImpossiblePositionError` when no layout agrees with the view, and `OutOfTimeError` when
    the deadline passes.
    """
    return Analysis(view, Position.of(view, state_limit).assess(deadline))
