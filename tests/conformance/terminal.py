"""What a person sees: a terminal that paints frames, and the field found on it by its `?`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import pyte
import pyte.modes

HIDDEN = "?"


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

    def picture(self, rows: Iterable[int]) -> list[tuple[object, ...]]:
        """Characters with their colours, and where the cursor is."""
        columns = range(self._screen.columns)
        return [*[self.look(row, columns) for row in rows], tuple(self.cursor)]

    def look(self, row: int, columns: Iterable[int]) -> tuple[object, ...]:
        return tuple(self._screen.buffer[row][column] for column in columns)


@dataclass(frozen=True)
class Lattice:
    """Where the cells of a field are on the screen."""

    left: int
    top: int
    column_step: int
    row_step: int
    columns: int
    rows: int

    @property
    def screen_rows(self) -> range:
        return range(self.top, self.top + self.rows * self.row_step, self.row_step)

    def read(self, lines: Sequence[str]) -> list[str]:
        """The first character of every cell, a string for each row of the field."""
        end = self.left + self.columns * self.column_step
        return [lines[row][self.left : end : self.column_step] for row in self.screen_rows]

    def is_hidden_on(self, lines: Sequence[str]) -> bool:
        if self.screen_rows[-1] >= len(lines):
            return False
        return self.read(lines) == [HIDDEN * self.columns] * self.rows


def _candidates(lines: Sequence[str], columns: int, rows: int) -> Iterator[Lattice]:
    steps = sorted(product(range(1, 3), range(1, 5)), key=sum)
    for top, line in enumerate(lines):
        for left, character in enumerate(line):
            if character == HIDDEN:
                for row_step, column_step in steps:
                    yield Lattice(left, top, column_step, row_step, columns, rows)


def find_hidden_field(lines: Sequence[str], columns: int, rows: int) -> Lattice | None:
    """The first place where so many columns and rows of `?` stand evenly spaced."""
    candidates = _candidates(lines, columns, rows)
    return next((lattice for lattice in candidates if lattice.is_hidden_on(lines)), None)
