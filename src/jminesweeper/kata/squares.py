"""Squares as the kata counts them: ``x;y`` from the bottom-left."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jminesweeper.core import Cell, Size
from jminesweeper.kata.errors import SquareError

SANDBOX = Size(3, 3)

_SQUARE = re.compile(r"(\d);(\d)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A place in the sandbox: ``0;0`` is the bottom-left one, ``2;1`` right in the middle row."""

    x: int
    y: int

    def __post_init__(self) -> None:
        if not SANDBOX.has(self.cell):
            raise SquareError(f"there is no square {self} on a board of {SANDBOX}")

    @staticmethod
    def of(cell: Cell) -> Square:
        """Name the engine's cell, which counts its rows from the top."""
        return Square(cell.column, SANDBOX.rows - 1 - cell.row)

    @staticmethod
    def parse(text: str) -> Square:
        match = _SQUARE.fullmatch(text.strip())
        if match is None:
            raise SquareError(f"{text!r} is no square: write x;y, for instance 2;1")
        return Square(int(match[1]), int(match[2]))

    @property
    def cell(self) -> Cell:
        return Cell(self.x, SANDBOX.rows - 1 - self.y)

    def __str__(self) -> str:
        return f"{self.x};{self.y}"
