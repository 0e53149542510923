"""A store is bounded, however long a program plays: in every store."""

from collections.abc import Sequence
from dataclasses import replace
from queue import SimpleQueue

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.store import (
    MAX_GAMES,
    FindGame,
    FinishedGame,
    Job,
    ListGames,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    Record,
    Store,
    StoreError,
)
from jminesweeper.store.values import MAX_CATEGORIES
from tests.contract.examples import ANN, BOB, CUSTOM, EXPERT, MONDAY, Ask, loss, win

WAIT_S = 30.0
FIRST_DAILY = loss("daily", variant=replace(EXPERT, daily=MONDAY))
SECOND_DAILY = loss("again", variant=replace(EXPERT, daily=MONDAY, is_repeat=True))


def record(store: Store, games: Sequence[FinishedGame]) -> None:
    """Record games in one batch: each by itself would wait for the disk."""
    answers: SimpleQueue[StoreError | None] = SimpleQueue()
    store.submit([Job(Record(game), answers.put) for game in games])
    assert [answers.get(timeout=WAIT_S) for _ in games] == [None] * len(games)


def losses(count: int) -> list[FinishedGame]:
    return [loss(f"{number}") for number in range(count)]


def bobs(count: int) -> list[FinishedGame]:
    return [loss(f"bobs {number}", player=BOB) for number in range(count)]


@pytest.fixture
def full(store: Store, ask: Ask) -> Store:
    """Give a store in which Ann has as many games as are kept, after some that are special."""
    assert ask(ListGames(ANN)) == ()
    record(store, [win("best", 1000), win("slow", 3000), FIRST_DAILY, SECOND_DAILY])
    record(store, losses(MAX_GAMES))
    return store


def test_a_player_keeps_the_last_games(ask: Ask, full: Store) -> None:
    assert ask(FindGame("again")) is None
    assert ask(FindGame("0")) == loss("0")
    record(full, [loss("next")])
    assert ask(FindGame("0")) is None
    assert ask(FindGame("1")) == loss("1")
    assert len(ask(ListGames(ANN, limit=5000))) == MAX_GAMES + 3


def test_the_ten_best_wins_are_kept_while_they_are_that(ask: Ask, full: Store) -> None:
    record(full, [win(f"better {number}", 900 + number) for number in range(8)])
    assert ask(FindGame("slow")) == win("slow", 3000)
    record(full, [win("better 8", 908), win("slowest", 9000), loss("next")])
    assert ask(FindGame("slow")) is None
    assert ask(FindGame("slowest")) is not None
    own = [score.code for score in ask(ReadOwnBest(ANN, EXPERT))]
    assert own == [*(f"better {number}" for number in range(9)), "best"]
    assert [score.code for score in ask(ReadLeaderboard(EXPERT))] == ["better 0"]


@pytest.mark.usefixtures("full")
def test_the_first_game_on_a_daily_board_is_kept_so_that_no_second_one_ranks(ask: Ask) -> None:
    assert ask(FindGame("daily")) == FIRST_DAILY


def test_games_that_are_dropped_still_count(ask: Ask, full: Store) -> None:
    record(full, bobs(3))
    statistics = ask(ReadStatistics(ANN))
    assert (statistics.games_played, statistics.games_won) == (MAX_GAMES + 4, 2)
    assert sum(total.played for total in ask(ReadTotals())) == MAX_GAMES + 7


def test_one_players_games_drop_nobody_elses(ask: Ask, full: Store) -> None:
    record(full, bobs(2))
    record(full, [loss("more")])
    assert len(ask(ListGames(BOB, limit=5000))) == 2


@pytest.mark.usefixtures("ask")
def test_categories_beyond_the_limit_are_counted_together(store: Store, ask: Ask) -> None:
    kinds = [
        replace(CUSTOM, size=Size(100, 1 + number % 255), mine_count=1 + number // 255)
        for number in range(MAX_CATEGORIES + 2)
    ]
    record(store, [loss(f"{number}", variant=kind) for number, kind in enumerate(kinds)])
    record(store, [win("known", variant=kinds[0]), win("unknown", variant=kinds[-1])])
    statistics = ask(ReadStatistics(ANN))
    assert statistics.categories[0].category == kinds[0]
    assert (statistics.others.won, statistics.games_played) == (1, MAX_CATEGORIES + 4)
    assert ask(ReadTotals())[-1].category is None
    assert sum(total.played for total in ask(ReadTotals())) == MAX_CATEGORIES + 4
    record(store, [loss("unknown", variant=kinds[-1], is_assisted=True)])
    assert ask(ReadStatistics(ANN)).others.won == 1
