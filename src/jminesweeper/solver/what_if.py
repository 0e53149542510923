"""What a reveal may show: the chance of each number, and the chances of the other cells after it.

A component is swept once with a counter beside the packed needs, which adds up the mines around
the candidate. Only the boxes between the candidate's first and last neighbour are swept again:
what comes before and after them is taken from the tables of the position itself. Every mine
outside the component weighs the odds that the mine count gives it, which is exact enough to rank
moves, and never used to call a cell safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, log
from typing import NamedTuple

from jminesweeper.solver.component import Component, Step
from jminesweeper.solver.errors import Deadline, check, never
from jminesweeper.solver.sweep import (
    NO_LIMIT,
    Factors,
    advance,
    mined_weight,
    odds_factors,
    retreat,
    sweep_backward,
    sweep_forward,
)


class Possibility(NamedTuple):
    """One possible number of mines around a candidate within one component."""

    mines: int
    share: float
    """Its chance together with the candidate being safe."""
    near: list[tuple[tuple[int, ...], float]]
    """The boxes around the candidate, as they are split by it, with their chances of a mine."""
    ahead: dict[int, float]
    beyond: dict[int, float]


class WhatIf:
    """One component under fixed odds, with the tables that all what-ifs of a move share."""

    def __init__(self, component: Component, odds: float, deadline: Deadline = never) -> None:
        self.component = component
        self.deadline = deadline
        self.factors: Factors[float] = odds_factors(odds)
        steps = component.steps
        self.tables = sweep_forward(component.start, steps, self.factors, NO_LIMIT, deadline)
        last = {component.end: 1.0}
        self.behind = sweep_backward(self.tables, steps, last, self.factors, deadline)
        self.total = self.behind[0][component.start]
        self.top = component.fields * 5
        self.position_of = {
            cell: position for position, box in enumerate(component.boxes) for cell in box.cells
        }

    def possibilities(self, candidate: int, around: set[int]) -> tuple[int, int, list[Possibility]]:
        """Return the span of boxes that revealing a candidate touches, and what it may show."""
        position_of, factors = self.position_of, self.factors
        touched = [position_of[cell] for cell in around if cell in position_of]
        if candidate in position_of:
            touched.append(position_of[candidate])
        first, last = min(touched), max(touched)
        table = self.tables[first]
        run: list[tuple[Step, dict[int, float], tuple[int, ...]]] = []
        for position in range(first, last + 1):
            check(self.deadline)
            for step, cells in self._split(position, candidate, around):
                run.append((step, table, cells))
                table = advance(table, step, factors)
        below = (1 << self.top) - 1
        ends: dict[int, dict[int, float]] = {}
        beyond = self.behind[last + 1]
        for state, weight in table.items():
            if state & below in beyond:
                ends.setdefault(state >> self.top, {})[state] = weight
        found = []
        for mines in sorted(ends):
            check(self.deadline)
            end = ends[mines]
            ahead = {state: beyond[state & below] for state in end}
            share = sum([weight * ahead[state] for state, weight in end.items()])
            near = []
            for step, before, cells in reversed(run):
                if step.size:
                    mined = mined_weight(before, step, ahead, factors) / share
                    near.append((cells, mined))
                ahead = retreat(before, step, ahead, factors)
            tail = {state & below: weight for state, weight in end.items()}
            found.append(Possibility(mines, share / self.total, near, ahead, tail))
        return first, last, found

    def _split(
        self, position: int, candidate: int, around: set[int]
    ) -> list[tuple[Step, tuple[int, ...]]]:
        """Split a box into its cells around the candidate and its others, without the candidate."""
        step = self.component.steps[position]
        cells = self.component.boxes[position].cells
        near = tuple([cell for cell in cells if cell in around])
        if not near:
            if candidate not in cells:
                return [(step, cells)]
            rest = tuple([cell for cell in cells if cell != candidate])
            return [(step._replace(size=len(rest)), rest)]
        far = tuple([cell for cell in cells if cell not in around and cell != candidate])
        _, pattern, guards, capacity, shift = step
        counting = pattern - (1 << self.top)
        if not far:
            return [(Step(len(near), counting, guards, capacity, shift), near)]
        return [
            (Step(len(near), counting, guards, capacity + len(far) * pattern, 0), near),
            (Step(len(far), pattern, guards, capacity, shift), far),
        ]

    def elsewhere(
        self, first: int, last: int, possibility: Possibility
    ) -> list[tuple[tuple[int, ...], float]]:
        """Return the chances of the boxes outside the span, given what the candidate shows."""
        steps, factors = self.component.steps, self.factors
        boxes = self.component.boxes
        share = possibility.share * self.total
        found = []
        ahead = possibility.ahead
        for position in range(first - 1, -1, -1):
            check(self.deadline)
            table = self.tables[position]
            found.append(
                (
                    boxes[position].cells,
                    mined_weight(table, steps[position], ahead, factors) / share,
                )
            )
            ahead = retreat(table, steps[position], ahead, factors)
        table = possibility.beyond
        for position in range(last + 1, len(steps)):
            check(self.deadline)
            mined = mined_weight(table, steps[position], self.behind[position + 1], factors)
            found.append((boxes[position].cells, mined / share))
            table = advance(table, steps[position], factors)
        return found


def local_odds(layouts: Sequence[int], weights: Sequence[float]) -> float:
    """Return the odds per mine that follow a component's weights best around its likely counts."""
    points = [
        (mines, log(weight), weight * ways)
        for mines, (ways, weight) in enumerate(zip(layouts, weights, strict=True))
        if ways and weight
    ]
    total = sum([mass for _, _, mass in points])
    shares = [(mines, height, mass / total) for mines, height, mass in points]
    mean = sum([mines * share for mines, _, share in shares])
    middle = sum([height * share for _, height, share in shares])
    spread = sum([share * (mines - mean) ** 2 for mines, _, share in shares])
    if spread < 1e-12:
        return 1.0
    slope = sum([share * (mines - mean) * (height - middle) for mines, height, share in shares])
    return float(2.718281828459045 ** max(-12.0, min(12.0, slope / spread)))


def unseen_shares(unseen: int, chance: float) -> list[float]:
    """Return the chance of each number of mines among some unseen cells."""
    return [
        comb(unseen, mines) * chance**mines * (1 - chance) ** (unseen - mines)
        for mines in range(unseen + 1)
    ]
