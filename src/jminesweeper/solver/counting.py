"""How many layouts each component of a position has.

The cost of counting is measured in states; those of wide polynomials cost more. A position has one
budget for all its components, so every board has an answer in bounded time.

What exceeds the budget is estimated: the sweep runs on floats, each mine weighs the odds of the
rest of the board, and only the heaviest states are kept. No estimate ever counts as certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter

from jminesweeper.solver.component import Box, Component, compile_component, line_up
from jminesweeper.solver.errors import Deadline, check, never
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.sweep import (
    Counts,
    TooManyStatesError,
    advance,
    count_layouts,
    mined_weight,
    odds_factors,
    retreat,
)

DEFAULT_STATE_LIMIT = 300_000
KEPT_STATES = 600
_CLOSEST = 1e-3
_MANY_STEPS = 500
"""Beyond this many boxes fewer states are kept, so that the work does not grow."""


def gather(knowledge: Knowledge, seed: int) -> tuple[list[int], dict[tuple[int, ...], list[int]]]:
    """Return the numbers that depend on one number, and the boxes between them."""
    status, room, neighbours = knowledge.status, knowledge.room, knowledge.terrain.neighbours
    numbers = [seed]
    met = {seed}
    seen: set[int] = set()
    boxes: dict[tuple[int, ...], list[int]] = {}
    for number in numbers:
        for cell in neighbours[number]:
            if status[cell] != UNKNOWN or cell in seen:
                continue
            seen.add(cell)
            # Only shown numbers have room, and this cell gives it to all that see it.
            viewers = tuple([near for near in neighbours[cell] if room[near]])
            known = boxes.get(viewers)
            if known is not None:
                known.append(cell)
                continue
            boxes[viewers] = [cell]
            for near in viewers:
                if near not in met:
                    met.add(near)
                    numbers.append(near)
    return numbers, boxes


def build(knowledge: Knowledge, seed: int) -> Component:
    """Return the component of one number, ready to be swept."""
    numbers, boxes = gather(knowledge, seed)
    ordered = line_up(numbers, list(boxes))
    need = knowledge.need
    return compile_component([Box(tuple(boxes[key]), key) for key in ordered], need)


def count_within_budget(
    components: Sequence[Component], budget: int, deadline: Deadline
) -> dict[Component, Counts]:
    """Count as many components as one budget allows, the smallest first."""
    counts = {}
    for component in sorted(components, key=lambda each: len(each.steps)):
        try:
            counts[component] = count_layouts(component, budget, deadline)
        except TooManyStatesError:
            # The following ones are no smaller.
            break
        budget -= counts[component].cost
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Roughly how likely the cells of each box are mines, and how many mines there are."""

    mined: tuple[float, ...]
    mines: float


def affordable_states(components: Sequence[Component]) -> int:
    """Return how many states to keep after each box of all these components."""
    steps = sum([len(component.steps) for component in components])
    return max(1, KEPT_STATES * _MANY_STEPS // max(_MANY_STEPS, steps))


def estimate(
    component: Component, odds: float, kept: int = KEPT_STATES, deadline: Deadline = never
) -> Estimate:
    """Sweep with only so many states, the heaviest ones."""
    steps = component.steps
    factors = odds_factors(odds)
    table = {component.start: 1.0}
    tables = [table]
    for step in steps:
        check(deadline)
        table = _heaviest(advance(table, step, factors), kept)
        tables.append(table)
    if not table:
        return _by_density(component, odds)
    ahead = {component.end: 1.0}
    mined = []
    for position in range(len(steps) - 1, -1, -1):
        check(deadline)
        before = retreat(tables[position], steps[position], ahead, factors)
        total = sum(tables[position][state] * beyond for state, beyond in before.items())
        share = mined_weight(tables[position], steps[position], ahead, factors) / total
        mined.append(min(1 - _CLOSEST, max(_CLOSEST, share)))
        ahead = _normalised(before)
    mined.reverse()
    return _estimate(component, mined)


def _by_density(component: Component, odds: float) -> Estimate:
    """Fall back to the density of the rest of the board, when no kept state leads to the end."""
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
