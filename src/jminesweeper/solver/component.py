"""Numbers that depend on each other, in an order in which few of them are open at once.

Cells that are seen by the same numbers are interchangeable: they form a box. Boxes are lined up
so that a number's boxes are close together; a number is open from its first box to its last.
What the open numbers still need is packed into one int, five bits each: four for the need and a
guard bit above them that a borrow would clear. A closed number's field is used again, so the
state stays small, no matter how long the line is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jminesweeper.solver.knowledge import UNKNOWN, Knowledge

FIELD_BITS = 5
GUARD = 1 << FIELD_BITS - 1


class Box(NamedTuple):
    """Unknown cells that are seen by exactly the same shown numbers."""

    cells: tuple[int, ...]
    numbers: tuple[int, ...]


class Step(NamedTuple):
    """How one box changes the packed needs."""

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
    """How many bits the packed needs have. After the last box all of them are 0."""

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
