"""A terminal as a person sees it: painted, with output post-processing on."""

from __future__ import annotations

from typing import NamedTuple

import pyte
import pyte.modes

from jminesweeper.client.escapes import paint_frame


class Look(NamedTuple):
    """One place of the screen."""

    character: str
    attributes: str = ""
    """Colour and the like; a blank has none unless they show."""


class PaintedTerminal:
    """Shows what it is sent, on top of what another program left."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._screen.set_mode(pyte.modes.LNM)
        self._stream, self._bytes = pyte.Stream(self._screen), pyte.ByteStream(self._screen)
        left = self._screen.default_char._replace(data="#")
        for row in range(rows):
            self._screen.buffer[row].update(dict.fromkeys(range(columns), left))

    def feed(self, written: str | bytes) -> None:
        """Take what is written to the terminal; a character may come in two parts."""
        if isinstance(written, str):
            self._stream.feed(written)
        else:
            self._bytes.feed(written)

    def show(self, frame: bytes) -> None:
        """Take a frame of version 1."""
        self.feed(paint_frame(frame, has_colours=True))

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without blanks at the ends."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def clear(self, columns: int, rows: int) -> None:
        """Become a blank terminal of another size."""
        self._screen.resize(rows, columns)
        self._screen.reset()

    @property
    def cursor(self) -> tuple[int, int]:
        """The row and the column."""
        return self._screen.cursor.y, min(self._screen.cursor.x, self._screen.columns - 1)

    @property
    def is_cursor_shown(self) -> bool:
        return not self._screen.cursor.hidden

    def look(self, row: int, column: int) -> Look:
        """Return the character at a place, and its look."""
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
