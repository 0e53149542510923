"""What a player may know.

A view is a value made from copies: it holds no reference to the game or its mines, so nothing
that is done with it - attributes, `repr`, pickling, an exception's text - reaches the truth.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.core.errors import HiddenError
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Planes, read_clue


class Status(Enum):
    """Whether a game is running, and how it ended."""

    ONGOING = "ongoing"
    WON = "won"
    LOST = "lost"
    TERMINATED = "terminated"

    # Looked up for every reply: identity hashes in C, Enum's own hash is a Python function.
    __hash__ = object.__hash__

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self is not Status.ONGOING


ONGOING: Final = Status.ONGOING
"""Nearly every key asks for it, and looking a member up in its class takes longer than that."""


class PlayerView(NamedTuple):
    """One moment of a game as its player sees it. Sets of cells are bitboards of `grid`."""

    size: Size
    mine_count: int
    status: Status
    visible: int
    flagged: int
    clue_planes: Planes
    """The clues, bit-sliced, of visible cells only."""
    shown_mines: int | None
    """The mines once the game is over; none before."""
    exploded: Cell | None
    questioned: int = 0
    """Covered cells with a question mark, which only their player gives a meaning."""

    def __repr__(self) -> str:
        seen = f"{self.visible_count} visible, {self.flag_count} flagged"
        return f"<PlayerView {self.size}, {self.mine_count} mines, {self.status.value}, {seen}>"

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return Grid.of(self.size)

    @property
    def covered(self) -> int:
        """The cells that are neither visible nor flagged."""
        return self.grid.mask & ~(self.visible | self.flagged)

    @property
    def visible_count(self) -> int:
        """How many cells are visible."""
        return self.visible.bit_count()

    @property
    def flag_count(self) -> int:
        """How many cells are flagged."""
        return self.flagged.bit_count()

    @property
    def mines_left(self) -> int:
        """Mines less flags; below zero when there are more flags than mines."""
        return self.mine_count - self.flag_count

    @property
    def mines(self) -> int:
        """Where the mines are, which is known only once the game is over."""
        if self.shown_mines is None:
            raise HiddenError("where the mines are is known once the game is over")
        return self.shown_mines

    def before_the_end(self) -> PlayerView:
        """Return what the player knew before the mine went off."""
        if self.shown_mines is None:
            return self
        visible = self.visible & ~self.shown_mines
        return self._replace(
            status=Status.ONGOING, visible=visible, shown_mines=None, exploded=None
        )

    def cells(self, among: int | None = None) -> list[Cell]:
        """List the cells of a set, or of the whole board, in reading order."""
        return list(self.grid.cells(self.grid.mask if among is None else among))

    def clue(self, cell: Cell) -> int:
        """Read the number on a visible cell."""
        index = self.grid.index(cell)
        if not self.visible >> index & 1:
            column, row = cell
            raise HiddenError(f"the cell at column {column}, row {row} is not visible")
        return read_clue(self.clue_planes, index)

    def is_visible(self, cell: Cell) -> bool:
        """Tell whether a cell was opened."""
        return bool(self.visible & self.grid.bit(cell))

    def is_flagged(self, cell: Cell) -> bool:
        """Tell whether a cell carries a flag."""
        return bool(self.flagged & self.grid.bit(cell))
