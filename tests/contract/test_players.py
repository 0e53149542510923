"""What every store keeps of a player."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.store import (
    Append,
    Enter,
    Entrance,
    FindPlayer,
    Finish,
    KnownPlayer,
    Note,
    PutPlayer,
    PutRunning,
    PutSave,
    Record,
    UnknownPlayerError,
)
from tests.contract.examples import ANN, CEY, GAME, Ask, loss


def test_who_only_enters_leaves_no_trace(ask: Ask) -> None:
    assert ask(Enter(CEY, "Cey", "first")) == Entrance(KnownPlayer(CEY, "Cey"), is_known=False)
    assert ask(FindPlayer(CEY)) is None
    assert ask(Enter(CEY, "", "second")) == Entrance(KnownPlayer(CEY), is_known=False)


def test_a_player_is_known_once_settings_are_put(ask: Ask) -> None:
    ask(PutPlayer(CEY, "Cey", {"palette": "tiles"}, 77))
    player = KnownPlayer(CEY, "Cey", {"palette": "tiles"}, 77)
    assert ask(FindPlayer(CEY)) == player
    assert ask(Enter(CEY, "", "first")) == Entrance(player, is_known=True)


def test_a_player_is_known_once_a_game_is_put(ask: Ask) -> None:
    revision = ask(PutRunning(CEY, "first", GAME))
    assert ask(FindPlayer(CEY)) == KnownPlayer(CEY, created_at_s=1_700_000_000)
    entrance = ask(Enter(CEY, "", "second"))
    assert (entrance.is_known, entrance.revision, entrance.game) == (True, revision, GAME)


def test_who_enters_with_another_name_is_called_so_from_now_on(ask: Ask) -> None:
    ask(PutPlayer(ANN, "Ann", {"palette": "okabe-ito"}, 99))
    renamed = KnownPlayer(ANN, "Änne ⚑", {"palette": "okabe-ito"}, 1)
    assert ask(Enter(ANN, "Änne ⚑", "first")).player == renamed
    assert ask(Enter(ANN, "", "first")).player == renamed
    assert ask(FindPlayer(ANN)) == renamed


@pytest.mark.requirement("C:Settings Menu")
def test_name_and_settings_come_back_as_they_were_put(ask: Ask) -> None:
    ask(PutPlayer(ANN, "Ann", {"preset": "expert", "palette": "default"}, 5))
    ask(PutPlayer(ANN, "", {"preset": "custom", "custom": '"30x16" ⚑'}, 6))
    settings = {"preset": "custom", "custom": '"30x16" ⚑'}
    assert ask(FindPlayer(ANN)) == KnownPlayer(ANN, "", settings, 1)


def test_nothing_else_is_kept_of_an_unknown_player(ask: Ask) -> None:
    last = Append(CEY, "first", 1, b"", 0, Cell(0, 0))
    for operation in (
        last,
        Note(CEY, "first", 0, Cell(0, 0), is_paused=False),
        Finish(last, loss("x", player=CEY)),
        Record(loss("x", player=CEY)),
        PutSave(CEY, "one", GAME, 1),
    ):
        with pytest.raises(UnknownPlayerError):
            ask(operation)
    assert ask(FindPlayer(CEY)) is None
