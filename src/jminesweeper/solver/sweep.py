"""Counting the layouts of one component by sweeping over its boxes.

A table maps what the open numbers still need to the weight of all ways to get there. Swept
forward it says how much leads to a state, swept backward how much leads on from it; the product
of both around one box gives the box's mines. Weights are either polynomials over the number of
mines packed into one int (exact), or floats in which every mine counts for a fixed odds (fast).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Generic, TypeVar

from jminesweeper.solver.component import Step
from jminesweeper.solver.errors import ImpossiblePositionError, SolverError

W = TypeVar("W", int, float)
MAX_BOX = 8


class TooManyStatesError(SolverError):
    """The sweep met more states than the caller allowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Factors(Generic[W]):
    """The weight of k mines in a box of n cells, and of those with one given cell mined."""

    zero: W
    one: W
    ways: tuple[tuple[W, ...], ...]
    ways_with: tuple[tuple[W, ...], ...]


@lru_cache(maxsize=512)
def packed_factors(width: int) -> Factors[int]:
    """Factors for polynomials with `width` bits per coefficient."""
    return Factors(
        0,
        1,
        tuple(
            tuple(comb(size, mines) << mines * width for mines in range(size + 1))
            for size in range(MAX_BOX + 1)
        ),
        tuple(
            tuple(
                comb(size - 1, mines - 1) << mines * width if mines else 0
                for mines in range(size + 1)
            )
            for size in range(MAX_BOX + 1)
        ),
    )


@lru_cache(maxsize=256)
def odds_factors(odds: float) -> Factors[float]:
    """Factors for floats in which a mine has these odds before any number is looked at."""
    return Factors(
        0.0,
        1.0,
        tuple(
            tuple(comb(size, mines) * odds**mines for mines in range(size + 1))
            for size in range(MAX_BOX + 1)
        ),
        tuple(
            tuple(
                comb(size - 1, mines - 1) * odds**mines if mines else 0.0
                for mines in range(size + 1)
            )
            for size in range(MAX_BOX + 1)
        ),
    )


def advance(states: dict[int, W], step: Step, factors: Factors[W]) -> dict[int, W]:
    """Return the table after a box, from the one before it.

    Two tests keep a state: no need below zero (its guard bit is still set), and none above what
    the later boxes can hold. For one cell each choice needs only one of them.
    """
    size, pattern, guards, capacity, shift = step
    after: dict[int, W] = {}
    get = after.get
    zero = factors.zero
    if size == 1:
        mine = factors.ways[1][1]
        for state, weight in states.items():
            if (capacity - state) & guards == guards:
                to = state + shift
                after[to] = get(to, zero) + weight
            less = state - pattern
            if less & guards == guards:
                to = less + shift
                after[to] = get(to, zero) + weight * mine
        return after
    ways = factors.ways[size]
    for state, weight in states.items():
        less = state
        for way in ways:
            if (capacity - less) & guards == guards:
                to = less + shift
                after[to] = get(to, zero) + weight * way
            less -= pattern
            if less & guards != guards:
                break
    return after


def retreat(
    states: Iterable[int], step: Step, ahead: dict[int, W], factors: Factors[W]
) -> dict[int, W]:
    """Return what leads on from each of these states before a box, given the same after it."""
    size, pattern, guards, capacity, shift = step
    before: dict[int, W] = {}
    get = ahead.get
    zero = factors.zero
    ways = factors.ways[size]
    for state in states:
        weight = zero
        less = state
        for way in ways:
            if (capacity - less) & guards == guards:
                weight += get(less + shift, zero) * way
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
    total = zero = factors.zero
    if size == 1:
        for state, weight in states.items():
            to = state - pattern
            if to & guards == guards:
                beyond = get(to + shift)
                if beyond:
                    total += weight * beyond
        return total * factors.ways[1][1]
    ways = factors.ways_with[size]
    for state, weight in states.items():
        beyond = zero
        to = state
        for way in ways:
            if (capacity - to) & guards == guards and way:
                beyond += get(to + shift, zero) * way
            to -= pattern
            if to & guards != guards:
                break
        if beyond:
            total += weight * beyond
    return total


def sweep_forward(
    start: int, steps: Sequence[Step], factors: Factors[W], limit: int
) -> list[dict[int, W]]:
    """Return the tables before each box and after the last; `limit` caps all their states."""
    table = {start: factors.one}
    tables = [table]
    for step in steps:
        table = advance(table, step, factors)
        if not table:
            raise ImpossiblePositionError("no layout agrees with these numbers")
        limit -= len(table)
        if limit < 0:
            raise TooManyStatesError("the position has too many open possibilities to count")
        tables.append(table)
    return tables


def sweep_backward(
    tables: Sequence[dict[int, W]], steps: Sequence[Step], last: dict[int, W], factors: Factors[W]
) -> list[dict[int, W]]:
    """For each table of the forward sweep, what leads on from its states to the end."""
    ahead = last
    found = [ahead]
    for position in range(len(steps) - 1, -1, -1):
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
