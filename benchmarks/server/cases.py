"""What the players of the benchmark do."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import Command

LEFT = encode(Command.MOVE_LEFT)
RIGHT = encode(Command.MOVE_RIGHT)
DOWN = encode(Command.MOVE_DOWN)
REVEAL = encode(Command.REVEAL)
MARK = encode(Command.TOGGLE_BOMB_MARK)
QUIT = encode(Command.QUIT)


@dataclass(frozen=True)
class Step:
    """One send, and the whole replies it gets."""

    data: bytes
    replies: int = 1
    number_at: int | None = None
    """Where in the data each connection puts its own number, in four bytes."""

    def __str__(self) -> str:
        number = "" if self.number_at is None else f"@{self.number_at}"
        return f"{self.data.hex()}:{self.replies}{number}"


@dataclass(frozen=True)
class Case:
    """A script that every connection plays: the prologue once, the cycle over and over."""

    name: str
    prologue: tuple[Step, ...]
    cycle: tuple[Step, ...]
    is_quick: bool = False


def start(columns: int, rows: int, level: int = 1) -> Step:
    return Step(encode(Start(columns, rows, level)))


GAME_LENGTH = 400
"""Actions in a game that only sets and takes back flags: a log that is full answers cheaply."""


def moves(columns: int, rows: int, *, is_quick: bool = False) -> Case:
    name = f"MOVE {columns}x{rows}"
    return Case(name, (start(columns, rows),), (Step(RIGHT), Step(LEFT)), is_quick)


def marks(columns: int, rows: int, *, is_quick: bool = False) -> Case:
    cycle = (start(columns, rows), *[Step(MARK)] * GAME_LENGTH)
    return Case(f"MARK {columns}x{rows}", (), cycle, is_quick)


# Level 2 leaves most games open for some reveals; a lost one is answered like any other.
MIXED = Case(
    "game: START, 9 times REVEAL, MARK, 2 MOVE 30x16",
    (),
    (start(30, 16, level=2), *[Step(data) for data in (REVEAL, DOWN, MARK, RIGHT)] * 9),
    is_quick=True,
)

CASES = (
    moves(20, 10, is_quick=True),
    moves(30, 16),
    moves(100, 100),
    moves(255, 255, is_quick=True),
    Case(
        "MOVE 20x10, 16 pipelined",
        (start(20, 10),),
        (Step(RIGHT * 8 + LEFT * 8, replies=16),),
        is_quick=True,
    ),
    marks(20, 10, is_quick=True),
    marks(255, 255),
    MIXED,
    Case("START 20x10", (), (start(20, 10),), is_quick=True),
    Case("START 255x255", (), (start(255, 255),)),
)
