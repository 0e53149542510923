"""One position: what is certain in it, and how its components count.

All answers of the solver begin here. During a game a position is kept up to date: only components
with a changed number are built anew.
"""

from __future__ import annotations

from jminesweeper.core.grid import Size
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.assessment import Assessment, assess
from jminesweeper.solver.component import Component
from jminesweeper.solver.counting import DEFAULT_STATE_LIMIT, build
from jminesweeper.solver.errors import Deadline, ImpossiblePositionError, never
from jminesweeper.solver.knowledge import Knowledge


class Position:
    """What a player can know of one board."""

    def __init__(self, size: Size, mine_count: int, state_limit: int = DEFAULT_STATE_LIMIT) -> None:
        self.state_limit = state_limit
        self._begin(Knowledge(size, mine_count))

    def _begin(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self._of_number: dict[int, Component] = {}

    @staticmethod
    def of(view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT) -> Position:
        """Draw every conclusion from a view that looks at one or two numbers."""
        position = Position(view.size, view.mine_count, state_limit)
        position.update(view)
        position.knowledge.deduce_all()
        if not 0 <= position.knowledge.mines_left <= position.knowledge.unknown_left:
            raise ImpossiblePositionError("the number of mines does not fit the clues")
        return position

    def update(self, view: PlayerView) -> None:
        """Process what became visible; after an undo, or on another board, start over."""
        known = self.knowledge
        is_same = (known.terrain.size, known.mine_count) == (view.size, view.mine_count)
        if not is_same or known.visible & ~view.visible or known.hit & ~view.known:
            self._begin(Knowledge(view.size, view.mine_count))
        self.knowledge.update(view)

    def within(self, window: int) -> Position:
        """Return a copy that ignores the numbers outside a window.

        What follows from some of the numbers follows from all of them.
        """
        copy = Position(self.knowledge.terrain.size, self.knowledge.mine_count, self.state_limit)
        copy._begin(self.knowledge.within(window))
        return copy

    def components(self) -> list[Component]:
        """Rebuild the components that changed, and return all."""
        knowledge, of_number = self.knowledge, self._of_number
        seeds = list(knowledge.changed)
        knowledge.changed.clear()
        for seed in seeds:
            self._drop(seed, seeds)
        room = knowledge.room
        # Sorted, so that the same position always gives the same components in the same order.
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

    def assess(self, deadline: Deadline = never) -> Assessment:
        """Count every component, and weigh them together."""
        return assess(self.knowledge, self.components(), self.state_limit, deadline)

    def settle(self, deadline: Deadline = never) -> Assessment:
        """Count until a cell is known to be safe, or nothing more is certain."""
        while True:
            assessment = self.assess(deadline)
            if not assessment.mark_certain() or self.knowledge.has_safe():
                return assessment
            self.knowledge.deduce_all()
