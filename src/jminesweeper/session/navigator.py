"""The menus and pages that lie over a table, and how a player gets about in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.core import Cell
from jminesweeper.protocol import JumpTo
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.menus import Layer, Menu, Page
from jminesweeper.session.table import Table

_TO_THE_END: Final = 1 << 16
_TURNS: Final[Mapping[int, int]] = {
    JumpTo.LEFT: -10,
    JumpTo.RIGHT: 10,
    JumpTo.ROW_START: -_TO_THE_END,
    JumpTo.ROW_END: _TO_THE_END,
}
_SCROLLS: Final[Mapping[int, int]] = {
    JumpTo.UP: -5,
    JumpTo.DOWN: 5,
    JumpTo.PAGE_UP: -10,
    JumpTo.PAGE_DOWN: 10,
    JumpTo.TOP: -_TO_THE_END,
    JumpTo.BOTTOM: _TO_THE_END,
}


class Navigator:
    """Layers over a table, the topmost last. While there is one, the game waits."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._was_paused = False
        self.layers: list[Layer] = []

    @property
    def top(self) -> Layer | None:
        return self.layers[-1] if self.layers else None

    def open(self, layer: Layer, now_ms: int) -> Effects:
        """Lay a menu or a page on top; the game pauses."""
        effects = NO_EFFECTS
        if not self.layers:
            self._was_paused = self._table.is_paused
            effects = self._table.pause(now_ms)
        self._table.say("")
        self.layers.append(layer)
        return effects

    def back(self, now_ms: int) -> Effects:
        """Take the topmost layer away; below the last one the game goes on, if there is one."""
        self._table.say("")
        if len(self.layers) > 1:
            self.layers.pop()
            return NO_EFFECTS
        return NO_EFFECTS if self._table.play is None else self.close(now_ms)

    def close(self, now_ms: int) -> Effects:
        """Take all layers away; the game goes on, unless its player had paused it before."""
        self.layers.clear()
        return NO_EFFECTS if self._was_paused else self._table.go_on(now_ms)

    def step(self, columns: int, rows: int) -> Effects:
        """Move the selection, turn a value, or scroll."""
        top = self.top
        if top is not None and rows:
            top.step(rows)
        elif isinstance(top, Menu):
            return top.turn(columns)
        return NO_EFFECTS

    def jump(self, direction: int) -> Effects:
        """Turn a value, or scroll, by a lot."""
        if isinstance(self.top, Page):
            self.top.step(_SCROLLS.get(direction, 0))
            return NO_EFFECTS
        return self.step(_TURNS.get(direction, 0), 0)

    def type(self, text: str) -> Effects:
        """Add to a value what was typed."""
        return self.top.type(text) if isinstance(self.top, Menu) else NO_EFFECTS

    def erase(self, now_ms: int) -> Effects:
        """Take back what was typed last, or ask whether the selected item is to go."""
        return self.top.erase(now_ms) if isinstance(self.top, Menu) else NO_EFFECTS

    def replace(self, layer: Layer) -> None:
        """Put a layer in the place of the topmost one."""
        self.layers[-1] = layer

    def note_shown(self, first_line: int) -> None:
        """Take note of where a page that was scrolled stopped."""
        if isinstance(self.top, Page):
            self.top.first_line = first_line

    def choose(self, now_ms: int) -> Effects:
        """Do what the selected item is for; a page has been read."""
        return self.top.choose(now_ms) if isinstance(self.top, Menu) else self.back(now_ms)

    def point(self, place: Cell | int | None, now_ms: int) -> Effects:
        """Choose the item at a place on the screen."""
        top = self.top
        if isinstance(top, Menu) and isinstance(place, int) and top.select(place):
            return self.choose(now_ms)
        return NO_EFFECTS
