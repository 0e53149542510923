"""How many layouts a component has for every number of mines, remembered by its shape."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.solver.component import Component
from jminesweeper.solver.sweep import (
    mined_weight,
    packed_factors,
    sweep_backward,
    sweep_forward,
    unpack,
)

DEFAULT_STATE_LIMIT = 300_000
_REMEMBERED = 4_096
_USUAL_WIDTH = 80


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """The exact number of layouts of one component, by the number of its mines."""

    fewest: int
    """The least number of mines any layout has; the tuples begin there."""
    layouts: tuple[int, ...]
    mined: tuple[tuple[int, ...], ...]
    """Per box: the layouts in which one given cell of it is a mine."""

    @property
    def shares(self) -> list[float]:
        """The layouts of each number of mines as parts of all layouts."""
        total = sum(self.layouts)
        return [ways / total for ways in self.layouts]


class Counter:
    """Counts components, and remembers what it counted: many shapes come again and again."""

    def __init__(
        self, state_limit: int = DEFAULT_STATE_LIMIT, remembered: int = _REMEMBERED
    ) -> None:
        self.state_limit = state_limit
        self._remembered = remembered
        self._known: dict[object, Counts] = {}

    def count(self, component: Component) -> Counts:
        """Count a component; `TooManyStatesError` when that would pass the limit."""
        key = component.key
        counts = self._known.get(key)
        if counts is None:
            if len(self._known) >= self._remembered:
                self._known.clear()
            counts = self._known[key] = count_layouts(component, self.state_limit)
        return counts


def count_layouts(component: Component, state_limit: int) -> Counts:
    """Sweep forward and backward, and join the two at every box."""
    # No coefficient exceeds two to the number of cells, so none can spill into the next.
    width = component.cell_count + 1
    factors = packed_factors(width)
    # Wide coefficients make every operation dearer: the limit is one on work.
    state_limit = state_limit * _USUAL_WIDTH**2 // max(width, _USUAL_WIDTH) ** 2
    steps = component.steps
    tables = sweep_forward(component.start, steps, factors, state_limit)
    ahead = sweep_backward(tables, steps, {component.end: 1}, factors)
    layouts = unpack(ahead[0][component.start], width)
    fewest = next(mines for mines, ways in enumerate(layouts) if ways)
    most = len(layouts)
    mined = []
    for position, step in enumerate(steps):
        weight = mined_weight(tables[position], step, ahead[position + 1], factors)
        by_mines = unpack(weight >> fewest * width, width)
        by_mines.extend([0] * (most - fewest - len(by_mines)))
        mined.append(tuple(by_mines))
    return Counts(fewest, tuple(layouts[fewest:]), tuple(mined))
