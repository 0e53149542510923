"""The components of a position, kept up to date while the game goes on.

Only components one of whose numbers changed are built again; the others stay as they are,
with everything that was counted for them.
"""

from __future__ import annotations

from jminesweeper.solver.component import Component, build
from jminesweeper.solver.knowledge import Knowledge


class Frontier:
    """The components around the shown numbers of one game."""

    __slots__ = ("_knowledge", "_of_number")

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._of_number: dict[int, Component] = {}

    def refresh(self) -> list[Component]:
        """Build again what changed, and return all components."""
        knowledge, of_number = self._knowledge, self._of_number
        seeds = list(knowledge.changed)
        knowledge.changed.clear()
        for seed in seeds:
            self._drop(seed, seeds)
        room = knowledge.room
        # Sorted, so that the same position is always taken apart in the same order.
        for seed in sorted(seeds):
            if room[seed] and seed not in of_number:
                component = build(knowledge, seed)
                for number in component.numbers:
                    # A new number may join a component none of whose numbers changed.
                    self._drop(number, seeds)
                for number in component.numbers:
                    of_number[number] = component
        return list({id(component): component for component in of_number.values()}.values())

    def _drop(self, number: int, seeds: list[int]) -> None:
        component = self._of_number.get(number)
        if component is not None:
            for each in component.numbers:
                del self._of_number[each]
            seeds.extend(component.numbers)
