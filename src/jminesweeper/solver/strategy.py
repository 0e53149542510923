"""How to choose if no cell is safe, and the reasons for a choice.

Each part can be switched on alone, so that its worth can be measured; `PARTS` is the ladder
that docs/solver.md measures, from the lowest risk alone to everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType


class Reason(Enum):
    """Why a cell is revealed."""

    SURE = "it is safe"
    LOWEST_RISK = "no safe move; it has the lowest risk"
    PROGRESS = "no safe move; it promises the most for its risk"
    ENDGAME = "it wins most of the layouts that are left"


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to choose a guess; the defaults are the strongest measured."""

    progress: bool = True
    """Weigh near-equal risks by how safe the move after the guess will be."""
    endgame_layouts: int = 1_500
    """Search to the end of the game once at most this many layouts are left; 0 is never."""
    endgame_nodes: int = 5_000
    """Stop a search after this many positions; after a perfect search try a narrower one."""
    endgame_breadth: int = 5
    """How many guesses the narrower search follows at each step."""
    window: float = 0.87
    """Weigh cells that are at least this fraction as safe as the best."""
    candidates: int = 14
    """Weigh at most this many cells."""
    unseen_candidates: int = 6
    """Weigh at most this many cells that no number sees."""
    clears: float = 0.003
    """What each further cell proved safe adds to a guess's worth."""


FULL = Strategy()
LOWEST_RISK = replace(FULL, progress=False, endgame_layouts=0)
PARTS: Mapping[str, Strategy] = MappingProxyType(
    {
        "risk": LOWEST_RISK,
        "progress": replace(LOWEST_RISK, progress=True),
        "full": FULL,
    }
)
