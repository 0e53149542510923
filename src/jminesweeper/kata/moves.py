"""What a player does in the sandbox, in the kata's words: step on, mark and unmark a square."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from jminesweeper.kata.errors import MoveError
from jminesweeper.kata.squares import Square


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
            raise MoveError(f"{text!r} is no move: write step, mark or unmark and x;y") from None

    def __str__(self) -> str:
        return f"{_TITLES[self.kind]} {self.square}"


_TITLES = {MoveKind.STEP: "Step on", MoveKind.MARK: "Mark", MoveKind.UNMARK: "Unmark"}


def parse_moves(script: str) -> tuple[Move, ...]:
    """Read moves separated by commas; an empty script has none."""
    return tuple(Move.parse(text) for text in script.split(",") if text.strip())
