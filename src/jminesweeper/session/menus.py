"""Lists to choose from, fields to fill in and pages to read, walked with the cursor's packets.

Each is a *layer* over the board. A dialog shows one by yielding it (see `talks`), and gets
what the player picked, or None when the player goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from jminesweeper.protocol.vocabulary import JumpTo
from jminesweeper.screen.models import Listing, MenuItem, MenuScreen, Message, PageScreen, Typing
from jminesweeper.session import messages
from jminesweeper.session.names import LONGEST_NAME, typeable
from jminesweeper.session.talks import Layer

_TO_THE_END: Final = 1 << 16
_TURNS: Final[Mapping[int, int]] = {
    JumpTo.LEFT: -10,
    JumpTo.RIGHT: 10,
    JumpTo.ROW_START: -_TO_THE_END,
    JumpTo.ROW_END: _TO_THE_END,
}
# In place of the row before the one to select: a step leads to it.
_ENDS: Final[Mapping[int, int]] = {JumpTo.ROW_START: -1, JumpTo.ROW_END: 0}
_SCROLLS: Final[Mapping[int, int]] = {
    JumpTo.UP: -5,
    JumpTo.DOWN: 5,
    JumpTo.PAGE_UP: -10,
    JumpTo.PAGE_DOWN: 10,
    JumpTo.TOP: -_TO_THE_END,
    JumpTo.BOTTOM: _TO_THE_END,
    JumpTo.ROW_START: -_TO_THE_END,
    JumpTo.ROW_END: _TO_THE_END,
}


@dataclass(frozen=True, slots=True)
class Row:
    """An item of a menu and its meaning."""

    item: MenuItem
    value: Any = None
    """What the dialog gets if this row is picked."""
    turn: Callable[[int], None] | None = None
    """Changes the row's value by so many steps."""
    write: Callable[[str], None] | None = None
    """Sets the row's value to what is typed so far."""
    can_drop: bool = False


class Pick(NamedTuple):
    """The value of a row that was chosen or dropped."""

    value: Any
    is_drop: bool = False
    is_sure: bool = False
    """The player need not be asked again."""


class Menu(Layer):
    """A list of rows, of which at least one can be chosen.

    Rows that something can change are given as a function, which makes them when the menu opens and
    whenever something changed them.
    """

    def __init__(
        self,
        title: str,
        rows: Sequence[Row] | Callable[[], Sequence[Row]],
        selected: int = 0,
        *,
        has_preview: bool = False,
    ) -> None:
        self.title = title
        self._has_preview = has_preview
        self._make_rows = rows if callable(rows) else None
        self._is_fresh = True
        """Nothing was typed yet in this row: the first character typed replaces its value."""
        self.rows = rows() if callable(rows) else rows
        self.selected = selected
        if not self.rows[selected].item.is_enabled:
            self.step(1)

    def refresh(self) -> None:
        """Show how things are now."""
        if self._make_rows is not None:
            self.rows = self._make_rows()
        self.selected = min(self.selected, len(self.rows) - 1)
        if not self.rows[self.selected].item.is_enabled:
            self.step(1)

    def step(self, rows: int) -> None:
        """Select another row; the list goes round."""
        count = len(self.rows)
        places = ((self.selected + rows * steps) % count for steps in range(1, count + 1))
        selected = next(place for place in places if self.rows[place].item.is_enabled)
        self._is_fresh = self._is_fresh or selected != self.selected
        self.selected = selected

    def jump(self, direction: int) -> None:
        """Change a number by a large step, or select the first or the last row."""
        is_number = self.rows[self.selected].item.typing is Typing.DIGITS
        if is_number or direction not in _ENDS:
            self.turn(_TURNS.get(direction, 0))
            return
        self.selected = _ENDS[direction]
        self.step(1 if direction == JumpTo.ROW_START else -1)

    def point(self, number: int) -> bool:
        """Select the row at a place, if it can be chosen; what is typed then replaces its value."""
        is_there = number < len(self.rows) and self.rows[number].item.is_enabled
        if is_there:
            self.selected, self._is_fresh = number, True
        return is_there

    def choose(self) -> Pick | None:
        """Pick the selected row; finish a typed number, or change a value by one."""
        row = self.rows[self.selected]
        if row.item.typing is Typing.DIGITS and not self._is_fresh:
            self.step(1)
        elif row.value is not None and row.item.is_enabled:
            return Pick(row.value)
        else:
            self.turn(1)
        return None

    def turn(self, steps: int) -> None:
        """Change the value of the selected row; a text stays, so that typing adds to it."""
        turn = self.rows[self.selected].turn
        self._is_fresh = turn is not None
        if turn is not None and steps:
            turn(steps)
            self.refresh()

    def type(self, text: str) -> None:
        """Add typed characters to the value of the selected row; drop what does not fit."""
        row = self.rows[self.selected]
        typed = _TYPEABLE[row.item.typing](text)
        if row.write is None or not typed:
            return
        value = typed if self._is_fresh else row.item.value + typed
        # A typed zero becomes the minimum: the next digit replaces that.
        self._is_fresh = row.item.typing is Typing.DIGITS and not value.strip("0")
        row.write(value)
        self.refresh()

    def erase(self) -> Pick | None:
        """Erase the last character of a value, or pick the row for deletion."""
        row = self.rows[self.selected]
        if row.write is None:
            return Pick(row.value, is_drop=True) if row.can_drop else None
        left = row.item.value[:-1]
        self._is_fresh = not left
        row.write(left)
        self.refresh()
        return None

    def model(self, message: Message) -> MenuScreen:
        items = [row.item for row in self.rows]
        keys = self._keys()
        return MenuScreen(self.title, items, self.selected, message, keys, self._has_preview)

    def _keys(self) -> Sequence[tuple[str, str]]:
        """Say what can be done with the selected row."""
        row = self.rows[self.selected]
        if row.item.typing is Typing.TEXT:
            return messages.KEYS_FIELD
        if row.item.typing is Typing.DIGITS:
            return messages.KEYS_NUMBER
        if row.can_drop:
            return messages.KEYS_DROP
        return messages.KEYS_MENU if row.turn is None else messages.KEYS_SETTINGS


class TextField(Menu):
    """One value to type; picking it gives the text."""

    def __init__(self, title: str, item: MenuItem) -> None:
        self._item = item._replace(typing=Typing.TEXT)
        super().__init__(title, self._row)

    def choose(self) -> Pick | None:
        return Pick(self._item.value)

    def _row(self) -> Sequence[Row]:
        return (Row(self._item, write=self._write),)

    def _write(self, text: str) -> None:
        self._item = self._item._replace(value=text[:LONGEST_NAME])


class Page(Layer):
    """Lines to read."""

    def __init__(self, title: str, lines: Sequence[str | Listing]) -> None:
        self.title = title
        self.lines = lines
        self.first_line = 0

    def step(self, rows: int) -> None:
        """Scroll; the screen knows where the end is, and says afterwards how far it went."""
        self.first_line = max(0, self.first_line + rows)

    def turn(self, steps: int) -> None:
        """Stay: a page is no wider than the screen."""

    def jump(self, direction: int) -> None:
        self.step(_SCROLLS.get(direction, 0))

    def model(self, message: Message) -> PageScreen:
        keys, part_keys = messages.KEYS_PAGE, messages.KEYS_LONG_PAGE
        return PageScreen(self.title, self.lines, self.first_line, message, keys, part_keys)


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdecimal() else ""


_TYPEABLE: Final[Mapping[Typing, Callable[[str], str]]] = {
    Typing.NOTHING: lambda _text: "",
    Typing.DIGITS: _digits,
    Typing.TEXT: typeable,
}
