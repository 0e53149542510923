"""A screen of characters for frames: as much of a terminal as reading a field needs.

It is larger than any terminal, so that even the widest board is visible whole. It ignores colours
and modes; the client's filter has removed everything a screen does not need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, Self
from unicodedata import category, east_asian_width

from jminesweeper.client.escapes import PLAIN_TEXT_RUN, SEQUENCE, filter_frame

COLUMNS: Final = 1_100
ROWS: Final = 600
"""Room for 255 cells, four columns or two lines apart."""

_BLANK: Final = " " * COLUMNS
_PIECE: Final = re.compile(f"{SEQUENCE}|(?P<control>[\r\n\b\t])|(?P<text>{PLAIN_TEXT_RUN})")
_STEPS: Final = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}
_LINE_STEPS: Final = {"E": 1, "F": -1}


class CharacterScreen:
    """Rows of characters, and a cursor that writes them."""

    def __init__(self) -> None:
        self.rows = [_BLANK] * ROWS
        self.row = 0
        self.column = 0

    @classmethod
    def showing(cls, frame: bytes) -> Self:
        """Make a screen that shows one frame, which holds everything."""
        screen = cls()
        screen.paint(frame)
        return screen

    def paint(self, frame: bytes) -> None:
        """Paint a frame over what is there."""
        for piece in _PIECE.finditer(filter_frame(frame)):
            if final := piece["final"]:
                self._obey(final, piece["parameters"])
            elif control := piece["control"]:
                _CONTROLS[control](self)
            else:
                self._write(piece["text"])

    def text(self) -> str:
        """Return what is shown, without the blank lines around it."""
        return "\n".join(row.rstrip() for row in self.rows).strip("\n")

    def _write(self, text: str) -> None:
        row, column = self.rows[self.row], self.column
        if not text.isascii():
            text = _spread(text)
        shown = text[: COLUMNS - column]
        self.rows[self.row] = f"{row[:column]}{shown}{row[column + len(shown) :]}"
        self.column = min(column + len(text), COLUMNS - 1)

    def _obey(self, final: str, parameters: str) -> None:
        numbers = [int(word) if word.isdecimal() else 0 for word in parameters.split(";")]
        times = max(numbers[0], 1)
        if final in _STEPS:
            rows, columns = _STEPS[final]
            self.go(self.row + rows * times, self.column + columns * times)
        elif final in _LINE_STEPS:
            self.go(self.row + _LINE_STEPS[final] * times, 0)
        elif act := _SEQUENCES.get(final):
            act(self, numbers)

    def go(self, row: int, column: int) -> None:
        """Put the cursor here, or as near as the screen allows."""
        self.row = min(max(row, 0), ROWS - 1)
        self.column = min(max(column, 0), COLUMNS - 1)

    def place(self, numbers: list[int]) -> None:
        row, column, *_ = [*numbers, 1]
        self.go(max(row, 1) - 1, max(column, 1) - 1)

    def erase_line(self, numbers: list[int]) -> None:
        first = 0 if numbers[0] else self.column
        end = self.column + 1 if numbers[0] == 1 else COLUMNS
        row = self.rows[self.row]
        self.rows[self.row] = f"{row[:first]}{_BLANK[first:end]}{row[end:]}"

    def erase_screen(self, numbers: list[int]) -> None:
        if numbers[0] < 2:
            self.erase_line(numbers)
        first = 0 if numbers[0] else self.row + 1
        last = self.row if numbers[0] == 1 else ROWS
        for row in range(first, last):
            self.rows[row] = _BLANK


def _spread(text: str) -> str:
    """Give each column its own character: combining marks have none, wide characters two."""
    bases = (letter for letter in text if category(letter) not in {"Mn", "Me"})
    return "".join(f"{base} " if east_asian_width(base) in {"W", "F"} else base for base in bases)


_CONTROLS: Final[Mapping[str, Callable[[CharacterScreen], None]]] = {
    "\r": lambda screen: screen.go(screen.row, 0),
    # Frames are made for terminals with output processing on.
    "\n": lambda screen: screen.go(screen.row + 1, 0),
    "\b": lambda screen: screen.go(screen.row, screen.column - 1),
    "\t": lambda screen: screen.go(screen.row, (screen.column // 8 + 1) * 8),
}
_SEQUENCES: Final[Mapping[str, Callable[[CharacterScreen, list[int]], None]]] = {
    "H": CharacterScreen.place,
    "f": CharacterScreen.place,
    "G": lambda screen, numbers: screen.go(screen.row, max(numbers[0], 1) - 1),
    "d": lambda screen, numbers: screen.go(max(numbers[0], 1) - 1, screen.column),
    "J": CharacterScreen.erase_screen,
    "K": CharacterScreen.erase_line,
}
