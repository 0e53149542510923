"""Parts of the board that have nothing to do with the rest, but for the mine count.

No cell of a region touches an unknown cell beyond it, so whatever is opened elsewhere says nothing
about it, and nothing in it tells anything about what lies elsewhere. Only how many mines it takes
is left to the others, and the other way round.
"""

from __future__ import annotations

from typing import NamedTuple

from jminesweeper.solver.knowledge import UNKNOWN
from jminesweeper.solver.risks import ESTIMATED, UNSEEN, Risks

MOST_CELLS = 40


class Region(NamedTuple):
    """Some components, and the unseen cells between them."""

    components: tuple[int, ...]
    """Their positions in the assessment."""
    has_unseen: bool
    cells: tuple[int, ...]


def find_regions(risks: Risks) -> list[Region]:
    """Find the small regions beside others; what no number sees alone is not among them."""
    everything = risks.knowledge.unknown_left
    found: list[Region] = []
    done: set[int] = set()
    for position in range(len(risks.assessment.counted)):
        if position not in done:
            region = _spread(risks, position)
            if region is not None and len(region.cells) < everything:
                done.update(region.components)
                found.append(region)
    return found


def _spread(risks: Risks, position: int) -> Region | None:
    """Collect what hangs together with a component; None if that is not a small region."""
    neighbours, status = risks.knowledge.terrain.neighbours, risks.knowledge.status
    owner = risks.owner
    components = [position]
    unseen: set[int] = set()
    cells = risks.assessment.counted[position][0].cells
    # The list grows while it is walked.
    for cell in cells:
        if len(cells) > MOST_CELLS:
            return None
        for near in neighbours[cell]:
            if status[near] != UNKNOWN:
                continue
            whose = owner[near]
            if whose == ESTIMATED:
                return None
            if whose == UNSEEN:
                if near not in unseen:
                    unseen.add(near)
                    cells.append(near)
            elif whose not in components:
                components.append(whose)
                cells += risks.assessment.counted[whose][0].cells
    return Region(tuple(sorted(components)), bool(unseen), tuple(cells))
