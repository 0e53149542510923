"""What one round of counting shows about a position.

Guesses, hints and reviews ask this module and nothing else. It sees what a
player sees, and it ignores flags, since those may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from jminesweeper.solver.balance import Balance, join
from jminesweeper.solver.component import Component
from jminesweeper.solver.counting import affordable_states, count_within_budget, estimate
from jminesweeper.solver.endgame import all_layouts
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.sweep import Counts
from jminesweeper.solver.what_if import WhatIf, local_odds

UNSEEN = -1
ESTIMATED = -2
_LEAST_IN_ESTIMATES = 1e-3


class Group(NamedTuple):
    """Cells with the same chance of a mine."""

    chance: float
    owner: int
    """The position of their component, or UNSEEN, or ESTIMATED."""
    cells: tuple[int, ...]


class Assessment:
    """The components of a position with their counts, under the mine count of the board."""

    def __init__(
        self,
        knowledge: Knowledge,
        counted: tuple[tuple[Component, Counts], ...],
        estimated: tuple[tuple[Component, tuple[float, ...]], ...],
        balance: Balance,
        deadline: Deadline,
    ) -> None:
        self.knowledge = knowledge
        self.counted = counted
        self.estimated = estimated
        """Components over the budget, each with the chance of a mine in each of its boxes."""
        self.balance = balance
        self.deadline = deadline
        self._what_ifs: dict[int, WhatIf] = {}

    @property
    def exact(self) -> bool:
        """Whether every layout was counted, in integers."""
        return self.balance.exact and not self.estimated

    @cached_property
    def unseen(self) -> tuple[int, ...]:
        """The unknown cells that no shown number sees."""
        status = self.knowledge.status
        seen = {
            cell for component, _ in (*self.counted, *self.estimated) for cell in component.cells
        }
        return tuple(
            [
                index
                for index in self.knowledge.terrain.cells
                if status[index] == UNKNOWN and index not in seen
            ]
        )

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
                if not any(mined) or (self.exact and not _dot(mined, weights)):
                    safe.extend(box.cells)
                elif mined == counts.layouts or (
                    self.exact and _dot(mined, weights) == self.balance.total
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
        for position, (component, _) in enumerate(self.counted):
            chances = self._box_chances(position)
            found += _grouped(component, chances, position)
        for component, shares in self.estimated:
            found += _grouped(component, shares, ESTIMATED)
        if self.unseen:
            found.append(Group(self.unseen_chance, UNSEEN, self.unseen))
        if self.estimated:
            # Where some is estimated no figure is a certainty.
            return [group._replace(chance=_uncertain(group.chance)) for group in found]
        return found

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

    def layouts(self) -> list[tuple[int, ...]]:
        """List all layouts of the position; for positions with few."""
        components = [component for component, _ in self.counted]
        return all_layouts(components, self.unseen, self.knowledge.mines_left)

    def what_if(self, owner: int) -> WhatIf:
        """Return the tables of a counted component for what-ifs, made once."""
        found = self._what_ifs.get(owner)
        if found is None:
            component, counts = self.counted[owner]
            odds = local_odds(counts.layouts, self.balance.weights[owner])
            found = self._what_ifs[owner] = WhatIf(component, odds, self.deadline)
        return found

    def _box_chances(self, position: int) -> list[float]:
        """Return the chance of a mine in each box of a counted component."""
        _, counts = self.counted[position]
        weights = self.balance.weights[position]
        if self.balance.exact:
            total = self.balance.total
            return [_dot(mined, weights) / total for mined in counts.mined]
        layouts = sum(counts.layouts)
        norm = sum(
            [ways / layouts * each for ways, each in zip(counts.layouts, weights, strict=True)]
        )
        return [
            sum([ways / layouts * each for ways, each in zip(mined, weights, strict=True)]) / norm
            for mined in counts.mined
        ]


def assess(
    knowledge: Knowledge,
    found: Sequence[Component],
    state_limit: int,
    deadline: Deadline = never,
) -> Assessment:
    """Count every component and weigh them together; estimate what exceeds the budget."""
    mines = knowledge.mines_left
    unknown = knowledge.unknown_left
    counts = count_within_budget(found, state_limit, deadline)
    counted = tuple([(each, counts[each]) for each in found if each in counts])
    beyond = [each for each in found if each not in counts]
    unseen = unknown - sum([component.cell_count for component in found])
    estimated = []
    density = min(0.9, max(0.05, mines / max(1, unknown)))
    for component in beyond:
        guess = estimate(component, density / (1 - density), affordable_states(beyond), deadline)
        estimated.append((component, guess.mined))
        mines -= round(guess.mines)
    if estimated:
        # An estimated number of mines must not make the rest impossible.
        least = sum([each.fewest for _, each in counted])
        mines = max(least, min(mines, least + unseen))
    balance = join([each for _, each in counted], unseen, mines)
    return Assessment(knowledge, counted, tuple(estimated), balance, deadline)


def _dot(counts: Iterable[int], weights: Iterable[float]) -> float:
    return sum([count * each for count, each in zip(counts, weights, strict=True) if count])


def _uncertain(chance: float) -> float:
    return min(1 - _LEAST_IN_ESTIMATES, max(_LEAST_IN_ESTIMATES, chance))


def _grouped(component: Component, chances: Iterable[float], owner: int) -> list[Group]:
    return [
        Group(chance, owner, box.cells)
        for box, chance in zip(component.boxes, chances, strict=True)
    ]
