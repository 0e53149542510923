"""Finding the field on a screen of any server, and reading it.

At the start of a game every cell is a `?`. Wherever a server paints its field and however far
apart its cells stand, these make a grid of equal steps, and there is no other of that size.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from jminesweeper.client.bot.glass import Glass
from jminesweeper.client.bot.outcome import BotError
from jminesweeper.core import Cell, Grid, PlayerView, Size, Status, parse_position

HIDDEN = "?"
_SHOWN = frozenset(".12345678")


@dataclass(frozen=True, slots=True)
class Field:
    """Where each cell of a board stands on a screen."""

    size: Size
    top: int
    left: int
    down: int
    across: int

    def letter(self, glass: Glass, cell: Cell) -> str:
        return glass.rows[self.top + cell.row * self.down][self.left + cell.column * self.across]

    def read(self, glass: Glass, mine_count: int, flagged: int) -> PlayerView | None:
        """Return what is seen of a running game; None if something is shown that ends one.

        How a server paints its marks is its own affair: the bot knows what it has marked.
        """
        grid = Grid.of(self.size)
        rows = []
        for row in range(self.size.rows):
            cells = [Cell(column, row) for column in range(self.size.columns)]
            letters = [self._face(glass, cell, flagged & grid.bit(cell)) for cell in cells]
            if "" in letters:
                return None
            rows.append("".join(letters))
        return parse_position("\n".join(rows), mine_count, Status.ONGOING)

    def _face(self, glass: Glass, cell: Cell, is_flagged: int) -> str:
        letter = self.letter(glass, cell)
        if letter in _SHOWN:
            return letter
        if is_flagged:
            return "F"
        return HIDDEN if letter == HIDDEN else ""


def find_field(glass: Glass, size: Size) -> Field:
    """Find the field of a game that has just begun."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == HIDDEN])
        for number, row in enumerate(glass.rows)
    ]
    rows = [(number, columns) for number, columns in places if len(columns) >= size.columns]
    across = _step([b - a for _, columns in rows for a, b in pairwise(columns)])
    down = _step([below - above for (above, _), (below, _) in pairwise(rows)])
    for top, columns in rows:
        for left in columns:
            field = Field(size, top, left, down, across)
            if _is_hidden(field, glass):
                return field
    raise BotError(f"There is no field of {size} hidden cells on the server's first screen.")


def _step(distances: list[int]) -> int:
    return Counter(distances).most_common(1)[0][0] if distances else 1


def _is_hidden(field: Field, glass: Glass) -> bool:
    size = field.size
    bottom = field.top + (size.rows - 1) * field.down
    right = field.left + (size.columns - 1) * field.across
    if bottom >= len(glass.rows) or right >= len(glass.rows[0]):
        return False
    return all(
        field.letter(glass, Cell(column, row)) == HIDDEN
        for row in range(size.rows)
        for column in range(size.columns)
    )
