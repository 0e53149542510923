"""A screen of characters that frames are painted on, as far as it takes to read a field.

It is larger than any terminal, so that also the widest board is seen whole; colours, modes and
whatever else a frame says are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from jminesweeper.client.escapes import SEQUENCE

SIDE: Final = 600
_BLANK: Final = " "


class Glass:
    """Rows of characters, and a cursor that writes them."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = [[_BLANK] * SIDE for _ in range(SIDE)]
        self.row = 0
        self.column = 0

    def paint(self, frame: bytes) -> None:
        """Take in a frame."""
        text = frame.decode("utf-8", "replace")
        for piece in _PIECES.finditer(text):
            if piece["final"]:
                self._obey(piece["final"], piece["parameters"])
            elif piece["text"]:
                self._write(piece["text"])
            elif move := _CONTROLS.get(piece[0]):
                move(self)

    def _write(self, text: str) -> None:
        row = self.rows[self.row]
        for letter in text:
            if self.column < SIDE:
                row[self.column] = letter
            self.column += 1

    def _obey(self, final: str, parameters: str) -> None:
        act = _SEQUENCES.get(final)
        if act is not None and not parameters.startswith("?"):
            numbers = [int(number) if number.isdigit() else 0 for number in parameters.split(";")]
            act(self, numbers)

    def _place(self, numbers: list[int]) -> None:
        row, column, *_ = [*numbers, 0]
        self._go(max(row, 1) - 1, max(column, 1) - 1)

    def _go(self, row: int, column: int) -> None:
        self.row = min(max(row, 0), SIDE - 1)
        self.column = min(max(column, 0), SIDE - 1)

    def _step(self, rows: int, columns: int) -> Callable[[list[int]], None]:
        def step(numbers: list[int]) -> None:
            times = min(max(numbers[0], 1), SIDE)
            self._go(self.row + rows * times, self.column + columns * times)

        return step

    def _erase_line(self, numbers: list[int]) -> None:
        first = 0 if numbers[0] else self.column
        end = self.column + 1 if numbers[0] == 1 else SIDE
        self.rows[self.row][first:end] = [_BLANK] * max(0, end - first)

    def _erase_screen(self, numbers: list[int]) -> None:
        if numbers[0] == 0:
            self._erase_line(numbers)
        first = self.row + 1 if numbers[0] == 0 else 0
        last = self.row if numbers[0] == 1 else SIDE
        for row in range(first, last):
            self.rows[row] = [_BLANK] * SIDE
