"""The fall-back for components with too many open possibilities: the heaviest ones only.

The sweep runs on floats, every mine counting for the odds of the rest of the board, and keeps at
most a fixed number of states after each box: those with the most weight. What comes out are
estimates and is called that; nothing here is ever taken for certain.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter

from jminesweeper.solver.component import Component
from jminesweeper.solver.sweep import advance, mined_weight, odds_factors, retreat

KEPT_STATES = 600
_CLOSEST = 1e-3
_MANY_STEPS = 500


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """About how likely each box's cells are mines, and about how many mines there are."""

    mined: tuple[float, ...]
    mines: float


def estimate(component: Component, odds: float, kept_states: int = KEPT_STATES) -> Estimate:
    """Sweep with the heaviest states only."""
    steps = component.steps
    kept = max(1, kept_states * _MANY_STEPS // max(_MANY_STEPS, len(steps)))
    factors = odds_factors(odds)
    table = {component.start: 1.0}
    tables = [table]
    for step in steps:
        table = _heaviest(advance(table, step, factors), kept)
        tables.append(table)
    if not table:
        return _by_density(component, odds)
    ahead = {component.end: 1.0}
    mined = []
    for position in range(len(steps) - 1, -1, -1):
        before = retreat(tables[position], steps[position], ahead, factors)
        total = sum(tables[position][state] * beyond for state, beyond in before.items())
        share = mined_weight(tables[position], steps[position], ahead, factors) / total
        mined.append(min(1 - _CLOSEST, max(_CLOSEST, share)))
        ahead = _normalised(before)
    mined.reverse()
    return _estimate(component, mined)


def _by_density(component: Component, odds: float) -> Estimate:
    """When even the kept states ran dry: the density of the rest of the board."""
    return _estimate(component, [odds / (1 + odds)] * len(component.boxes))


def _estimate(component: Component, mined: list[float]) -> Estimate:
    mines = sum(share * len(box.cells) for share, box in zip(mined, component.boxes, strict=True))
    return Estimate(tuple(mined), mines)


def _heaviest(table: dict[int, float], kept: int) -> dict[int, float]:
    if len(table) > kept:
        table = dict(nlargest(kept, table.items(), key=itemgetter(1)))
    return _normalised(table)


def _normalised(table: dict[int, float]) -> dict[int, float]:
    highest = max(table.values(), default=1.0)
    return {state: weight / highest for state, weight in table.items()}
