"""Choosing the cell to reveal where none is certain to be safe.

The end of the game is played perfectly (`endgame`). Before it the worth of a reveal decides between
near-equal risks: the chance to survive it and the next reveal after it. Each of these parts can be
left out (`Strategy`), so that its worth can be measured.

Each number that a candidate may show is weighed by its chance, and by what the board then offers:
its two safest cells, or the cells that become certain. For that a component is swept once with a
counter beside the packed needs, which adds up the mines around the candidate. Only the boxes
between the candidate's first and last neighbour are swept again: what comes before and after them
is taken from the tables of the position itself. Every mine outside the component weighs the odds
that the mine count gives it, which is exact enough to rank moves, and never used to call a cell
safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb, exp, fsum, log
from typing import NamedTuple

from jminesweeper.solver.components import (
    Component,
    Step,
    advance,
    mined_weight,
    odds_factors,
    retreat,
    sweep_backward,
    sweep_forward,
)
from jminesweeper.solver.endgame import Endgame, TooManyNodesError, all_layouts
from jminesweeper.solver.knowledge import UNKNOWN, Deadline, OutOfTimeError, check, never
from jminesweeper.solver.position import UNSEEN, Assessment

_LEAST_SHARE = 1e-12
# How won games depend on what a guess led to, fitted to 35,000 guesses: on the safeties of the two
# best cells about equally, or else on how many cells are safe; the third hardly matters.
_BLEND = 0.7
_MOST_SECOND = 0.9
_SURE = (0.0, 0.95, 0.98, 1.0)
_CLEARS = 0.003
"""Worth that each further cell proved safe adds."""


class Possibility(NamedTuple):
    """One possible number of mines around a candidate within one component."""

    mines: int
    span: range
    """The boxes that revealing the candidate touches, and those between them."""
    share: float
    """Its chance together with the candidate being safe."""
    near: list[tuple[tuple[int, ...], float]]
    """The boxes around the candidate, as they are split by it, with their chances of a mine."""
    ahead: dict[int, float]
    beyond: dict[int, float]


class WhatIf:
    """One component under fixed odds, with the tables that all what-ifs of a move share."""

    def __init__(self, component: Component, odds: float, deadline: Deadline = never) -> None:
        self.component = component
        self.deadline = deadline
        self.factors = odds_factors(odds)
        steps = component.steps
        self.tables = sweep_forward(component, self.factors, deadline=deadline)
        self.behind = sweep_backward(self.tables, steps, self.factors, deadline)
        self.total = self.behind[0][component.start]
        self.top = component.width
        self.position_of = {
            cell: position for position, box in enumerate(component.boxes) for cell in box.cells
        }

    def possibilities(self, candidate: int, around: set[int]) -> list[Possibility]:
        """Return what a candidate may show of this component."""
        position_of, factors = self.position_of, self.factors
        touched = [position_of[cell] for cell in around if cell in position_of]
        if candidate in position_of:
            touched.append(position_of[candidate])
        span = range(min(touched), max(touched) + 1)
        table = self.tables[span.start]
        run: list[tuple[Step, dict[int, float], tuple[int, ...]]] = []
        for position in span:
            check(self.deadline)
            for step, cells in self._split(position, candidate, around):
                run.append((step, table, cells))
                table = advance(table, step, factors)
        below = (1 << self.top) - 1
        ends: dict[int, dict[int, float]] = {}
        beyond = self.behind[span.stop]
        for state, weight in table.items():
            if state & below in beyond:
                ends.setdefault(state >> self.top, {})[state] = weight
        found = []
        for mines in sorted(ends):
            check(self.deadline)
            end = ends[mines]
            ahead = {state: beyond[state & below] for state in end}
            share = fsum([weight * ahead[state] for state, weight in end.items()])
            near = []
            for step, before, cells in reversed(run):
                if step.size:
                    mined = mined_weight(before, step, ahead, factors) / share
                    near.append((cells, mined))
                ahead = retreat(before, step, ahead, factors)
            tail = {state & below: weight for state, weight in end.items()}
            found.append(Possibility(mines, span, share / self.total, near, ahead, tail))
        return found

    def _split(
        self, position: int, candidate: int, around: set[int]
    ) -> list[tuple[Step, tuple[int, ...]]]:
        """Split a box into its cells around the candidate and its others, without the candidate."""
        step = self.component.steps[position]
        cells = self.component.boxes[position].cells
        near = tuple([cell for cell in cells if cell in around])
        if not near:
            if candidate not in cells:
                return [(step, cells)]
            rest = tuple([cell for cell in cells if cell != candidate])
            return [(step._replace(size=len(rest)), rest)]
        far = tuple([cell for cell in cells if cell not in around and cell != candidate])
        _, pattern, guards, capacity, shift = step
        counting = pattern - (1 << self.top)
        if not far:
            return [(Step(len(near), counting, guards, capacity, shift), near)]
        return [
            (Step(len(near), counting, guards, capacity + len(far) * pattern, 0), near),
            (Step(len(far), pattern, guards, capacity, shift), far),
        ]

    def elsewhere(self, possibility: Possibility) -> list[tuple[tuple[int, ...], float]]:
        """Return the chances of the boxes outside the span, given what the candidate shows."""
        steps, factors = self.component.steps, self.factors
        boxes = self.component.boxes
        share = possibility.share * self.total
        found = []
        ahead = possibility.ahead
        for position in range(possibility.span.start - 1, -1, -1):
            check(self.deadline)
            table = self.tables[position]
            found.append(
                (
                    boxes[position].cells,
                    mined_weight(table, steps[position], ahead, factors) / share,
                )
            )
            ahead = retreat(table, steps[position], ahead, factors)
        table = possibility.beyond
        for position in range(possibility.span.stop, len(steps)):
            check(self.deadline)
            mined = mined_weight(table, steps[position], self.behind[position + 1], factors)
            found.append((boxes[position].cells, mined / share))
            table = advance(table, steps[position], factors)
        return found


def local_odds(layouts: Sequence[int], weights: Sequence[float]) -> float:
    """Return the odds per mine that follow a component's weights best around its likely counts."""
    points = [
        (mines, log(weight), weight * ways)
        for mines, (ways, weight) in enumerate(zip(layouts, weights, strict=True))
        if ways and weight
    ]
    # Masses of large components do not fit into floats, shares do.
    heaviest = max(mass for _, _, mass in points)
    total = fsum([mass / heaviest for _, _, mass in points])
    shares = [(mines, height, mass / heaviest / total) for mines, height, mass in points]
    mean = fsum([mines * share for mines, _, share in shares])
    middle = fsum([height * share for _, height, share in shares])
    spread = fsum([share * (mines - mean) ** 2 for mines, _, share in shares])
    if spread < 1e-12:
        return 1.0
    slope = fsum([share * (mines - mean) * (height - middle) for mines, height, share in shares])
    return exp(max(-12.0, min(12.0, slope / spread)))


def unseen_shares(unseen: int, chance: float) -> list[float]:
    """Return the chance of each number of mines among some unseen cells."""
    return [
        comb(unseen, mines) * chance**mines * (1 - chance) ** (unseen - mines)
        for mines in range(unseen + 1)
    ]


class _Case(NamedTuple):
    """One way to get a number: so many mines in each component and among the unseen cells."""

    weight: float
    unseen: int
    possibilities: tuple[Possibility, ...]


class Judge:
    """Judges candidates of one position."""

    def __init__(self, assessment: Assessment) -> None:
        self._assessment = assessment
        self._what_ifs: dict[int, WhatIf] = {}

    def judge(self, index: int) -> float | None:
        """Judge a candidate; None if it shows the same in every layout: nothing is learned."""
        assessment = self._assessment
        status, owner = assessment.knowledge.status, assessment.owner
        around = {
            near for near in assessment.knowledge.neighbours[index] if status[near] == UNKNOWN
        }
        safety = 1 - assessment.chance[index]
        owners = {owner[near] for near in around}
        owners.add(owner[index])
        if not around:
            return None
        owners.discard(UNSEEN)
        touched: list[WhatIf] = []
        for each in sorted(owners):
            # The tables of a counted component are made once.
            if each not in self._what_ifs:
                component, counts = assessment.counted[each]
                odds = local_odds(counts.layouts, assessment.balance.weights[each])
                self._what_ifs[each] = WhatIf(component, odds, assessment.deadline)
            touched.append(self._what_ifs[each])
        found = [what_if.possibilities(index, around) for what_if in touched]
        unseen = sum([owner[near] == UNSEEN for near in around])
        cases = _cases(found, unseen_shares(unseen, assessment.unseen_chance))
        if len(cases) <= 1:
            return None
        # The two lowest chances among the cells that the candidate does not affect.
        lowest: list[float] = []
        for chance, whose, cells in assessment.groups:
            if whose in owners:
                continue
            count = len(cells)
            if whose == UNSEEN and count <= len(around) + 2:
                count = sum([cell != index and cell not in around for cell in cells])
            lowest.extend([chance] * min(count, 2))
            if len(lowest) >= 2:
                break
        after = _After(touched, unseen, lowest)
        totals = [fsum([case.weight for case in number]) for number in cases]
        worths = [
            total * after.worth(number, total) for number, total in zip(cases, totals, strict=True)
        ]
        return safety * fsum(worths) / fsum(totals)


def _cases(found: Sequence[list[Possibility]], unseen: Sequence[float]) -> list[list[_Case]]:
    """Return every way to get each number, one list per number."""
    partial: list[tuple[int, float, tuple[Possibility, ...]]] = [(0, 1.0, ())]
    for some in found:
        partial = [
            (mines + possibility.mines, weight * possibility.share, (*possibilities, possibility))
            for mines, weight, possibilities in partial
            for possibility in some
        ]
    by_number: dict[int, list[_Case]] = {}
    for mines, weight, possibilities in partial:
        for more, share in enumerate(unseen):
            if weight * share > _LEAST_SHARE:
                case = _Case(weight * share, more, possibilities)
                by_number.setdefault(mines + more, []).append(case)
    return [by_number[number] for number in sorted(by_number)]


class _After(NamedTuple):
    """The part of the position around a candidate that matters to the next reveal."""

    touched: list[WhatIf]
    unseen: int
    other: list[float]
    """The lowest chances among the cells that the candidate does not affect."""

    def worth(self, number: list[_Case], total: float) -> float:
        """Return how good the position is after the candidate shows a number."""
        chances: list[float] = []
        clears = 0
        # The cells around the candidate, and how many of them are certainly safe.
        if self.unseen:
            lowest = fsum([case.weight * case.unseen for case in number]) / total / self.unseen
            clears = 0 if lowest else self.unseen
            chances += [lowest] * min(self.unseen, 2)
        for position in range(len(self.touched)):
            mixed = _mix([(case.weight, case.possibilities[position].near) for case in number])
            clears += sum([len(cells) for cells, weight in mixed.items() if not weight])
            chances += _each_cell(mixed, total)
        if clears:
            return _SURE[min(clears, len(_SURE) - 1)] + clears * _CLEARS
        chances += self.other
        # The cells in the rest of the touched components.
        for position, what_if in enumerate(self.touched):
            cases = [(case.weight, case.possibilities[position]) for case in number]
            mixed = _mix([(weight, what_if.elsewhere(possible)) for weight, possible in cases])
            chances += _each_cell(mixed, total)
        chances += (1.0, 1.0)
        chances.sort()
        lowest, second = chances[:2]
        return float(((1 - lowest) * (1 - min(second, _MOST_SECOND))) ** _BLEND)


def _each_cell(mixed: dict[tuple[int, ...], float], total: float) -> list[float]:
    """Return the chances of boxes, twice where a box has more than one cell."""
    chances = []
    for cells, weight in mixed.items():
        chances.append(weight / total)
        if len(cells) > 1:
            chances.append(weight / total)
    return chances


def _mix(
    cases: Sequence[tuple[float, list[tuple[tuple[int, ...], float]]]],
) -> dict[tuple[int, ...], float]:
    """Weigh the chances of the same boxes in several cases; not divided by the cases' total."""
    mixed: dict[tuple[int, ...], float] = {}
    for weight, chances in cases:
        for cells, chance in chances:
            mixed[cells] = mixed.get(cells, 0.0) + weight * chance
    return mixed


_WINDOW = 0.87
"""Weigh cells that are at least this fraction as safe as the best."""
_CANDIDATES = 14
"""Weigh at most this many cells."""
_UNSEEN_CANDIDATES = 6
"""Weigh at most this many cells that no number sees."""
_EQUAL = 1e-9


class Reason(Enum):
    """The reason to reveal a cell."""

    SURE = "it is safe"
    LOWEST_RISK = "no safe move; it has the lowest risk"
    PROGRESS = "no safe move; it promises the most for its risk"
    ENDGAME = "it wins most of the layouts that are left"


class Strategy(Enum):
    """Ways to choose a guess: a ladder, from the lowest risk alone to the longest search."""

    RISK = "risk"
    PROGRESS = "progress"
    """Weigh near-equal risks by how safe the move after the guess will be."""
    FULL = "full"
    """And search to the end of the game."""
    DEEP = "deep"
    """And search four times as many positions, among twice as many layouts."""


class _Reach(NamedTuple):
    """The size of a search to the end of the game."""

    layouts: int
    """Search once at most this many layouts are left."""
    nodes: int
    """Stop after this many positions."""


_REACH = {Strategy.FULL: _Reach(1_500, 5_000), Strategy.DEEP: _Reach(3_000, 20_000)}


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to reveal although it may be a mine."""

    index: int
    risk: float
    reason: Reason


def choose_guess(assessment: Assessment, strategy: Strategy = Strategy.FULL) -> Guess:
    """Choose among the unknown cells of a position in which none is certain to be safe.

    Once time is up, the lowest risk decides.
    """
    guess: Guess | None = None
    try:
        if strategy in _REACH:
            guess = _play_endgame(assessment, _REACH[strategy])
        if strategy is not Strategy.RISK:
            guess = guess or _weigh(assessment)
    except OutOfTimeError:
        pass
    if guess is not None:
        return guess
    # The lowest risk; of equal ones the cell with the fewest covered neighbours.
    lowest = assessment.lowest
    cells = [
        cell
        for group in assessment.groups
        if group.chance <= lowest + _EQUAL
        for cell in group.cells
    ]
    unknown_around = assessment.knowledge.unknown_around
    index = min(cells, key=lambda cell: (len(unknown_around(cell)), cell))
    return Guess(index, assessment.chance[index], Reason.LOWEST_RISK)


def _play_endgame(assessment: Assessment, reach: _Reach) -> Guess | None:
    """Search to the end, if few layouts are left and the search is small enough."""
    if not assessment.exact or assessment.balance.total > reach.layouts:
        return None
    known, cells = assessment.knowledge, list(assessment.chance)
    components = [component for component, _ in assessment.counted]
    layouts = all_layouts(components, assessment.unseen, known.mines_left)
    try:
        search = Endgame(layouts, cells, known.neighbours, reach.nodes, assessment.deadline)
        index = search.best().cell
    except TooManyNodesError:
        return None
    return Guess(index, assessment.chance[index], Reason.ENDGAME)


def _weigh(assessment: Assessment) -> Guess | None:
    """Weigh the least risky cells by what they may lead to; None if nothing can be told of that."""
    if assessment.estimated:
        return None
    judge = Judge(assessment)
    unknown_around, chance = assessment.knowledge.unknown_around, assessment.chance
    cells = sorted(
        _near_best(assessment), key=lambda cell: (chance[cell], len(unknown_around(cell)), cell)
    )
    best: int | None = None
    highest = 0.0
    for cell in cells[:_CANDIDATES]:
        # The next ones are no safer, and no guess is worth more than it is safe.
        if 1 - chance[cell] <= highest:
            break
        worth = judge.judge(cell)
        if worth is not None and worth > highest:
            highest, best = worth, cell
    return None if best is None else Guess(best, chance[best], Reason.PROGRESS)


def _near_best(assessment: Assessment) -> list[int]:
    """Return the cells that are nearly as safe as the best, the safest first."""
    least = (1 - assessment.lowest) * _WINDOW
    unknown_around = assessment.knowledge.unknown_around
    cells: list[int] = []
    for chance, owner, members in assessment.groups:
        if 1 - chance < least:
            break
        if owner == UNSEEN:
            by_room = sorted(members, key=lambda cell: len(unknown_around(cell)))
            cells.extend(by_room[:_UNSEEN_CANDIDATES])
        else:
            cells.extend(members)
    return cells
