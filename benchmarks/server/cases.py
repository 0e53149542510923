"""What the players of the benchmark do."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.protocol import Command, Start, encode

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


def moves(columns: int, rows: int, *, is_quick: bool = False) -> Case:
    name = f"MOVE {columns}x{rows}"
    return Case(name, (start(columns, rows),), (Step(RIGHT), Step(LEFT)), is_quick)


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
    Case("MARK 20x10", (start(20, 10),), (Step(MARK),), is_quick=True),
    Case("MARK 255x255", (start(255, 255),), (Step(MARK),)),
    # Level 2 leaves most games open for some reveals; a lost one is answered like any other.
    Case(
        "game: START, 9 REVEAL, 9 MOVE 30x16",
        (),
        (start(30, 16, level=2), *(Step(data) for _ in range(9) for data in (REVEAL, DOWN))),
        is_quick=True,
    ),
    Case("START 20x10", (), (start(20, 10),)),
    Case("START 255x255", (), (start(255, 255),)),
)
