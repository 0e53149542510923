"""What a guess is worth: the chance to survive it and the next reveal after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jminesweeper.solver.knowledge import UNKNOWN
from jminesweeper.solver.outlook import Landscape, Outcome, unseen_outcomes
from jminesweeper.solver.risks import ESTIMATED, UNSEEN, Risks

_LEAST_SHARE = 1e-12


class Prospect(NamedTuple):
    """How a candidate was judged."""

    worth: float
    is_dead: bool
    """Whether it shows the same number in every layout, so that nothing is learned."""


class _Scene(NamedTuple):
    """One component that a candidate touches."""

    landscape: Landscape
    first: int
    last: int
    outcomes: list[Outcome]


class _Case(NamedTuple):
    """One way in which a number can come about: so many mines in each scene and unseen."""

    weight: float
    unseen: int
    outcomes: tuple[Outcome, ...]


class Prospects:
    """Judges candidates of one position."""

    __slots__ = ("_clears", "_risks")

    def __init__(self, risks: Risks, clears: float) -> None:
        self._risks = risks
        self._clears = clears

    def judge(self, index: int, target: float) -> Prospect:
        """Judge a candidate; given up, with a worth below the target, once it cannot reach it."""
        risks = self._risks
        status, owner = risks.knowledge.status, risks.owner
        around = {
            near for near in risks.knowledge.terrain.neighbours[index] if status[near] == UNKNOWN
        }
        safety = 1 - risks.chance[index]
        owners = {owner[near] for near in around}
        owners.add(owner[index])
        if not around:
            return Prospect(safety, is_dead=True)
        if ESTIMATED in owners:
            # Nothing is known about what follows: no better than the worst next reveal.
            return Prospect(safety * (1 - risks.lowest), is_dead=False)
        owners.discard(UNSEEN)
        scenes = [
            _Scene(landscape, *landscape.outcomes(index, around))
            for landscape in map(risks.landscape, sorted(owners))
        ]
        unseen = sum([owner[near] == UNSEEN for near in around])
        cases = _cases(scenes, unseen_outcomes(unseen, risks.unseen_chance))
        if len(cases) <= 1:
            return Prospect(safety, is_dead=True)
        scale = safety / sum([case.weight for number in cases for case in number])
        other = self._best_elsewhere(index, around, owners)
        return Prospect(self._expect(cases, scale, scenes, unseen, other, target), is_dead=False)

    def _expect(
        self,
        cases: list[list[_Case]],
        scale: float,
        scenes: Sequence[_Scene],
        unseen: int,
        other: float,
        target: float,
    ) -> float:
        """The chance to survive this reveal and the safest next one, over all numbers."""
        shares = [(sum([case.weight for case in number]) * scale, number) for number in cases]
        shares.sort(key=lambda share: -share[0])
        hope = sum([share for share, _ in shares])
        worth = 0.0
        for share, number in shares:
            if worth + hope <= target:
                return worth
            hope -= share
            lowest, clears = _nearby(number, scenes, unseen)
            if lowest > 0:
                lowest = min(lowest, other, _further(number, scenes))
            worth += share * (1 - lowest + clears * self._clears)
        return worth

    def _best_elsewhere(self, index: int, around: set[int], owners: set[int]) -> float:
        """The lowest chance among cells the candidate has nothing to do with."""
        for chance, owner, cells in self._risks.groups:
            if owner in owners:
                continue
            if owner != UNSEEN or len(cells) > len(around) + 1:
                return chance
            if any([cell != index and cell not in around for cell in cells]):
                return chance
        return 1.0


def _cases(scenes: Sequence[_Scene], unseen: Sequence[float]) -> list[list[_Case]]:
    """Every way each number can come about, one list per number."""
    partial: list[tuple[int, float, tuple[Outcome, ...]]] = [(0, 1.0, ())]
    for scene in scenes:
        partial = [
            (mines + outcome.mines, weight * outcome.share, (*outcomes, outcome))
            for mines, weight, outcomes in partial
            for outcome in scene.outcomes
        ]
    by_number: dict[int, list[_Case]] = {}
    for mines, weight, outcomes in partial:
        for more, share in enumerate(unseen):
            if weight * share > _LEAST_SHARE:
                case = _Case(weight * share, more, outcomes)
                by_number.setdefault(mines + more, []).append(case)
    return [by_number[number] for number in sorted(by_number)]


def _nearby(number: list[_Case], scenes: Sequence[_Scene], unseen: int) -> tuple[float, int]:
    """The lowest chance around the candidate once it shows a number, and the cells then sure."""
    total = sum([case.weight for case in number])
    lowest = 1.0
    clears = 0
    if unseen:
        lowest = sum([case.weight * case.unseen for case in number]) / total / unseen
        if not lowest:
            clears = unseen
    for position in range(len(scenes)):
        chances = _mix([(case.weight, case.outcomes[position].near) for case in number])
        for cells, weight in chances.items():
            if not weight:
                clears += len(cells)
            lowest = min(lowest, weight / total)
    return lowest, clears


def _further(number: list[_Case], scenes: Sequence[_Scene]) -> float:
    """The lowest chance in the rest of the touched components once a number is shown."""
    total = sum([case.weight for case in number])
    lowest = 1.0
    for position, (landscape, first, last, _) in enumerate(scenes):
        chances = _mix(
            [
                (case.weight, landscape.elsewhere(first, last, case.outcomes[position]))
                for case in number
            ]
        )
        if chances:
            lowest = min(lowest, min(chances.values()) / total)
    return lowest


def _mix(
    cases: Sequence[tuple[float, list[tuple[tuple[int, ...], float]]]],
) -> dict[tuple[int, ...], float]:
    """Weigh the chances of the same boxes in several cases; not divided by the cases' total."""
    mixed: dict[tuple[int, ...], float] = {}
    for weight, chances in cases:
        for cells, chance in chances:
            mixed[cells] = mixed.get(cells, 0.0) + weight * chance
    return mixed
