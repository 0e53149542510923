"""Finished games, what they add up to, and who was fastest: in every store."""

from dataclasses import replace

import pytest

from jminesweeper.core import Status
from jminesweeper.store.ports import (
    Board,
    Category,
    CategoryStatistics,
    FindGame,
    Greet,
    ListBoards,
    ListGames,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
    Score,
    TakenCodeError,
    Tally,
    Total,
    UnknownPlayerError,
)
from tests.contract.examples import ANN, BEGINNER, BOB, EXPERT, NOBODY, WIN, Ask, loss, win

BOARD = Board(EXPERT)


def codes(ask: Ask, board: Board = BOARD, limit: int = 10) -> list[str]:
    return [score.code for score in ask(ReadLeaderboard(board, limit))]


def test_a_finished_game_is_found_by_its_code(ask: Ask) -> None:
    game = replace(WIN, is_assisted=True, is_repeat=True, daily="2026-01-02")
    ask(Record(game))
    assert ask(FindGame("win1")) == game
    assert ask(FindGame("none")) is None


def test_a_players_games_are_listed_latest_first(ask: Ask) -> None:
    for code in ("one", "two", "three"):
        ask(Record(loss(code)))
    ask(Record(loss("bobs", player=BOB)))
    assert ask(ListGames(ANN, limit=2)) == (loss("three"), loss("two"))


def test_a_code_belongs_to_one_player(ask: Ask) -> None:
    ask(Record(loss("one")))
    with pytest.raises(TakenCodeError):
        ask(Record(win("one", player=BOB)))
    assert ask(FindGame("one")) == loss("one")


def test_an_unknown_player_records_nothing(ask: Ask) -> None:
    with pytest.raises(UnknownPlayerError):
        ask(Record(loss("one", player=NOBODY)))


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
    assert codes(ask) == ["one"]


@pytest.mark.requirement("F:games_played", "F:games_won", "E:Statistics")
def test_games_played_and_won_count_every_game_of_the_player(ask: Ask) -> None:
    assert (ask(ReadStatistics(ANN)).games_played, ask(ReadStatistics(ANN)).games_won) == (0, 0)
    ask(Record(win("one")))
    ask(Record(win("two", category=BEGINNER, is_assisted=True)))
    ask(Record(loss("three")))
    ask(Record(win("four", status=Status.TERMINATED)))
    ask(Record(win("bobs", player=BOB)))
    statistics = ask(ReadStatistics(ANN))
    assert (statistics.games_played, statistics.games_won) == (4, 2)


def test_statistics_add_up_by_category_with_helped_games_apart(ask: Ask) -> None:
    ask(Record(win("one", 1000, figures={"3bv/s": 2.0})))
    ask(Record(win("two", 3000, figures={"3bv/s": 1.0})))
    ask(Record(loss("three", category=BEGINNER)))
    ask(Record(win("four", 10, is_assisted=True)))
    ask(Record(win("five", 20, is_repeat=True, figures={})))
    assert set(ask(ReadStatistics(ANN)).categories) == {
        CategoryStatistics(
            EXPERT,
            ranked=Tally(won=2, best_ms=1000, mean_ms=2000, mean_speed=1.5),
            apart=Tally(won=2, best_ms=10, mean_ms=15, mean_speed=1.923),
            streak=0,
            best_streak=2,
        ),
        CategoryStatistics(BEGINNER, Tally(lost=1), Tally(), streak=0, best_streak=0),
    }


def test_streaks_run_in_the_order_in_which_games_were_recorded(ask: Ask) -> None:
    for number, game in enumerate([win("a"), win("b"), win("c"), loss("d"), win("e")]):
        ask(Record(replace(game, ended_at_s=100 - number)))
    (expert,) = ask(ReadStatistics(ANN)).categories
    assert (expert.streak, expert.best_streak) == (1, 3)


def test_totals_count_anonymous_players_too(ask: Ask) -> None:
    ask(Record(win("one")))
    ask(Record(win("", player=None)))
    ask(Record(loss("", player=None, category=BEGINNER)))
    ask(Record(win("", player=None, status=Status.TERMINATED)))
    assert ask(ReadTotals()) == (
        Total(BEGINNER, lost=1),
        Total(EXPERT, won=2, terminated=1),
    )
    assert ask(FindGame("")) is None


def test_a_leaderboard_has_the_best_win_of_each_player(ask: Ask) -> None:
    ask(Record(win("slow", 3000)))
    ask(Record(win("fast", 1000)))
    ask(Record(win("slower", 4000)))
    ask(Record(win("bobs", 2000, player=BOB)))
    assert ask(ReadLeaderboard(BOARD)) == (
        Score("Ann", 1000, "fast", WIN.ended_at_s, ANN),
        Score("Bob", 2000, "bobs", WIN.ended_at_s, BOB),
    )
    assert codes(ask, limit=1) == ["fast"]


def test_of_two_equal_times_the_earlier_is_ahead(ask: Ask) -> None:
    ask(Record(win("later", 1000, ended_at_s=200)))
    ask(Record(win("earlier", 1000, ended_at_s=100, player=BOB)))
    assert codes(ask) == ["earlier", "later"]
    ask(Record(win("earliest", 1000, ended_at_s=50)))
    assert codes(ask) == ["earliest", "earlier"]


@pytest.mark.parametrize(
    "game",
    [
        loss("x"),
        win("x", status=Status.TERMINATED),
        win("x", is_assisted=True),
        win("x", is_repeat=True),
        win("", player=None),
        win("x", category=BEGINNER),
        win("x", category=Category("expert", "jminesweeper")),
        win("x", daily="2026-01-02"),
    ],
    ids=["lost", "given up", "assisted", "repeat", "anonymous", "preset", "rules", "daily"],
)
def test_a_leaderboard_has_only_unaided_wins_of_its_own_games(ask: Ask, game: object) -> None:
    assert isinstance(game, type(WIN))
    ask(Record(game))
    assert codes(ask) == []


def test_each_day_has_its_own_board(ask: Ask) -> None:
    ask(Record(win("mon", daily="2026-01-05")))
    ask(Record(win("tue", daily="2026-01-06", player=BOB)))
    assert codes(ask, Board(EXPERT, "2026-01-05")) == ["mon"]
    assert codes(ask, Board(EXPERT, "2026-01-06")) == ["tue"]


def test_a_leaderboard_shows_the_players_present_name(ask: Ask) -> None:
    ask(Record(win("one")))
    ask(Greet(ANN, "Anna", 5))
    assert [score.name for score in ask(ReadLeaderboard(BOARD))] == ["Anna"]


def test_boards_are_listed_by_category_and_the_latest_day_first(ask: Ask) -> None:
    for number, (category, daily) in enumerate(
        [(EXPERT, "2026-01-01"), (EXPERT, ""), (BEGINNER, ""), (EXPERT, "2026-01-02")]
    ):
        ask(Record(win(f"game{number}", category=category, daily=daily)))
    ask(Record(loss("lost", category=Category("aaa", "classic"))))
    boards = (
        Board(BEGINNER),
        Board(EXPERT, "2026-01-02"),
        Board(EXPERT, "2026-01-01"),
        Board(EXPERT),
    )
    assert ask(ListBoards()) == boards
    assert ask(ListBoards(limit=2)) == boards[:2]
