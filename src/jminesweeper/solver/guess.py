"""Choosing the cell to reveal where none is certain to be safe.

The end of the game is played perfectly; before it the worth of a reveal decides between near-equal
risks. Each of these parts can be left out, so that its worth can be measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from jminesweeper.solver.endgame import Endgame, TooManyNodesError, all_layouts
from jminesweeper.solver.errors import OutOfTimeError
from jminesweeper.solver.position import UNSEEN, Assessment
from jminesweeper.solver.worth import Judge

_ENDGAME_LAYOUTS = 1_500
"""Search to the end of the game once at most this many layouts are left."""
_ENDGAME_NODES = 5_000
"""Stop a search after this many positions."""
_WINDOW = 0.87
"""Weigh cells that are at least this fraction as safe as the best."""
_CANDIDATES = 14
"""Weigh at most this many cells."""
_UNSEEN_CANDIDATES = 6
"""Weigh at most this many cells that no number sees."""
_EQUAL = 1e-9


class Reason(Enum):
    """Why a cell is revealed."""

    SURE = "it is safe"
    LOWEST_RISK = "no safe move; it has the lowest risk"
    PROGRESS = "no safe move; it promises the most for its risk"
    ENDGAME = "it wins most of the layouts that are left"


class Strategy(Enum):
    """How to choose a guess: a ladder, from the lowest risk alone to everything."""

    RISK = "risk"
    PROGRESS = "progress"
    """Weigh near-equal risks by how safe the move after the guess will be."""
    FULL = "full"
    """And search to the end of the game."""


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
        if strategy is Strategy.FULL:
            guess = _play_endgame(assessment)
        if strategy is not Strategy.RISK:
            guess = guess or _weigh(assessment)
    except OutOfTimeError:
        pass
    return guess or _least_risky(assessment)


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


def _play_endgame(assessment: Assessment) -> Guess | None:
    """Search to the end, if few layouts are left and the search is small enough."""
    if not assessment.exact or assessment.balance.total > _ENDGAME_LAYOUTS:
        return None
    known, cells = assessment.knowledge, list(assessment.chance)
    components = [component for component, _ in assessment.counted]
    layouts = all_layouts(components, assessment.unseen, known.mines_left)
    try:
        search = Endgame(layouts, cells, known.neighbours, _ENDGAME_NODES, assessment.deadline)
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
