"""Lists to choose from and pages to read, as data: front ends draw them and move in them.

Each is a *layer* over the board. A dialog shows one by yielding it (see `talks`), and gets
what the player picked, or None when the player goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from jminesweeper.protocol.view import Listing
from jminesweeper.session.names import typeable

ROW: Final = "row"
CHOICE: Final = "choice"
NUMBER: Final = "number"
TEXT: Final = "text"
HEADING: Final = "heading"


class Row(NamedTuple):
    """A row of a menu."""

    id: str
    label: str
    value: str = ""
    """Shown at the right; what a choice, a number or a text is now."""
    kind: str = ROW
    choices: tuple[str, ...] = ()
    range: tuple[int, int] | None = None
    """The least and the most of a number; for a text, of its characters."""
    help: str = ""
    figures: tuple[str, ...] = ()
    """More values, in columns with those of the other rows."""
    disabled: str = ""
    """Why it cannot be picked, if it cannot."""
    can_drop: bool = False

    def read(self, typed: str) -> str | None:
        """Return the value that a player gives the row, or None if it takes no such value."""
        match self.kind:
            case "choice":
                return typed if typed in self.choices else None
            case "number" if self.range is not None and typed.isascii() and typed.isdecimal():
                least, most = self.range
                return str(min(max(int(typed), least), most))
            case "text":
                return typeable(typed)
            case "row":
                return ""
            case _:
                return None


class Pick(NamedTuple):
    """What a player did with a row."""

    row: str
    value: str = ""
    is_drop: bool = False
    is_sure: bool = False
    """The player need not be asked again."""


AGAIN: Final = Pick("")
"""The player's client looks again after `Menu.asks_again_ms`."""


class Layer:
    """What covers the board: a list to choose from, a page to read, a replay."""


class Menu(Layer):
    """A list of rows. Rows that can change are given as a function, which makes them again."""

    def __init__(
        self,
        menu_id: str,
        title: str,
        rows: Sequence[Row] | Callable[[], Sequence[Row]],
        selected: str = "",
        *,
        asks_again_ms: int | None = None,
    ) -> None:
        self.id = menu_id
        self.title = title
        self.selected = selected
        """The row to begin at; without one the first."""
        self.asks_again_ms = asks_again_ms
        """After what time a client should look again; more may be known then."""
        self._make_rows = rows if callable(rows) else lambda: rows
        self.rows = tuple(self._make_rows())

    def refresh(self) -> None:
        """Show how things are now."""
        self.rows = tuple(self._make_rows())

    def find(self, row_id: str) -> Row | None:
        """Find a row that can be picked."""
        return next((row for row in self.rows if row.id == row_id and not row.disabled), None)


class Page(Layer):
    """Lines to read."""

    def __init__(self, page_id: str, title: str, lines: Sequence[str | Listing]) -> None:
        self.id = page_id
        self.title = title
        self.lines = tuple(lines)
