"""The chances of one position, laid out for choosing a guess."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from jminesweeper.solver.analysis import Assessment, unseen_cells
from jminesweeper.solver.knowledge import UNKNOWN, Knowledge
from jminesweeper.solver.layouts import all_layouts
from jminesweeper.solver.outlook import Landscape, local_odds

UNSEEN = -1
ESTIMATED = -2


class Group(NamedTuple):
    """Cells with one chance of a mine between them."""

    chance: float
    owner: int
    """The position of their component, or UNSEEN, or ESTIMATED."""
    cells: tuple[int, ...]


class Risks:
    """Every unknown cell with its chance and its component."""

    __slots__ = (
        "_landscapes",
        "assessment",
        "chance",
        "groups",
        "knowledge",
        "owner",
        "unseen",
        "unseen_chance",
    )

    def __init__(self, knowledge: Knowledge, assessment: Assessment) -> None:
        self.knowledge = knowledge
        self.assessment = assessment
        self.chance: dict[int, float] = {}
        self.owner: dict[int, int] = {}
        self.groups: list[Group] = []
        self._landscapes: dict[int, Landscape] = {}
        for position, (component, _) in enumerate(assessment.counted):
            chances = assessment.box_chances(position)
            for box, chance in zip(component.boxes, chances, strict=True):
                self._add(Group(chance, position, box.cells))
        for component, shares in assessment.estimated:
            for box, chance in zip(component.boxes, shares, strict=True):
                self._add(Group(chance, ESTIMATED, box.cells))
        self.unseen: tuple[int, ...] = ()
        self.unseen_chance = 0.0
        if assessment.unseen:
            self.unseen = tuple(unseen_cells(knowledge, assessment))
            self.unseen_chance = assessment.unseen_chance
            self._add(Group(self.unseen_chance, UNSEEN, self.unseen))
        self.groups.sort()

    def _add(self, group: Group) -> None:
        self.groups.append(group)
        self.chance.update(dict.fromkeys(group.cells, group.chance))
        self.owner.update(dict.fromkeys(group.cells, group.owner))

    @property
    def lowest(self) -> float:
        return self.groups[0].chance

    def beyond(self, cells: Collection[int]) -> list[Group]:
        """Return the groups without some cells."""
        rest = [
            group._replace(cells=tuple([cell for cell in group.cells if cell not in cells]))
            for group in self.groups
        ]
        return [group for group in rest if group.cells]

    def layouts(self) -> list[tuple[int, ...]]:
        """Write out all layouts of the position; for where there are few."""
        components = [component for component, _ in self.assessment.counted]
        return all_layouts(components, self.unseen, self.knowledge.mines_left)

    def landscape(self, owner: int) -> Landscape:
        """Return the tables of a counted component for what-ifs, made once per move."""
        landscape = self._landscapes.get(owner)
        if landscape is None:
            component, counts = self.assessment.counted[owner]
            odds = local_odds(counts, self.assessment.balance.weights[owner])
            landscape = self._landscapes[owner] = Landscape(component, odds)
        return landscape

    def unknown_neighbours(self, index: int) -> int:
        status = self.knowledge.status
        near = self.knowledge.terrain.neighbours[index]
        return sum([status[each] == UNKNOWN for each in near])
