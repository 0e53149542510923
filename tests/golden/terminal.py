"""A terminal that is painted by the real client, and what can be seen on it."""

from __future__ import annotations

from typing import NamedTuple

import pyte

from jminesweeper.client.capabilities import TRUE_COLOURS
from jminesweeper.client.painter import Painter
from jminesweeper.protocol.packets import ScreenPatch
from jminesweeper.protocol.vocabulary import PatchFlag
from jminesweeper.screen.painter import Patch


class Look(NamedTuple):
    """One place of the screen."""

    character: str
    attributes: str = ""
    """Colour and the like; a blank has none unless they show."""


class PaintedTerminal:
    """Applies frames and patches as a client does, also its filter and its marks."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._painter = Painter(TRUE_COLOURS)

    def apply(self, patch: Patch) -> None:
        """Take one reply of version 2."""
        flags = (
            PatchFlag.FULL_REPAINT * patch.is_full
            | PatchFlag.CURSOR_SHOWN * patch.cursor_shown
            | PatchFlag.CURSOR_MARKED * patch.cursor_marked
            | PatchFlag.ON_TILES * bool(patch.grounds)
        )
        text = patch.grounds + patch.text
        packet = ScreenPatch(flags, patch.cursor_row, patch.cursor_column, text)
        self._stream.feed(self._painter.paint_patch(packet))

    def show(self, frame: bytes) -> None:
        """Take one reply of version 1."""
        self._stream.feed(self._painter.paint_frame(frame))

    def fill(self, character: str) -> None:
        """Leave something on every place, as another program would."""
        for row in range(self._screen.lines):
            self._stream.feed(f"\x1b[{row + 1};1H{character * self._screen.columns}")

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)

    @property
    def cursor(self) -> tuple[int, int]:
        """The row and the column."""
        return self._screen.cursor.y, min(self._screen.cursor.x, self._screen.columns - 1)

    @property
    def is_cursor_shown(self) -> bool:
        return not self._screen.cursor.hidden

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def look(self, row: int, column: int) -> Look:
        """What stands at a place, and how it looks."""
        place = self._screen.buffer[row][column]
        words = [
            *(["bold"] if place.bold else []),
            *(["underlined"] if place.underscore else []),
            *(["reverse"] if place.reverse else []),
        ]
        ground = f"on {place.bg}" if place.bg != "default" else ""
        if place.data == " " and not place.underscore:
            if not place.reverse:
                return Look(" ", ground)
            if place.fg != "default":
                return Look(" ", f"on {place.fg}")
        colours = [place.fg] if place.fg != "default" else []
        return Look(place.data, " ".join([*words, *colours, *filter(None, [ground])]))

    def looks(self) -> list[list[Look]]:
        """Everything that can be seen, without trailing blanks."""
        columns = range(self._screen.columns)
        return [[self.look(row, column) for column in columns] for row in range(self._screen.lines)]
