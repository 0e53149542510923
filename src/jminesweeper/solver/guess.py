"""Choosing the cell to reveal where none is certain to be safe.

Closed-off parts of the board come first, then the end of the game, both played perfectly; otherwise
the worth of a reveal decides between near-equal risks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import or_

from jminesweeper.core.flood import flood
from jminesweeper.core.grid import bits
from jminesweeper.solver.assessment import UNSEEN, Assessment, Group
from jminesweeper.solver.endgame import Endgame, TooManyNodesError, all_layouts
from jminesweeper.solver.errors import OutOfTimeError
from jminesweeper.solver.knowledge import UNKNOWN
from jminesweeper.solver.strategy import Reason, Strategy
from jminesweeper.solver.worth import Judge

_EQUAL = 1e-9
_LARGEST_REGION = 40


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to reveal although it may be a mine."""

    index: int
    risk: float
    reason: Reason


def choose_guess(assessment: Assessment, strategy: Strategy) -> Guess:
    """Choose among the unknown cells of a position in which none is certain to be safe.

    Once time is up, the lowest risk decides.
    """
    try:
        regions = _closed_regions(assessment) if strategy.regions else []
        return (
            _play_region(assessment, regions, strategy)
            or _play_endgame(assessment, strategy)
            or (_compare(assessment, regions, strategy) if strategy.progress else None)
            or _least_risky(assessment)
        )
    except OutOfTimeError:
        return _least_risky(assessment)


def _closed_regions(assessment: Assessment) -> list[int]:
    """Find the small parts that touch no unknown cell beyond them, as sets.

    No reveal elsewhere says anything about such a part: only the mine count joins it to the rest.
    """
    if assessment.estimated:
        return []
    knowledge = assessment.knowledge
    grid, unknown = knowledge.terrain.grid, knowledge.cells_that_are(UNKNOWN)
    parts = [bits(component.cells) for component, _ in assessment.counted]
    regions: list[int] = []
    done = 0
    for part in parts:
        if part & done:
            continue
        before, cells = 0, part
        while cells != before:
            before, cells = cells, flood(grid, cells, unknown, diagonal=True)
            cells |= reduce(or_, (other for other in parts if other & cells))
        done |= cells
        if cells.bit_count() <= _LARGEST_REGION and cells != unknown:
            regions.append(cells)
    return regions


def _play_region(assessment: Assessment, regions: list[int], strategy: Strategy) -> Guess | None:
    """Play a region perfectly if its number of mines is known: waiting cannot help there."""
    for region in regions:
        parts = [part for part in assessment.counted if region >> part[0].boxes[0].cells[0] & 1]
        is_seen = sum(component.cell_count for component, _ in parts) == region.bit_count()
        is_settled = is_seen and all(len(counts.layouts) == 1 for _, counts in parts)
        if (
            is_settled
            and prod(counts.layouts[0] for _, counts in parts) <= strategy.endgame_layouts
        ):
            mines = sum(counts.fewest for _, counts in parts)
            layouts = all_layouts([component for component, _ in parts], (), mines)
            cells = [cell for component, _ in parts for cell in component.cells]
            if (guess := _search(layouts, cells, assessment, strategy)) is not None:
                return guess
    return None


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
    return _search(assessment.layouts(), list(assessment.chance), assessment, strategy)


def _search(
    layouts: Sequence[Iterable[int]],
    cells: Sequence[int],
    assessment: Assessment,
    strategy: Strategy,
) -> Guess | None:
    """Find the best cell by a full search, or else by one of the safest guesses."""
    neighbours, nodes = assessment.knowledge.terrain.neighbours, strategy.endgame_nodes
    for breadth in (None, strategy.endgame_breadth):
        search = Endgame(
            layouts, cells, neighbours, nodes, breadth=breadth, deadline=assessment.deadline
        )
        try:
            index = search.best().cell
        except TooManyNodesError:
            continue
        return Guess(index, assessment.chance[index], Reason.ENDGAME)
    return None


def _compare(assessment: Assessment, regions: list[int], strategy: Strategy) -> Guess | None:
    """Compare the least risky cells by what they are likely to lead to.

    Small regions wait while there is another choice: once the rest is solved, the mine count may
    solve them for free.
    """
    waiting = reduce(
        or_, (cells for cells in regions if cells.bit_count() <= strategy.most_postponed), 0
    )
    if waiting and (groups := assessment.beyond(waiting)):
        guess = _weigh(assessment, groups, strategy)
        if guess is not None:
            return guess
    return _weigh(assessment, assessment.groups, strategy)


def _weigh(assessment: Assessment, groups: Sequence[Group], strategy: Strategy) -> Guess | None:
    """Weigh the least risky cells of these groups; None if no cell would reveal anything new."""
    judge = Judge(assessment, groups, strategy.clears)
    unknown_around, chance = assessment.knowledge.unknown_around, assessment.chance
    cells = sorted(
        _near_best(assessment, groups, strategy),
        key=lambda cell: (chance[cell], len(unknown_around(cell)), cell),
    )
    best: int | None = None
    highest = 0.0
    for cell in cells[: strategy.candidates]:
        if 1 - chance[cell] <= highest:
            break
        worth = judge.judge(cell, highest)
        if not worth.is_dead and worth.value > highest:
            highest, best = worth.value, cell
    return None if best is None else Guess(best, chance[best], Reason.PROGRESS)


def _near_best(assessment: Assessment, groups: Sequence[Group], strategy: Strategy) -> list[int]:
    """Return the cells that are nearly as safe as the best, the safest first."""
    least = (1 - groups[0].chance) * strategy.window
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
