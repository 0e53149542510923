from collections.abc import Callable

import pytest

from jminesweeper.core import Cell
from jminesweeper.store.errors import StoreLimitError
from jminesweeper.store.operations import (
    Append,
    Claim,
    DropSave,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    Greet,
    ListBoards,
    ListGames,
    Operation,
    PutRunning,
    PutSave,
    PutSettings,
    ReadLeaderboard,
)
from jminesweeper.store.values import Board
from tests.contract.examples import ANN, BOB, EXPERT, GAME, WIN, append

LONG = "x" * 65
SURROGATE = "\ud800"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Greet(LONG, "", 0),
        lambda: Greet(ANN, SURROGATE, 0),
        lambda: Greet(ANN, "", -1),
        lambda: PutSettings(ANN, {"a": "x" * 8192}),
        lambda: Claim(ANN, LONG),
        lambda: PutRunning(ANN, LONG, GAME),
        lambda: Append(ANN, "o", -1, b"", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 2**63, b"", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"1", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"", -1, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"", 0, Cell(0, 256)),
        lambda: PutSave(ANN, LONG, GAME, 0),
        lambda: PutSave(ANN, "", GAME, 2**63),
        lambda: DropSave(ANN, SURROGATE),
        lambda: FindPlayer(SURROGATE),
        lambda: FindSave(ANN, SURROGATE),
        lambda: FindGame(SURROGATE),
        lambda: ListGames(ANN, -1),
        lambda: ReadLeaderboard(Board(EXPERT), 2**63),
        lambda: ReadLeaderboard(Board(EXPERT, LONG)),
        lambda: ListBoards(-1),
    ],
)
def test_what_would_fail_inside_a_batch_cannot_even_be_asked(
    make: Callable[[], Operation[object]],
) -> None:
    with pytest.raises(StoreLimitError):
        make()


def test_nobody_finishes_the_game_of_another() -> None:
    with pytest.raises(StoreLimitError):
        Finish(append(1, player=BOB), WIN)


def test_operations_are_values() -> None:
    assert append(1, 2) == append(1, 2)
    assert append(1, 2) != append(1, 3)
    assert hash(Claim(ANN, "o")) == hash(Claim(ANN, "o"))
