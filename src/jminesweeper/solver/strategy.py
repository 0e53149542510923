"""What a player takes into account when nothing is sure, part by part.

Each part can be switched on by itself, so that its worth can be measured; `PARTS` is the ladder
that docs/solver.md measures, from the lowest risk alone to everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to choose a guess; the defaults are the strongest that was measured."""

    progress: bool = True
    """Weigh near-equal risks by how safe the move after the guess will be."""
    fifty_fifties: bool = True
    """Take unavoidable coin tosses at once, and credit reveals that may spare one."""
    regions: bool = True
    """Play out parts of the board by themselves that nothing else bears on, or leave them to the
    end, where the mine count may solve them."""
    endgame_layouts: int = 1_500
    """Search to the end of the game from this many layouts on; 0 is never."""
    endgame_nodes: int = 5_000
    """Give a search up after so many positions; if it was perfect, try a narrower one."""
    endgame_breadth: int = 5
    """How many guesses the narrower search follows at each step."""
    window: float = 0.87
    """Weigh cells whose safety is at least this part of the best."""
    candidates: int = 14
    """Weigh at most so many cells."""
    unseen_candidates: int = 6
    """Weigh at most so many cells that no number sees."""
    relief: float = 0.7
    """How much of a spared coin toss to count."""
    most_postponed: int = 16
    """Leave regions of up to so many cells to the end."""
    clears: float = 0.003
    """What each further cell proved safe adds to a guess's worth."""


FULL = Strategy()
LOWEST_RISK = replace(FULL, progress=False, fifty_fifties=False, regions=False, endgame_layouts=0)
PARTS: Mapping[str, Strategy] = MappingProxyType(
    {
        "risk": LOWEST_RISK,
        "progress": replace(LOWEST_RISK, progress=True),
        "endgame": replace(FULL, fifty_fifties=False, regions=False),
        "tosses": replace(FULL, regions=False),
        "full": FULL,
    }
)
