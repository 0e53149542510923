"""Counting the layouts of one component by a sweep over its boxes.

A table maps what the open numbers still need to the weight of all ways to get there. Swept
forward it gives the weight of the ways to a state, backward of the ways from it; the product
of both around one box gives the box's mines. Weights are either polynomials over the number of
mines packed into one int (exact), or floats in which every mine counts for a fixed odds (fast).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Generic, TypeVar

from jminesweeper.solver.component import Component, Step
from jminesweeper.solver.errors import Deadline, ImpossiblePositionError, SolverError, check, never

W = TypeVar("W", int, float)
MAX_BOX = 8
NO_LIMIT = 1 << 60
_USUAL_WIDTH = 80


class TooManyStatesError(SolverError):
    """The sweep met more states than the caller allowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Factors(Generic[W]):
    """The weight of k mines in a box of n cells, and of those with one given cell mined."""

    ways: list[list[W]]
    ways_with: list[list[W]]


def _factors(powers: Sequence[W]) -> Factors[W]:
    """Weigh mines by what so many of them weigh where they have no choice of cells."""
    boxes = [range(size + 1) for size in range(MAX_BOX + 1)]
    ways = [[comb(box[-1], mines) * powers[mines] for mines in box] for box in boxes]
    ways_with = [
        [comb(box[-1] - 1, mines - 1) * powers[mines] if mines else 0 for mines in box]
        for box in boxes
    ]
    return Factors(ways, ways_with)


def packed_factors(width: int) -> Factors[int]:
    """Factors for polynomials with `width` bits per coefficient."""
    return _factors([1 << mines * width for mines in range(MAX_BOX + 1)])


def odds_factors(odds: float) -> Factors[float]:
    """Factors for floats in which a mine has these odds before any number is considered."""
    return _factors([odds**mines for mines in range(MAX_BOX + 1)])


def advance(states: dict[int, W], step: Step, factors: Factors[W]) -> dict[int, W]:
    """Return the table after a box, from the one before it.

    Two tests keep a state: no need below zero (its guard bit is still set), and none above what
    the later boxes can hold.
    """
    size, pattern, guards, capacity, shift = step
    after: dict[int, W] = {}
    get = after.get
    ways = factors.ways[size]
    for state, weight in states.items():
        less = state
        for way in ways:
            if (capacity - less) & guards == guards:
                to = less + shift
                after[to] = get(to, 0) + weight * way
            less -= pattern
            if less & guards != guards:
                break
    return after


def retreat(
    states: Iterable[int], step: Step, ahead: dict[int, W], factors: Factors[W]
) -> dict[int, W]:
    """Return the weight from each of these states to the end, given the same after the box."""
    size, pattern, guards, capacity, shift = step
    before: dict[int, W] = {}
    get = ahead.get
    ways = factors.ways[size]
    for state in states:
        weight: W = 0
        less = state
        for way in ways:
            if (capacity - less) & guards == guards:
                weight += get(less + shift, 0) * way
            less -= pattern
            if less & guards != guards:
                break
        if weight:
            before[state] = weight
    return before


def mined_weight(states: dict[int, W], step: Step, ahead: dict[int, W], factors: Factors[W]) -> W:
    """Return the weight of all layouts in which one given cell of the box is a mine."""
    size, pattern, guards, capacity, shift = step
    get = ahead.get
    total: W = 0
    ways = factors.ways_with[size]
    for state, weight in states.items():
        beyond: W = 0
        to = state
        for way in ways:
            if (capacity - to) & guards == guards and way:
                beyond += get(to + shift, 0) * way
            to -= pattern
            if to & guards != guards:
                break
        if beyond:
            total += weight * beyond
    return total


def sweep_forward(
    component: Component,
    factors: Factors[W],
    limit: int = NO_LIMIT,
    deadline: Deadline = never,
) -> list[dict[int, W]]:
    """Return the tables before each box and after the last; `limit` caps all their states."""
    table: dict[int, W] = {component.start: 1}
    tables = [table]
    for step in component.steps:
        check(deadline)
        table = advance(table, step, factors)
        if not table:
            raise ImpossiblePositionError("no layout agrees with these numbers")
        limit -= len(table)
        if limit < 0:
            raise TooManyStatesError("the position has too many open possibilities to count")
        tables.append(table)
    return tables


def sweep_backward(
    tables: Sequence[dict[int, W]],
    steps: Sequence[Step],
    factors: Factors[W],
    deadline: Deadline = never,
) -> list[dict[int, W]]:
    """Return, for each table of the forward sweep, the weights from its states to the end."""
    ahead: dict[int, W] = {0: 1}
    found = [ahead]
    for position in range(len(steps) - 1, -1, -1):
        check(deadline)
        ahead = retreat(tables[position], steps[position], ahead, factors)
        found.append(ahead)
    found.reverse()
    return found


def unpack(polynomial: int, width: int) -> list[int]:
    """Return the coefficients of a packed polynomial, lowest first."""
    mask = (1 << width) - 1
    coefficients = []
    while polynomial:
        coefficients.append(polynomial & mask)
        polynomial >>= width
    return coefficients


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The exact number of layouts of one component, by the number of its mines."""

    fewest: int
    """The least number of mines any layout has; the tuples begin there."""
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]
    """Per box: the layouts in which one given cell of it is a mine."""
    cost: int
    """What counting costs of the budget of a position."""


def count_layouts(component: Component, budget: int, deadline: Deadline = never) -> Counts:
    """Sweep forward and backward, and join the two at every box."""
    # No coefficient exceeds two to the number of cells, so none can spill into the next.
    width = len(component.cells) + 1
    factors = packed_factors(width)
    # Wide coefficients make every operation more costly.
    price = max(width, _USUAL_WIDTH) ** 2
    steps = component.steps
    limit = budget * _USUAL_WIDTH**2 // price
    tables = sweep_forward(component, factors, limit, deadline)
    cost = sum([len(table) for table in tables[1:]]) * price // _USUAL_WIDTH**2
    ahead = sweep_backward(tables, steps, factors, deadline)
    layouts = unpack(ahead[0][component.start], width)
    fewest = next(mines for mines, ways in enumerate(layouts) if ways)
    most = len(layouts)
    mined = []
    for position, step in enumerate(steps):
        weight = mined_weight(tables[position], step, ahead[position + 1], factors)
        by_mines = unpack(weight >> fewest * width, width)
        by_mines.extend([0] * (most - fewest - len(by_mines)))
        mined.append(tuple(by_mines))
    return Counts(fewest, tuple(layouts[fewest:]), tuple(mined), cost)
