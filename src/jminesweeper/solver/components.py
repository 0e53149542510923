"""Counting: the layouts of numbers that depend on each other.

The shown numbers and the unknown cells beside them fall into components: numbers of one share
cells, numbers of two do not. Each is counted by itself, in three steps.

**Boxes.** Cells that are seen by the same numbers are interchangeable, so they form a box, and only
the number of mines in a box matters: k mines in a box of n cells are C(n, k) layouts.

**A line of boxes.** Boxes are lined up so that a number's boxes are close together. A number is
open from its first box to its last. All that the boxes to the left mean for those to the right is
what each open number still needs; that is the state, and it stays small, no matter how long the
line is. It is packed into one int, five bits for each open number: four for the need (at most 8)
and a guard bit above them, which is set and which a borrow would clear. So one subtraction takes a
mine off all numbers that see a box, and one test of the guards says if any need fell below zero.
The same trick the other way round says if the later boxes can still meet the needs. A closed
number's field is used again.

**Sweeps.** A table maps each state to the weight of all ways to get there. Swept forward it gives
the weight of the ways to a state, backward of the ways from it; the product of both around one box
gives the layouts in which a given cell of the box is a mine. Weights are either polynomials over
the number of mines, packed into one int with so many bits for each coefficient that none spills
into the next (exact; a convolution is one multiplication), or floats in which every mine counts
for fixed odds (fast, for ranking).

`join` in `position` weighs the components against each other by the mine count. To check a count by
hand, take few cells: the property tests compare with all layouts listed one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Generic, NamedTuple, TypeVar

from jminesweeper.core.errors import SolverError
from jminesweeper.solver.knowledge import (
    UNKNOWN,
    Deadline,
    ImpossiblePositionError,
    Knowledge,
    check,
    never,
)

FIELD_BITS = 5
GUARD = 1 << FIELD_BITS - 1


class Box(NamedTuple):
    """Unknown cells that are seen by exactly the same shown numbers."""

    cells: tuple[int, ...]
    numbers: tuple[int, ...]


class Step(NamedTuple):
    """The change of the packed needs at one box."""

    size: int
    pattern: int
    """One in the field of each number that sees the box: what a mine takes off."""
    guards: int
    """The guard bits of those fields: all set while no need is below zero."""
    capacity: int
    """`capacity - needs` has those guard bits set while the later boxes can meet the needs."""
    shift: int
    """Added after the box: removes the fields of closed numbers and adds those of the next box."""


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """Boxes in the order in which they are swept, with the steps of the sweep."""

    boxes: tuple[Box, ...]
    numbers: tuple[int, ...]
    start: int
    """The packed needs before the first box."""
    steps: tuple[Step, ...]
    width: int
    """Bits of the packed needs. After the last box all of them are 0."""

    @property
    def cells(self) -> list[int]:
        return [cell for box in self.boxes for cell in box.cells]


class _Draft(NamedTuple):
    """A step of which it is not known yet how wide the packed needs become."""

    size: int
    pattern: int
    after: int
    """In each field one more than the later boxes can hold."""
    enter: int
    leave: int


def build(knowledge: Knowledge, seed: int) -> Component:
    """Return the component of one number, ready to be swept."""
    numbers, cells_of = _gather(knowledge, seed)
    ordered = _line_up(numbers, list(cells_of))
    return _compile([Box(tuple(cells_of[key]), key) for key in ordered], knowledge.need)


def _gather(knowledge: Knowledge, seed: int) -> tuple[list[int], dict[tuple[int, ...], list[int]]]:
    """Return the numbers that depend on one number, and the cells of each box by its numbers."""
    status, room, neighbours = knowledge.status, knowledge.room, knowledge.neighbours
    numbers = [seed]
    met = {seed}
    seen: set[int] = set()
    cells_of: dict[tuple[int, ...], list[int]] = {}
    for number in numbers:
        for cell in neighbours[number]:
            if status[cell] != UNKNOWN or cell in seen:
                continue
            seen.add(cell)
            # Only shown numbers have room, and this cell gives it to all that see it.
            viewers = tuple([near for near in neighbours[cell] if room[near]])
            known = cells_of.get(viewers)
            if known is not None:
                known.append(cell)
                continue
            cells_of[viewers] = [cell]
            for near in viewers:
                if near not in met:
                    met.add(near)
                    numbers.append(near)
    return numbers, cells_of


def _line_up(numbers: list[int], boxes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Order boxes so that few numbers are open at once.

    Begin at the number found last, which is far from the others' middle, and always finish the
    open number that brings in the fewest new ones.
    """
    waiting: dict[int, list[tuple[int, ...]]] = {number: [] for number in numbers}
    for box in boxes:
        for number in box:
            waiting[number].append(box)
    ordered: dict[tuple[int, ...], None] = {}
    opened = {numbers[-1]}
    active = [numbers[-1]]
    while active:
        number = _cheapest(active, waiting, ordered, opened) if len(active) > 1 else active[0]
        active.remove(number)
        rest = [box for box in waiting[number] if box not in ordered]
        rest.sort(key=lambda box: sum([near not in opened for near in box]))
        for box in rest:
            ordered[box] = None
            for near in box:
                if near not in opened:
                    opened.add(near)
                    active.append(near)
    return list(ordered)


def _cheapest(
    active: list[int],
    waiting: dict[int, list[tuple[int, ...]]],
    done: dict[tuple[int, ...], None],
    opened: set[int],
) -> int:
    """Find the open number whose remaining boxes open the fewest other numbers."""
    best, fewest = active[0], len(waiting)
    for number in active:
        rest = waiting[number] = [box for box in waiting[number] if box not in done]
        fresh = len({near for box in rest for near in box if near not in opened})
        if fresh < fewest:
            best, fewest = number, fresh
            if not fresh:
                break
    return best


def _compile(boxes: Sequence[Box], need: Sequence[int]) -> Component:
    """Lay out the packed state for boxes in this order."""
    room: dict[int, int] = {}
    for cells, numbers in boxes:
        for number in numbers:
            room[number] = room.get(number, 0) + len(cells)
    field_of: dict[int, int] = {}
    free: list[int] = []
    width = 0
    drafts: list[_Draft] = []
    for cells, numbers in boxes:
        enter = pattern = after = 0
        closed: list[int] = []
        for number in numbers:
            if number not in field_of:
                field_of[number] = free.pop() if free else width
                width = max(width, field_of[number] + FIELD_BITS)
                enter += GUARD + need[number] << field_of[number]
            field = field_of[number]
            room[number] -= len(cells)
            pattern |= 1 << field
            after += 1 + room[number] << field
            if not room[number]:
                closed.append(field)
        # Fields are freed after the whole box, so that a box cannot reuse its own.
        free += closed
        leave = sum([GUARD << field for field in closed])
        drafts.append(_Draft(len(cells), pattern, after, enter, leave))
    # All fields full, those of the box twice the guard: subtracting a state, which has 0 in a free
    # field and at least the guard in an open one, then neither borrows nor carries between fields.
    base = (1 << width) - 1
    entering = [*[draft.enter for draft in drafts[1:]], 0]
    steps = [
        Step(size, pattern, pattern * GUARD, base + after, enter - leave)
        for (size, pattern, after, _, leave), enter in zip(drafts, entering, strict=True)
    ]
    return Component(tuple(boxes), tuple(room), drafts[0].enter, tuple(steps), width)


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
    """The part of a position's budget that counting takes."""


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
