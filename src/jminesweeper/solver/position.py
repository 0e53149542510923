"""One position: what is certain in it, how its components count, and what that makes likely.

All answers of the solver begin here. It sees what a player sees, and it ignores flags, since those
may be wrong. During a game a position is kept up to date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from jminesweeper.core.errors import HiddenError
from jminesweeper.core.grid import Size
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.balance import Balance, join
from jminesweeper.solver.component import Component, build
from jminesweeper.solver.errors import Deadline, ImpossiblePositionError, never
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.sweep import Counts, TooManyStatesError, count_layouts

DEFAULT_STATE_LIMIT = 300_000
"""The budget of a position, measured in states: every board has an answer in bounded time."""

UNSEEN = -1
_LEAST_IN_ESTIMATES = 1e-3
"""Where something is estimated nothing is nearer to certainty than this."""

_NO_BOARD = Size(1, 1)


class Position:
    """What a player can know of one board."""

    def __init__(self, size: Size, mine_count: int, state_limit: int = DEFAULT_STATE_LIMIT) -> None:
        self.state_limit = state_limit
        self.knowledge = Knowledge(size, mine_count)

    @staticmethod
    def of(view: PlayerView, state_limit: int = DEFAULT_STATE_LIMIT) -> Position:
        """Draw every conclusion from a view that looks at one or two numbers."""
        position = Position(_NO_BOARD, 1, state_limit)
        position.update(view)
        position.knowledge.deduce_all()
        if not 0 <= position.knowledge.mines_left <= position.knowledge.unknown_left:
            raise ImpossiblePositionError("the number of mines does not fit the clues")
        return position

    def update(self, view: PlayerView) -> None:
        """Process what became visible; after an undo, or on another board, start over."""
        if not isinstance(view, PlayerView):
            raise HiddenError(f"a solver sees a PlayerView, such as game.view, not {view!r}")
        known = self.knowledge
        is_same = (known.grid, known.mine_count) == (view.grid, view.mine_count)
        if not is_same or known.visible & ~view.visible or known.hit & ~view.known:
            self.knowledge = Knowledge(view.size, view.mine_count)
        self.knowledge.update(view)

    def within(self, window: int) -> Position:
        """Return a copy that ignores the numbers outside a window.

        What follows from some of the numbers follows from all of them.
        """
        copy = Position(self.knowledge.grid.size, self.knowledge.mine_count, self.state_limit)
        copy.knowledge = self.knowledge.within(window)
        return copy

    def components(self) -> list[Component]:
        """Find the numbers that depend on each other."""
        met = set[int]()
        found: list[Component] = []
        for number, room in enumerate(self.knowledge.room):
            if room and number not in met:
                found.append(build(self.knowledge, number))
                met.update(found[-1].numbers)
        return found

    def assess(self, deadline: Deadline = never) -> Assessment:
        """Count every component, estimate what exceeds the budget, and weigh them together."""
        known, found = self.knowledge, self.components()
        counts = self._count(found, deadline)
        counted = [(each, counts[each]) for each in found if each in counts]
        beyond = [each for each in found if each not in counts]
        estimated = [(each, self._estimate(each)) for each in beyond]
        mines = known.mines_left
        unseen = known.unknown_left - sum([len(component.cells) for component in found])
        for component, chances in estimated:
            shares = zip(chances, component.boxes, strict=True)
            mines -= round(sum([chance * len(box.cells) for chance, box in shares]))
        if estimated:
            # An estimated number of mines must not make the rest impossible.
            least = sum([each.fewest for _, each in counted])
            mines = max(least, min(mines, least + unseen))
        balance = join([each for _, each in counted], unseen, mines)
        return Assessment(known, counted, estimated, balance, deadline)

    def settle(self, deadline: Deadline = never) -> Assessment:
        """Count until a cell is known to be safe, or nothing more is certain."""
        while True:
            assessment = self.assess(deadline)
            if not assessment.mark_certain() or self.knowledge.has_safe():
                return assessment
            self.knowledge.deduce_all()

    def _count(
        self, components: Sequence[Component], deadline: Deadline
    ) -> Mapping[Component, Counts]:
        """Count as many components as the budget allows, the smallest first."""
        counts: dict[Component, Counts] = {}
        budget = self.state_limit
        for component in sorted(components, key=lambda each: len(each.steps)):
            try:
                counts[component] = count_layouts(component, budget, deadline)
            except TooManyStatesError:
                # The following ones are no smaller.
                break
            budget -= counts[component].cost
        return counts

    def _estimate(self, component: Component) -> list[float]:
        """Take for each box the mean of what its numbers need of their cells."""
        need, room = self.knowledge.need, self.knowledge.room
        return [fmean([need[each] / room[each] for each in box.numbers]) for box in component.boxes]


class Group(NamedTuple):
    """Cells with the same chance of a mine."""

    chance: float
    owner: int
    """The place of their component among those counted, or else UNSEEN."""
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Assessment:
    """The components of a position with their counts, under the mine count of the board."""

    knowledge: Knowledge
    counted: Sequence[tuple[Component, Counts]]
    estimated: Sequence[tuple[Component, Sequence[float]]]
    """Components over the budget, each with the chance of a mine in each of its boxes."""
    balance: Balance
    deadline: Deadline

    @property
    def exact(self) -> bool:
        """Whether every layout was counted, in integers."""
        return self.balance.exact and not self.estimated

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """The unknown cells that no shown number sees."""
        components = [component for component, _ in (*self.counted, *self.estimated)]
        seen = {cell for component in components for cell in component.cells}
        return tuple([cell for cell in self.knowledge.unknown() if cell not in seen])

    @property
    def unseen_chance(self) -> float:
        return self.balance.unseen_mined / self.balance.total

    def certain(self) -> tuple[list[int], list[int]]:
        """Return the cells that are safe, and those that are mines, in every layout.

        Where the mine count is weighed by odds, or some of it estimated, only the clues make things
        certain.
        """
        safe: list[int] = []
        mines: list[int] = []
        for (component, counts), weights in zip(self.counted, self.balance.weights, strict=True):
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                if not any(mined) or (self.exact and not dot(mined, weights)):
                    safe.extend(box.cells)
                elif mined == counts.layouts or (
                    self.exact and dot(mined, weights) == self.balance.total
                ):
                    mines.extend(box.cells)
        if self.exact and not self.balance.unseen_mined:
            safe.extend(self.unseen)
        return safe, mines

    def mark_certain(self) -> bool:
        """Record what counting made certain; return whether there was anything."""
        safe, mines = self.certain()
        self.knowledge.mark_mines(mines)
        self.knowledge.mark_safe(safe)
        return bool(safe or mines)

    @cached_property
    def groups(self) -> list[Group]:
        """All unknown cells by their chances, the safest first."""
        return sorted(self._boxes)

    @cached_property
    def _boxes(self) -> list[Group]:
        found: list[Group] = []
        for owner, (component, counts) in enumerate(self.counted):
            chances = self._chances(counts, self.balance.weights[owner])
            found += _grouped(component, chances, owner)
        for component, shares in self.estimated:
            found += _grouped(component, shares, UNSEEN)
        if self.unseen:
            found.append(Group(self.unseen_chance, UNSEEN, self.unseen))
        if self.estimated:
            # Where some is estimated no figure is a certainty.
            return [group._replace(chance=uncertain(group.chance)) for group in found]
        return found

    def _chances(self, counts: Counts, weights: Sequence[float]) -> list[float]:
        """Return the chance of a mine in each box of a counted component."""
        if self.balance.exact:
            return [dot(mined, weights) / self.balance.total for mined in counts.mined]
        # Counts of large components do not fit into floats, shares do.
        layouts = sum(counts.layouts)
        norm = dot([ways / layouts for ways in counts.layouts], weights)
        return [dot([ways / layouts for ways in mined], weights) / norm for mined in counts.mined]

    @cached_property
    def chance(self) -> dict[int, float]:
        return {cell: group.chance for group in self._boxes for cell in group.cells}

    @cached_property
    def owner(self) -> dict[int, int]:
        """The owner of each unknown cell, as in its group."""
        return {cell: group.owner for group in self._boxes for cell in group.cells}

    @property
    def lowest(self) -> float:
        return self.groups[0].chance


def dot(counts: Sequence[float], weights: Sequence[float]) -> float:
    return sum([count * each for count, each in zip(counts, weights, strict=True) if count])


def uncertain(chance: float) -> float:
    return min(1 - _LEAST_IN_ESTIMATES, max(_LEAST_IN_ESTIMATES, chance))


def _grouped(component: Component, chances: Sequence[float], owner: int) -> list[Group]:
    return [
        Group(chance, owner, box.cells)
        for box, chance in zip(component.boxes, chances, strict=True)
    ]
