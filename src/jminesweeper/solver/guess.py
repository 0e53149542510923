"""Choosing the cell to reveal where none is certain to be safe.

Parts of the board that no other reveal can explain come first, then the end of the game, which is
played perfectly; otherwise the worth of a reveal decides between near-equal risks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from jminesweeper.solver.assessment import UNSEEN, Assessment, Group
from jminesweeper.solver.endgame import Endgame, TooManyNodesError, all_layouts
from jminesweeper.solver.errors import OutOfTimeError
from jminesweeper.solver.strategy import Reason, Strategy
from jminesweeper.solver.tosses import Region, Tosses, find_regions
from jminesweeper.solver.worth import Judge

_ALMOST_ALL = 0.9999
_EQUAL = 1e-9
_WIDER_FOR_RELIEF = 0.87


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to reveal although it may be a mine."""

    index: int
    risk: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    risk: float
    hope: float
    """The most it could be worth."""
    covered: int


def choose_guess(assessment: Assessment, strategy: Strategy) -> Guess:
    """Choose among the unknown cells of a position in which none is certain to be safe.

    Once time is up, the lowest risk decides.
    """
    try:
        return _promising(assessment, strategy) or _least_risky(assessment)
    except OutOfTimeError:
        return _least_risky(assessment)


def _promising(assessment: Assessment, strategy: Strategy) -> Guess | None:
    """Choose by more than the risk of a guess."""
    regions = find_regions(assessment) if strategy.regions else []
    return (
        _play_region(assessment, regions, strategy)
        or _play_endgame(assessment, strategy)
        or (_compare(assessment, regions, strategy) if strategy.progress else None)
    )


def _least_risky(assessment: Assessment) -> Guess:
    """Return the lowest risk; of equal ones the cell with the fewest covered neighbours."""
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


def _play_endgame(assessment: Assessment, strategy: Strategy) -> Guess | None:
    """Search to the end, if few layouts are left and the search is small enough."""
    if not assessment.exact or assessment.balance.layouts > strategy.endgame_layouts:
        return None
    index = _search(assessment.layouts(), list(assessment.chance), assessment, strategy)
    return None if index is None else Guess(index, assessment.chance[index], Reason.ENDGAME)


def _search(
    layouts: Sequence[Iterable[int]],
    cells: Sequence[int],
    assessment: Assessment,
    strategy: Strategy,
) -> int | None:
    """Find the best cell by a full search, or else by one of the safest guesses."""
    neighbours, nodes = assessment.knowledge.terrain.neighbours, strategy.endgame_nodes
    for breadth in (None, strategy.endgame_breadth):
        try:
            search = Endgame(
                layouts, cells, neighbours, nodes, breadth=breadth, deadline=assessment.deadline
            )
            return search.best().cell
        except TooManyNodesError:
            continue
    return None


def _play_region(
    assessment: Assessment, regions: Sequence[Region], strategy: Strategy
) -> Guess | None:
    """Play a region perfectly if its number of mines is known: no other reveal can help there."""
    for region in regions:
        parts = [assessment.counted[position] for position in region.components]
        ways = prod([counts.layouts[0] for _, counts in parts])
        is_settled = not region.has_unseen and all(len(counts.layouts) == 1 for _, counts in parts)
        if not is_settled or ways > strategy.endgame_layouts:
            continue
        mines = sum([counts.fewest for _, counts in parts])
        layouts = all_layouts([component for component, _ in parts], (), mines)
        index = _search(layouts, region.cells, assessment, strategy)
        if index is not None:
            return Guess(index, assessment.chance[index], Reason.TOSS)
    return None


def _compare(assessment: Assessment, regions: Sequence[Region], strategy: Strategy) -> Guess | None:
    """Compare the least risky cells by what they are likely to lead to.

    Small regions wait while there is another choice: once the rest is solved, the mine count may
    solve them for free.
    """
    waiting = {
        cell
        for region in regions
        if len(region.cells) <= strategy.most_postponed
        for cell in region.cells
    }
    if waiting and (groups := assessment.beyond(waiting)):
        guess = _weigh(assessment, groups, strategy)
        if guess is not None:
            return guess
    return _weigh(assessment, assessment.groups, strategy)


def _weigh(assessment: Assessment, groups: Sequence[Group], strategy: Strategy) -> Guess | None:
    """Weigh the least risky cells of these groups; None if no cell would reveal anything new."""
    judge = Judge(assessment, groups, strategy.clears)
    tosses = Tosses(assessment) if strategy.tosses else None
    candidates = []
    least = (1 - groups[0].chance) * strategy.window
    for index in _near_best(assessment, groups, strategy):
        risk = assessment.chance[index]
        relief = tosses.relief(index) if tosses else 0.0
        if relief > risk * _ALMOST_ALL and not judge.judge(index, 1.0).is_dead:
            return Guess(index, risk, Reason.TOSS)
        hope = 1 - risk + strategy.relief * relief
        if hope >= least:
            covered = len(assessment.knowledge.unknown_around(index))
            candidates.append(_Candidate(index, risk, hope, covered))
    candidates.sort(key=lambda each: (-each.hope, each.covered, each.index))
    return _best_of(candidates[: strategy.candidates], judge)


def _near_best(assessment: Assessment, groups: Sequence[Group], strategy: Strategy) -> list[int]:
    """Return the cells that are nearly as safe as the best, the safest first."""
    # Relief can lift a cell into the window, so look a little wider.
    slack = _WIDER_FOR_RELIEF if strategy.tosses else 1.0
    least = (1 - groups[0].chance) * strategy.window * slack
    unknown_around = assessment.knowledge.unknown_around
    cells: list[int] = []
    for chance, owner, members in groups:
        if 1 - chance < least:
            break
        if owner == UNSEEN:
            by_room = sorted(members, key=lambda cell: len(unknown_around(cell)))
            cells.extend(by_room[: strategy.unseen_candidates])
        else:
            cells.extend(members)
    return cells


def _best_of(candidates: list[_Candidate], judge: Judge) -> Guess | None:
    """Return the candidate with the highest worth; dead cells only when there is nothing else."""
    best: _Candidate | None = None
    highest = 0.0
    for candidate in candidates:
        if candidate.hope <= highest:
            break
        factor = candidate.hope / (1 - candidate.risk)
        worth = judge.judge(candidate.index, highest / factor)
        if not worth.is_dead and worth.value * factor > highest:
            highest, best = worth.value * factor, candidate
    if best is None:
        return None
    return Guess(best.index, best.risk, Reason.PROGRESS)
