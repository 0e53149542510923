"""The chance of a mine in every covered cell, exact while the position can be counted."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from jminesweeper.core.grid import Cell, bits
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.knowledge import MINE, SAFE
from jminesweeper.solver.position import DEFAULT_STATE_LIMIT, Assessment, Position, dot, uncertain


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
        return int(self._assessment.balance.total) if self.exact else None

    @cached_property
    def chances(self) -> Mapping[Cell, Fraction]:
        """The chance of a mine in each cell that is not visible, in reading order."""
        return {self._grid.cell(index): chance for index, chance in sorted(self.by_index.items())}

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

    @cached_property
    def by_index(self) -> Mapping[int, Fraction]:
        """The same by the numbers of the cells, in no order."""
        status = self._assessment.knowledge.status
        settled = {SAFE: Fraction(0), MINE: Fraction(1)}
        chances = {index: settled[each] for index, each in enumerate(status) if each in settled}
        return chances | self._unknown()

    def _unknown(self) -> dict[int, Fraction]:
        """Return the chances of the cells that one or two numbers do not settle."""
        assessment, balance = self._assessment, self._assessment.balance
        if not assessment.exact:
            # Only what the clues alone make certain is, although the rest is estimated.
            estimates = assessment.chance.items()
            chances = {cell: Fraction(uncertain(chance)) for cell, chance in estimates}
            safe, mines = assessment.certain()
            return chances | dict.fromkeys(safe, Fraction(0)) | dict.fromkeys(mines, Fraction(1))
        total = Fraction(balance.total)
        chances = dict.fromkeys(assessment.unseen, Fraction(balance.unseen_mined) / total)
        for (component, counts), weights in zip(assessment.counted, balance.weights, strict=True):
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                chances |= dict.fromkeys(box.cells, Fraction(dot(mined, weights)) / total)
        return chances


def analyse(
    view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT, deadline: Deadline = never
) -> Analysis:
    """Work out the chance of a mine in every covered cell of a running game.

    Raises `ImpossiblePositionError` when no layout agrees with the view, and `OutOfTimeError` when
    the deadline passes.
    """
    return Analysis(view, Position.of(view, state_limit).assess(deadline))
