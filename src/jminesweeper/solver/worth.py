"""What a guess is worth: the chance to survive it and the next reveal after it.

Each number that a candidate may show is weighed by its chance, and by what the board then offers:
its two safest cells, or the cells that become certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jminesweeper.solver.assessment import ESTIMATED, UNSEEN, Assessment
from jminesweeper.solver.knowledge import UNKNOWN
from jminesweeper.solver.what_if import Possibility, WhatIf, unseen_shares

_LEAST_SHARE = 1e-12
# How won games depend on what a guess led to, fitted to 35,000 guesses: on the safeties of the two
# best cells about equally, or else on how many cells are safe; the third hardly matters.
_BLEND = 0.7
_MOST_SECOND = 0.9
_SURE = (0.0, 0.95, 0.98, 1.0)


class Worth(NamedTuple):
    """How a candidate was judged."""

    value: float
    is_dead: bool
    """Whether it shows the same number in every layout, so that nothing is learned."""


class _Scene(NamedTuple):
    """One component that a candidate touches."""

    what_if: WhatIf
    first: int
    last: int
    possibilities: list[Possibility]


class _Case(NamedTuple):
    """One way to get a number: so many mines in each scene and among the unseen cells."""

    weight: float
    unseen: int
    possibilities: tuple[Possibility, ...]


class Judge:
    """Judges candidates of one position."""

    def __init__(self, assessment: Assessment, clears: float) -> None:
        self._assessment = assessment
        self._clears = clears

    def judge(self, index: int, target: float) -> Worth:
        """Judge a candidate; stop, with a value below the target, once it cannot reach it."""
        assessment = self._assessment
        status, owner = assessment.knowledge.status, assessment.owner
        around = {
            near
            for near in assessment.knowledge.terrain.neighbours[index]
            if status[near] == UNKNOWN
        }
        safety = 1 - assessment.chance[index]
        owners = {owner[near] for near in around}
        owners.add(owner[index])
        if not around:
            return Worth(safety, is_dead=True)
        if ESTIMATED in owners:
            # Nothing is known about what follows: assume the worst next reveal.
            return Worth(safety * (1 - assessment.lowest), is_dead=False)
        owners.discard(UNSEEN)
        scenes = [
            _Scene(what_if, *what_if.possibilities(index, around))
            for what_if in map(assessment.what_if, sorted(owners))
        ]
        unseen = sum([owner[near] == UNSEEN for near in around])
        cases = _cases(scenes, unseen_shares(unseen, assessment.unseen_chance))
        if len(cases) <= 1:
            return Worth(safety, is_dead=True)
        scale = safety / sum([case.weight for number in cases for case in number])
        shares = [(sum([case.weight for case in number]) * scale, number) for number in cases]
        shares.sort(key=lambda share: -share[0])
        after = _After(scenes, unseen, self._best_elsewhere(index, around, owners), self._clears)
        return Worth(_expect(shares, after, target), is_dead=False)

    def _best_elsewhere(self, index: int, around: set[int], owners: set[int]) -> list[float]:
        """Return the two lowest chances among the cells that the candidate does not affect."""
        lowest: list[float] = []
        for chance, owner, cells in self._assessment.groups:
            if owner in owners:
                continue
            count = len(cells)
            if owner == UNSEEN and count <= len(around) + 2:
                count = sum([cell != index and cell not in around for cell in cells])
            lowest.extend([chance] * min(count, 2))
            if len(lowest) >= 2:
                break
        return lowest


def _cases(scenes: Sequence[_Scene], unseen: Sequence[float]) -> list[list[_Case]]:
    """Return every way to get each number, one list per number."""
    partial: list[tuple[int, float, tuple[Possibility, ...]]] = [(0, 1.0, ())]
    for scene in scenes:
        partial = [
            (mines + possibility.mines, weight * possibility.share, (*possibilities, possibility))
            for mines, weight, possibilities in partial
            for possibility in scene.possibilities
        ]
    by_number: dict[int, list[_Case]] = {}
    for mines, weight, possibilities in partial:
        for more, share in enumerate(unseen):
            if weight * share > _LEAST_SHARE:
                case = _Case(weight * share, more, possibilities)
                by_number.setdefault(mines + more, []).append(case)
    return [by_number[number] for number in sorted(by_number)]


class _After(NamedTuple):
    """What is around a candidate and matters to the next reveal."""

    scenes: list[_Scene]
    unseen: int
    other: list[float]
    """The lowest chances among the cells that the candidate does not affect."""
    clears: float

    def worth(self, number: list[_Case]) -> float:
        """Return how good the position is after the candidate shows a number."""
        total = sum([case.weight for case in number])
        chances, clears = self._nearby(number, total)
        if clears:
            return _SURE[min(clears, len(_SURE) - 1)] + clears * self.clears
        chances += self.other
        chances += self._further(number, total)
        chances += (1.0, 1.0)
        chances.sort()
        lowest, second = chances[:2]
        return float(((1 - lowest) * (1 - min(second, _MOST_SECOND))) ** _BLEND)

    def _nearby(self, number: list[_Case], total: float) -> tuple[list[float], int]:
        """Return the chances of the cells around the candidate, and how many are certainly safe."""
        chances: list[float] = []
        clears = 0
        if self.unseen:
            lowest = sum([case.weight * case.unseen for case in number]) / total / self.unseen
            clears = 0 if lowest else self.unseen
            chances += [lowest] * min(self.unseen, 2)
        for position in range(len(self.scenes)):
            mixed = _mix([(case.weight, case.possibilities[position].near) for case in number])
            clears += sum([len(cells) for cells, weight in mixed.items() if not weight])
            chances += _each_cell(mixed, total)
        return chances, clears

    def _further(self, number: list[_Case], total: float) -> list[float]:
        """Return the chances of the cells in the rest of the touched components."""
        chances: list[float] = []
        for position, (what_if, first, last, _) in enumerate(self.scenes):
            mixed = _mix(
                [
                    (case.weight, what_if.elsewhere(first, last, case.possibilities[position]))
                    for case in number
                ]
            )
            chances += _each_cell(mixed, total)
        return chances


def _each_cell(mixed: dict[tuple[int, ...], float], total: float) -> list[float]:
    """Return the chances of boxes, twice where a box has more than one cell."""
    chances = []
    for cells, weight in mixed.items():
        chances.append(weight / total)
        if len(cells) > 1:
            chances.append(weight / total)
    return chances


def _expect(shares: Sequence[tuple[float, list[_Case]]], after: _After, target: float) -> float:
    """Weigh the worth of every number by its chance, while the target can be reached."""
    hope = sum([share for share, _ in shares])
    worth = 0.0
    for share, number in shares:
        if worth + hope <= target:
            break
        hope -= share
        worth += share * after.worth(number)
    return worth


def _mix(
    cases: Sequence[tuple[float, list[tuple[tuple[int, ...], float]]]],
) -> dict[tuple[int, ...], float]:
    """Weigh the chances of the same boxes in several cases; not divided by the cases' total."""
    mixed: dict[tuple[int, ...], float] = {}
    for weight, chances in cases:
        for cells, chance in chances:
            mixed[cells] = mixed.get(cells, 0.0) + weight * chance
    return mixed
