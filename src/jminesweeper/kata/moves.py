"""What a player does in the sandbox, in the kata's words: step on, mark and unmark a square.

Squares are counted as the kata does: ``x;y`` from the bottom-left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from jminesweeper.core.grid import Cell, Size
from jminesweeper.kata.messages import KataError

SANDBOX = Size(3, 3)

_SQUARE = re.compile(r"(\d);(\d)", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Square:
    """A place in the sandbox: ``0;0`` is the bottom-left one, ``2;1`` right in the middle row."""

    x: int
    y: int

    def __post_init__(self) -> None:
        if not SANDBOX.has(self.cell):
            raise KataError(f"there is no square {self} on a board of {SANDBOX}")

    @staticmethod
    def of(cell: Cell) -> Square:
        """Name the engine's cell, which counts its rows from the top."""
        return Square(cell.column, SANDBOX.rows - 1 - cell.row)

    @staticmethod
    def parse(text: str) -> Square:
        match = _SQUARE.fullmatch(text.strip())
        if match is None:
            raise KataError(f"{text!r} is not a square: write x;y, for instance 2;1")
        return Square(int(match[1]), int(match[2]))

    @property
    def cell(self) -> Cell:
        return Cell(self.x, SANDBOX.rows - 1 - self.y)

    def __str__(self) -> str:
        return f"{self.x};{self.y}"


class MoveKind(Enum):
    """The kata's three moves; the value is how a script of moves writes them."""

    STEP = "step"
    MARK = "mark"
    UNMARK = "unmark"


class Move(NamedTuple):
    """One move on one square."""

    kind: MoveKind
    square: Square

    @staticmethod
    def parse(text: str) -> Move:
        """Read a move, for instance ``step 2;1``."""
        word, _, square = text.strip().partition(" ")
        try:
            return Move(MoveKind(word), Square.parse(square))
        except ValueError:
            raise KataError(f"{text!r} is not a move: write step, mark or unmark and x;y") from None

    def __str__(self) -> str:
        return f"{_TITLES[self.kind]} {self.square}"


_TITLES = {MoveKind.STEP: "Step on", MoveKind.MARK: "Mark", MoveKind.UNMARK: "Unmark"}


def parse_moves(script: str) -> tuple[Move, ...]:
    """Read moves separated by commas; an empty script has none."""
    return tuple(Move.parse(text) for text in script.split(",") if text.strip())
