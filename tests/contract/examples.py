"""Values that tests of stores write and expect back."""

from dataclasses import replace
from typing import Any, Protocol, TypeVar

from jminesweeper.core import Cell, Size, Status
from jminesweeper.store.ports import (
    Append,
    Category,
    FinishedGame,
    Operation,
    RunningGame,
    pack_entries,
)

T = TypeVar("T")

ANN = "a" * 32
BOB = "b" * 32
CEY = "c" * 32
NOBODY = "0" * 32

EXPERT = Category("expert", "classic")
BEGINNER = Category("beginner", "classic")

GAME = RunningGame("game1", "header of game1\nseed 1", pack_entries([1, 2]), 250, Cell(3, 4))
WIN = FinishedGame(
    code="win1",
    category=EXPERT,
    size=Size(30, 16),
    mine_count=99,
    status=Status.WON,
    time_ms=90_500,
    ended_at_s=1_700_000_000,
    player=ANN,
    header="header of win1",
    entries=pack_entries([1, 2, 3]),
    seed="30x16-99-1f",
    figures={"3bv": 174, "3bv/s": 1.923, "clicks": 201},
)


class Ask(Protocol):
    """Asks the store under test and waits for the answer."""

    def __call__(self, operation: Operation[T]) -> T: ...


def append(revision: int, *entries: int, owner: str = "first", **changes: Any) -> Append:
    packed = pack_entries(entries)
    return replace(Append(ANN, owner, revision, packed, 1000 * revision, Cell(0, 0)), **changes)


def win(code: str, time_ms: int = 90_500, **changes: Any) -> FinishedGame:
    return replace(WIN, code=code, time_ms=time_ms, **changes)


def loss(code: str, **changes: Any) -> FinishedGame:
    return replace(WIN, code=code, status=Status.LOST, **changes)
