"""Choosing the cell to reveal where none is certain to be safe.

The end of the game is played perfectly; before it the worth of a reveal decides between near-equal
risks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jminesweeper.solver.assessment import UNSEEN, Assessment
from jminesweeper.solver.endgame import Endgame, TooManyNodesError
from jminesweeper.solver.errors import OutOfTimeError
from jminesweeper.solver.strategy import Reason, Strategy
from jminesweeper.solver.worth import Judge

_EQUAL = 1e-9


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
        return (
            _play_endgame(assessment, strategy)
            or (_weigh(assessment, strategy) if strategy.progress else None)
            or _least_risky(assessment)
        )
    except OutOfTimeError:
        return _least_risky(assessment)


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


def _weigh(assessment: Assessment, strategy: Strategy) -> Guess | None:
    """Weigh the least risky cells by what they may lead to; None if none would tell anything."""
    judge = Judge(assessment, strategy.clears)
    unknown_around, chance = assessment.knowledge.unknown_around, assessment.chance
    cells = sorted(
        _near_best(assessment, strategy),
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


def _near_best(assessment: Assessment, strategy: Strategy) -> list[int]:
    """Return the cells that are nearly as safe as the best, the safest first."""
    least = (1 - assessment.lowest) * strategy.window
    unknown_around = assessment.knowledge.unknown_around
    cells: list[int] = []
    for chance, owner, members in assessment.groups:
        if 1 - chance < least:
            break
        if owner == UNSEEN:
            by_room = sorted(members, key=lambda cell: len(unknown_around(cell)))
            cells.extend(by_room[: strategy.unseen_candidates])
        else:
            cells.extend(members)
    return cells
