"""A page: something to read, and how far it is scrolled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from jminesweeper.protocol.view import Listing
from jminesweeper.terminal.keys import Action, KeyMap
from jminesweeper.terminal.lines import Screen, span
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.panel import NARROWEST, Panel, compose_message, place_panel
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.text import table_lines, wrapped

_GAP: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
"""Between the columns of a line."""
_HANGING: Final = "  "
_ALL: Final = 1 << 30
_SCROLLS: Final = {
    Action.UP: -1,
    Action.DOWN: 1,
    Action.JUMP_UP: -5,
    Action.JUMP_DOWN: 5,
    Action.ROW_START: -_ALL,
    Action.ROW_END: _ALL,
}
_TURNS: Final = {Action.PAGE_UP: -1, Action.PAGE_DOWN: 1, Action.FLAG: 1}
"""A whole screen at a time."""


class Reading:
    """A page that is open before a player."""

    def __init__(self, title: str, lines: Sequence[str | Listing]) -> None:
        self.title = title
        self.lines = lines
        self._first = 0
        self._shown = 1
        """How many lines fitted the last screen."""

    def press(self, action: Action) -> bool:
        """Scroll, if that is what a key does here."""
        lines = _SCROLLS.get(action, 0) + _TURNS.get(action, 0) * max(1, self._shown - 1)
        self._first = max(0, self._first + lines)
        return lines != 0

    def compose(
        self, text: str, tone: str, names: Sequence[str], keys: KeyMap, canvas: Canvas
    ) -> Screen:
        """Compose the part that is read; scrolling stops at the end."""
        below = compose_message(text, tone, canvas.columns)
        width = canvas.columns - 4
        texts = [text for line in self.lines for text in _broken(line, width)]
        self._shown = count = min(len(texts), max(1, canvas.rows - 3 - len(below)))
        self._first = first = max(0, min(self._first, len(texts) - count))
        width = min(canvas.columns - 2, max(NARROWEST, 2 + max(map(len, texts), default=0)))
        rows = [
            span(f" {text}".ljust(width)[:width], Style.ITEM)
            for text in texts[first : first + count]
        ]
        panel = Panel(self.title, rows, width)
        if count < len(texts):
            names = ("scroll", "pages", *names)
            place = f"{first + 1}-{first + count} of {len(texts)}"
            has_more = first > 0, first + count < len(texts)
            panel = Panel(self.title, rows, width, *has_more, place)
        return place_panel(panel, below, names, keys, canvas).screen


def _broken(line: str | Listing, width: int) -> list[str]:
    """Break a line of a page, or figures, into lines of the screen."""
    if not isinstance(line, str):
        return table_lines(line, width)
    if len(line) > width and _GAP.search(line):
        # There is no room for columns: the second one follows, and is indented where it is broken.
        return wrapped(_GAP.sub("  ", line, count=1), width, _HANGING)
    return wrapped(line, width)
