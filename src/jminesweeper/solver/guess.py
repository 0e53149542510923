"""Choosing the cell to reveal when none is sure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

from jminesweeper.solver.analysis import Assessment
from jminesweeper.solver.endgame import Endgame, TooManyNodesError
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.layouts import all_layouts
from jminesweeper.solver.prospects import Prospects
from jminesweeper.solver.regions import Region, find_regions
from jminesweeper.solver.risks import UNSEEN, Group, Risks
from jminesweeper.solver.strategy import Strategy
from jminesweeper.solver.traps import Traps

_ALMOST_ALL = 0.9999
_EQUAL = 1e-9
_WIDER_FOR_RELIEF = 0.87


class Reason(Enum):
    """Why a cell is revealed."""

    SURE = "it holds no mine"
    LOWEST_RISK = "nothing is sure, and it is the least likely mine"
    PROGRESS = "nothing is sure, and it leads on best for its risk"
    FIFTY_FIFTY = "a guess that nothing can spare"
    ENDGAME = "it wins the most of the layouts that are left"


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to reveal though it may be a mine."""

    index: int
    risk: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    risk: float
    hope: float
    """The most it can be worth."""
    covered: int


def choose_guess(knowledge: Knowledge, assessment: Assessment, strategy: Strategy) -> Guess:
    """Choose among the unknown cells of a position where none is sure to be safe."""
    risks = Risks(knowledge, assessment)
    regions = find_regions(risks) if strategy.regions else []
    return (
        _play_region(risks, regions, strategy)
        or _play_endgame(risks, strategy)
        or (_compare(risks, regions, strategy) if strategy.progress else None)
        or _least_risky(risks)
    )


def _least_risky(risks: Risks) -> Guess:
    """Return the lowest risk; of equal ones the cell with the fewest covered neighbours."""
    lowest = risks.lowest
    cells = [
        cell for group in risks.groups if group.chance <= lowest + _EQUAL for cell in group.cells
    ]
    index = min(cells, key=lambda cell: (risks.unknown_neighbours(cell), cell))
    return Guess(index, risks.chance[index], Reason.LOWEST_RISK)


def _play_endgame(risks: Risks, strategy: Strategy) -> Guess | None:
    """Search to the end, if few layouts are left and the search stays within its bounds."""
    assessment = risks.assessment
    if not assessment.exact or assessment.balance.total > strategy.endgame_layouts:
        return None
    index = _search(risks.layouts(), list(risks.chance), risks, strategy)
    return None if index is None else Guess(index, risks.chance[index], Reason.ENDGAME)


def _search(
    layouts: Sequence[Iterable[int]], cells: Sequence[int], risks: Risks, strategy: Strategy
) -> int | None:
    """Find the best cell by searching everything, or else the likeliest guesses only."""
    neighbours = risks.knowledge.terrain.neighbours
    for breadth in (None, strategy.endgame_breadth):
        try:
            return Endgame(layouts, cells, neighbours, strategy.endgame_nodes, breadth).best().cell
        except TooManyNodesError:
            continue
    return None


def _play_region(risks: Risks, regions: Sequence[Region], strategy: Strategy) -> Guess | None:
    """Play out a region perfectly whose number of mines is known: nothing will tell more of it."""
    for region in regions:
        parts = [risks.assessment.counted[position] for position in region.components]
        ways = prod([counts.layouts[0] for _, counts in parts])
        is_settled = not region.has_unseen and all(len(counts.layouts) == 1 for _, counts in parts)
        if not is_settled or ways > strategy.endgame_layouts:
            continue
        mines = sum([counts.fewest for _, counts in parts])
        layouts = all_layouts([component for component, _ in parts], (), mines)
        index = _search(layouts, region.cells, risks, strategy)
        if index is not None:
            return Guess(index, risks.chance[index], Reason.FIFTY_FIFTY)
    return None


def _compare(risks: Risks, regions: Sequence[Region], strategy: Strategy) -> Guess | None:
    """Compare the least risky cells by what they are likely to lead to.

    Small regions wait as long as there is something else: once all the rest is solved the mine
    count may solve them for nothing.
    """
    waiting = {
        cell
        for region in regions
        if len(region.cells) <= strategy.most_postponed
        for cell in region.cells
    }
    if waiting and (groups := risks.beyond(waiting)):
        guess = _weigh(risks, groups, strategy)
        if guess is not None:
            return guess
    return _weigh(risks, risks.groups, strategy)


def _weigh(risks: Risks, groups: Sequence[Group], strategy: Strategy) -> Guess | None:
    """Weigh the least risky cells of these groups; None if none of them would tell anything."""
    prospects = Prospects(risks, groups, strategy.clears)
    traps = Traps(risks) if strategy.fifty_fifties else None
    candidates = []
    least = (1 - groups[0].chance) * strategy.window
    for index in _near_best(risks, groups, strategy):
        risk = risks.chance[index]
        relief = traps.relief(index) if traps else 0.0
        if relief > risk * _ALMOST_ALL and not prospects.judge(index, 1.0).is_dead:
            return Guess(index, risk, Reason.FIFTY_FIFTY)
        hope = 1 - risk + strategy.relief * relief
        if hope >= least:
            covered = risks.unknown_neighbours(index)
            candidates.append(_Candidate(index, risk, hope, covered))
    candidates.sort(key=lambda each: (-each.hope, each.covered, each.index))
    return _best_of(candidates[: strategy.candidates], prospects)


def _near_best(risks: Risks, groups: Sequence[Group], strategy: Strategy) -> list[int]:
    """Return the cells whose safety comes near the best, the safest first."""
    # Relief can lift a cell into the window, so the net is cast wider by what it usually gives.
    slack = _WIDER_FOR_RELIEF if strategy.fifty_fifties else 1.0
    least = (1 - groups[0].chance) * strategy.window * slack
    cells: list[int] = []
    for chance, owner, members in groups:
        if 1 - chance < least:
            break
        if owner == UNSEEN:
            by_room = sorted(members, key=risks.unknown_neighbours)
            cells.extend(by_room[: strategy.unseen_candidates])
        else:
            cells.extend(members)
    return cells


def _best_of(candidates: list[_Candidate], prospects: Prospects) -> Guess | None:
    """Return the candidate with the highest worth; dead cells only when there is nothing else."""
    best: _Candidate | None = None
    highest = 0.0
    for candidate in candidates:
        if candidate.hope <= highest:
            break
        factor = candidate.hope / (1 - candidate.risk)
        prospect = prospects.judge(candidate.index, highest / factor)
        if not prospect.is_dead and prospect.worth * factor > highest:
            highest, best = prospect.worth * factor, candidate
    if best is None:
        return None
    return Guess(best.index, best.risk, Reason.PROGRESS)
