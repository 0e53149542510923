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
    steps: tuple[Step, ...]
    fields: int
    cell_count: int

    @property
    def cells(self) -> list[int]:
        return [cell for box in self.boxes for cell in box.cells]

    @property
    def end(self) -> int:
        """The packed needs after the last box: no field is open."""
        return 0


def line_up(numbers: list[int], boxes: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
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


class _Fields:
    """The places of open numbers in the packed state; places of closed numbers are reused."""

    def __init__(self) -> None:
        self.shift_of: dict[int, int] = {}
        self.width = 0
        self._free: list[int] = []

    def enter(self, number: int) -> int:
        if self._free:
            shift = self._free.pop()
        else:
            shift = self.width
            self.width += FIELD_BITS
        self.shift_of[number] = shift
        return shift

    def leave(self, number: int) -> int:
        shift = self.shift_of[number]
        self._free.append(shift)
        return shift


def compile_component(boxes: Sequence[Box], need: Sequence[int]) -> Component:
    """Lay out the packed state for boxes in this order."""
    room: dict[int, int] = {}
    last: dict[int, int] = {}
    for position, (cells, numbers) in enumerate(boxes):
        for number in numbers:
            room[number] = room.get(number, 0) + len(cells)
            last[number] = position
    fields = _Fields()
    entering: list[int] = []
    leaving: list[int] = []
    drafts: list[tuple[int, int, int]] = []
    for position, (cells, numbers) in enumerate(boxes):
        enter = pattern = after = leave = 0
        for number in numbers:
            shift = fields.shift_of.get(number)
            if shift is None:
                shift = fields.enter(number)
                enter += GUARD + need[number] << shift
            room[number] -= len(cells)
            pattern |= 1 << shift
            after += 1 + room[number] << shift
        # Fields are freed after the whole box, so that a box cannot reuse its own.
        for number in numbers:
            if last[number] == position:
                leave += GUARD << fields.leave(number)
        entering.append(enter)
        leaving.append(leave)
        drafts.append((len(cells), pattern, after))
    entering.append(0)
    # All fields full, those of the box twice the guard: subtracting a state, which has 0 in a free
    # field and at least the guard in an open one, then neither borrows nor carries between fields.
    base = (1 << fields.width) - 1
    shifts = [after - before for after, before in zip(entering[1:], leaving, strict=True)]
    return Component(
        tuple(boxes),
        tuple(room),
        entering[0],
        tuple(
            [
                Step(size, pattern, pattern * GUARD, base + after, shift)
                for (size, pattern, after), shift in zip(drafts, shifts, strict=True)
            ]
        ),
        fields.width // FIELD_BITS,
        sum([size for size, _, _ in drafts]),
    )
