"""The dealer's side of whole games at speed, without the engine's bookkeeping.

A `DealtBoard` knows the mines, opens cells with the 8-neighbour flood and hands out clues, and
nothing else. A player of it sees clues only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from jminesweeper.core.generator import place_mines, protect, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Size, indices
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import FirstReveal, Spread

_CROWDED = 0.18
"""Between Intermediate, where (2,2) wins more than (3,3), and Expert, where it wins less."""
_DIGIT_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))


class DealtBoard:
    """One board to play on."""

    __slots__ = ("_clues", "_field", "_grid", "_mines", "_spread", "_zeros", "left", "visible")

    def __init__(self, field: Minefield, spread: Spread = Spread.EIGHT) -> None:
        self._field = field
        self._grid = field.grid
        self._mines = field.mines
        self._zeros = field.zeros
        self._spread = spread
        self._clues = _digits(field)
        self.visible = 0
        self.left = field.size.cells - field.mine_count
        """Safe cells still covered; at 0 the game is won."""

    def reveal(self, index: int) -> list[tuple[int, int]] | None:
        """Open a cell; return the newly visible cells with their clues, or None for a mine."""
        bit = 1 << index
        if self._mines & bit:
            return None
        if self.visible & bit:
            return []
        if not self._zeros & bit:
            self.visible |= bit
            self.left -= 1
            return [(index, self._clues[index])]
        opened = self._field.flood(bit, self.visible, self._spread) & ~self.visible
        self.visible |= opened
        found = indices(opened)
        self.left -= len(found)
        clues = self._clues
        return [(each, clues[each]) for each in found]

    def reveal_all(self, cells: Iterable[int]) -> list[tuple[int, int]] | None:
        """Open cells in turn; return what became visible, or None as soon as one is a mine."""
        shown: list[tuple[int, int]] = []
        for index in cells:
            opened = self.reveal(index)
            if opened is None:
                return None
            shown += opened
        return shown


def _digits(field: Minefield) -> bytes:
    """Return the clue of every cell by index."""
    packed = sum(
        int(format(plane, "b"), 16) << weight for weight, plane in enumerate(field.clue_planes)
    )
    length = field.grid.stride * field.size.rows
    text = format(packed, f"0{length}x")[::-1]
    return text.encode().translate(_DIGIT_VALUES)


@dataclass(frozen=True, slots=True)
class Contest:
    """Which boards are played, and how each game begins."""

    size: Size
    mine_count: int
    first: Cell
    protection: FirstReveal


class Opening(Enum):
    """The two customary kinds of first click: any safe cell, or one without mines around it."""

    SAFE_CORNER = "S"
    ZERO_INSIDE = "Z"

    def contest(self, size: Size, mine_count: int) -> Contest:
        """Choose the first cell that wins most."""
        if self is Opening.SAFE_CORNER:
            return Contest(size, mine_count, Cell(0, 0), FirstReveal.SAFE)
        # On crowded boards a cell further from the corner wins more: it opens a larger part.
        inset = 3 if mine_count > _CROWDED * size.cells else 2
        first = Cell(min(inset, size.columns - 1), min(inset, size.rows - 1))
        return Contest(size, mine_count, first, FirstReveal.ZERO)


def deal(contest: Contest, seed: int) -> Minefield:
    """Return the board of a seed: the same for every player that is compared."""
    random_bits = seeded_bits(seed)
    mines = place_mines(contest.size, contest.mine_count, random_bits)
    grid = Grid.of(contest.size)
    mines = protect(grid, mines, contest.first, contest.protection, random_bits)
    return Minefield(contest.size, mines)
