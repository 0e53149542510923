from collections.abc import Callable
from math import nan

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.store import (
    Append,
    DropSave,
    Enter,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    ListBoards,
    ListGames,
    Note,
    Operation,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadOwnBest,
    StoreLimitError,
)
from tests.contract.examples import ANN, BOB, EXPERT, GAME, WIN, append

LONG = "x" * 65
SURROGATE = "\ud800"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Enter(LONG, "", "o"),
        lambda: Enter(ANN, SURROGATE, "o"),
        lambda: Enter(ANN, "", LONG),
        lambda: PutPlayer(LONG, "", {}, 0),
        lambda: PutPlayer(ANN, SURROGATE, {}, 0),
        lambda: PutPlayer(ANN, "", {"a": "x" * 8192}, 0),
        lambda: PutPlayer(ANN, "", {}, -1),
        lambda: PutRunning(LONG, "o", GAME),
        lambda: PutRunning(ANN, LONG, GAME),
        lambda: Append(ANN, "o", -1, b"", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 2**63, b"", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"1", 0, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"", -1, Cell(0, 0)),
        lambda: Append(ANN, "o", 0, b"", 0, Cell(0, 256)),
        lambda: Note(ANN, "o", -1, Cell(0, 0), is_paused=False),
        lambda: Note(ANN, "o", 0, Cell(256, 0), is_paused=False),
        lambda: PutSave(ANN, LONG, GAME, 0),
        lambda: PutSave(ANN, "", GAME, 0, opened_share=nan),
        lambda: PutSave(ANN, "", GAME, 0, opened_share=1.1),
        lambda: PutSave(ANN, "", GAME, 2**63),
        lambda: DropSave(ANN, SURROGATE),
        lambda: FindPlayer(SURROGATE),
        lambda: FindSave(ANN, SURROGATE),
        lambda: FindGame(SURROGATE),
        lambda: ListGames(ANN, -1),
        lambda: ReadLeaderboard(EXPERT, 2**63),
        lambda: ReadOwnBest(SURROGATE, EXPERT),
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
