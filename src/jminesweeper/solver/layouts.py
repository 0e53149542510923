"""Writing out every layout of a position, once there are few of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from jminesweeper.solver.component import Component, Step
from jminesweeper.solver.sweep import packed_factors, sweep_backward, sweep_forward

_NO_LIMIT = 1 << 60


def component_layouts(component: Component) -> dict[int, list[tuple[int, ...]]]:
    """Return the mined cells of every layout of a component, by the number of mines."""
    factors = packed_factors(1)
    steps = component.steps
    tables = sweep_forward(component.start, steps, factors, _NO_LIMIT)
    open_ends = sweep_backward(tables, steps, {component.end: 1}, factors)
    by_mines: dict[int, list[tuple[int, ...]]] = {}
    for counts in _box_counts(component.start, 0, steps, open_ends):
        choices = [
            combinations(box.cells, mines)
            for box, mines in zip(component.boxes, counts, strict=True)
            if mines
        ]
        layouts = by_mines.setdefault(sum(counts), [])
        layouts.extend([sum(chosen, ()) for chosen in product(*choices)])
    return by_mines


def _box_counts(
    state: int, position: int, steps: Sequence[Step], open_ends: Sequence[dict[int, int]]
) -> Iterator[tuple[int, ...]]:
    """Give each box a number of mines, in every way; only ways that lead to the end are entered."""
    if position == len(steps):
        yield ()
        return
    size, pattern, guards, capacity, shift = steps[position]
    for mines in range(size + 1):
        if state & guards != guards:
            return
        if (capacity - state) & guards == guards and state + shift in open_ends[position + 1]:
            for rest in _box_counts(state + shift, position + 1, steps, open_ends):
                yield (mines, *rest)
        state -= pattern


def all_layouts(
    components: Sequence[Component], unseen: Sequence[int], mines: int
) -> list[tuple[int, ...]]:
    """Return the mined cells of every layout of a whole position."""
    partial: list[tuple[int, ...]] = [()]
    for component in components:
        by_mines = component_layouts(component)
        partial = [
            (*chosen, *layout)
            for chosen in partial
            for count, layouts in by_mines.items()
            if len(chosen) + count <= mines
            for layout in layouts
        ]
    return [
        (*chosen, *rest)
        for chosen in partial
        if mines - len(chosen) <= len(unseen)
        for rest in combinations(unseen, mines - len(chosen))
    ]
