"""One position: what is certain in it, and how its components count.

All answers of the solver begin here. During a game a position is kept up to date.
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
        self.knowledge = Knowledge(size, mine_count)

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
            self.knowledge = Knowledge(view.size, view.mine_count)
        self.knowledge.update(view)

    def within(self, window: int) -> Position:
        """Return a copy that ignores the numbers outside a window.

        What follows from some of the numbers follows from all of them.
        """
        copy = Position(self.knowledge.terrain.size, self.knowledge.mine_count, self.state_limit)
        copy.knowledge = self.knowledge.within(window)
        return copy

    def components(self) -> list[Component]:
        """Find the numbers that depend on each other."""
        knowledge, met = self.knowledge, set[int]()
        found: list[Component] = []
        for number in knowledge.terrain.cells:
            if knowledge.room[number] and number not in met:
                found.append(build(knowledge, number))
                met.update(found[-1].numbers)
        return found

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
