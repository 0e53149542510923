"""Finished games: in every store."""

import pytest

from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.store import (
    FindGame,
    ListGames,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
    TakenCodeError,
    Total,
)
from tests.contract.examples import ANN, BOB, EXPERT, SETUPS, WIN, Ask, loss, win


def codes(ask: Ask) -> list[str]:
    return [game.code for game in ask(ListGames(ANN, limit=9))]


def test_a_finished_game_is_found_by_its_code(ask: Ask) -> None:
    ask(Record(WIN))
    assert ask(FindGame("win1")) == WIN
    assert ask(FindGame("none")) is None


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_finished_game_keeps_its_setup(ask: Ask, setup: Setup) -> None:
    game = loss("one", setup=setup, is_assisted=True)
    ask(Record(game))
    assert ask(FindGame("one")) == game


def test_a_players_games_are_listed_latest_first(ask: Ask) -> None:
    for code in ("one", "two", "three"):
        ask(Record(loss(code)))
    ask(Record(loss("bobs", player=BOB)))
    assert ask(ListGames(ANN, limit=2)) == (loss("three"), loss("two"))


def test_games_on_todays_board_are_listed_in_their_order_too(ask: Ask) -> None:
    for code, variant in (("one", EXPERT), ("two", SETUPS[-1].variant), ("three", EXPERT)):
        ask(Record(win(code, variant=variant)))
    assert codes(ask) == ["three", "two", "one"]


def test_a_code_belongs_to_one_player(ask: Ask) -> None:
    ask(Record(loss("one")))
    with pytest.raises(TakenCodeError):
        ask(Record(win("one", player=BOB)))
    assert ask(FindGame("one")) == loss("one")


def test_a_loss_that_was_undone_and_played_on_is_one_game(ask: Ask) -> None:
    ask(Record(loss("one")))
    revived = win("one", is_assisted=True)
    ask(Record(revived))
    assert ask(ListGames(ANN)) == (revived,)
    assert ask(ReadTotals()) == (Total(EXPERT, won=1),)
    assert ask(ReadStatistics(ANN)).games_played == 1


def test_what_was_won_stays_won(ask: Ask) -> None:
    ask(Record(win("one")))
    ask(Record(loss("one", is_assisted=True)))
    assert ask(FindGame("one")) == win("one")
    assert ask(ReadTotals()) == (Total(EXPERT, won=1),)
    assert [score.code for score in ask(ReadLeaderboard(EXPERT))] == ["one"]


def test_a_game_of_nobody_is_only_counted(ask: Ask) -> None:
    ask(Record(win("", player=None)))
    assert ask(FindGame("")) is None
    assert ask(ReadLeaderboard(EXPERT)) == ()
    assert ask(ReadTotals()) == (Total(EXPERT, won=1),)


def test_a_game_that_was_given_up_and_resumed_keeps_its_place_in_the_list(ask: Ask) -> None:
    for code in ("one", "two"):
        ask(Record(win(code, status=Status.TERMINATED)))
    ask(Record(loss("one")))
    assert codes(ask) == ["two", "one"]
