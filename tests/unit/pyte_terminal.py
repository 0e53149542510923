"""What a person sees: a terminal that paints frames."""

from __future__ import annotations

from typing import NamedTuple

import pyte
import pyte.modes


class Position(NamedTuple):
    """A position of the screen, from 0 at its top-left."""

    column: int
    row: int


class Terminal:
    """A terminal with output post-processing on, as the one a game is played in."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._screen.set_mode(pyte.modes.LNM)
        self._stream = pyte.ByteStream(self._screen)

    def paint(self, text: bytes) -> None:
        self._stream.feed(text)

    @property
    def lines(self) -> list[str]:
        return list(self._screen.display)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cursor(self) -> Position:
        return Position(self._screen.cursor.x, self._screen.cursor.y)
