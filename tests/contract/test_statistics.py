"""What finished games add up to: in every store."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.store import (
    MAX_LISTED,
    CategoryStatistics,
    ReadStatistics,
    ReadTotals,
    Record,
    Tally,
    Total,
)
from tests.contract.examples import (
    ANN,
    BEGINNER,
    BOB,
    CUSTOM,
    EXPERT,
    MONDAY,
    NOBODY,
    OWN_RULES,
    Ask,
    loss,
    win,
)


def streaks(ask: Ask) -> tuple[int, int]:
    (expert,) = ask(ReadStatistics(ANN)).categories
    return expert.streak, expert.best_streak


def kinds(count: int) -> Iterable[Variant]:
    return (replace(CUSTOM, size=Size(100, rows)) for rows in range(1, count + 1))


@pytest.mark.requirement("F:games_played", "F:games_won", "E:Statistics")
def test_games_played_and_won_count_every_game_of_the_player(ask: Ask) -> None:
    assert (ask(ReadStatistics(ANN)).games_played, ask(ReadStatistics(ANN)).games_won) == (0, 0)
    ask(Record(win("one")))
    ask(Record(win("two", variant=BEGINNER, is_assisted=True)))
    ask(Record(loss("three")))
    ask(Record(win("four", status=Status.TERMINATED)))
    ask(Record(win("bobs", player=BOB)))
    statistics = ask(ReadStatistics(ANN))
    assert (statistics.games_played, statistics.games_won) == (4, 2)
    assert ask(ReadStatistics(NOBODY)).games_played == 0


def test_statistics_add_up_by_category_with_helped_games_apart(ask: Ask) -> None:
    ask(Record(win("one", 1000, figures={"3bv/s": 2.0})))
    ask(Record(win("two", 3000, figures={"3bv/s": 1.0})))
    ask(Record(loss("three", variant=BEGINNER)))
    ask(Record(win("four", 10, is_assisted=True)))
    ask(Record(win("five", 20, variant=EXPERT.as_repeat(), figures={})))
    assert ask(ReadStatistics(ANN)).categories == (
        CategoryStatistics(
            EXPERT,
            ranked=Tally(won=2, best_ms=1000, mean_ms=2000, mean_speed=1.5),
            unranked=Tally(won=2, best_ms=10, mean_ms=15, mean_speed=1.923),
            streak=0,
            best_streak=2,
        ),
        CategoryStatistics(BEGINNER, Tally(lost=1), Tally(), streak=0, best_streak=0),
    )


def test_the_clock_counts_in_statistics_and_not_the_wall(ask: Ask) -> None:
    ask(Record(win("one", 9000, time_ms=1000)))
    (expert,) = ask(ReadStatistics(ANN)).categories
    assert (expert.ranked.best_ms, expert.ranked.mean_ms) == (1000, 1000)


def test_a_speed_that_is_no_number_is_left_out(ask: Ask) -> None:
    ask(Record(win("one", figures={"3bv/s": float("inf")})))
    (expert,) = ask(ReadStatistics(ANN)).categories
    assert expert.ranked.mean_speed is None


@pytest.mark.parametrize(
    "variant",
    [
        replace(EXPERT, is_no_guess=True),
        replace(EXPERT, rules=OWN_RULES),
        replace(EXPERT, mine_count=98),
        replace(EXPERT, size=Size(16, 30)),
        replace(EXPERT, board="custom"),
    ],
    ids=["no-guess", "rules", "mines", "size", "board"],
)
def test_games_that_differ_in_anything_are_not_compared(ask: Ask, variant: Variant) -> None:
    ask(Record(win("one")))
    ask(Record(win("two")))
    ask(Record(win("other", variant=variant)))
    assert [it.category for it in ask(ReadStatistics(ANN)).categories] == [EXPERT, variant]
    assert ask(ReadTotals()) == (Total(EXPERT, won=2), Total(variant, won=1))


def test_a_daily_game_counts_with_its_category(ask: Ask) -> None:
    ask(Record(win("one", variant=replace(EXPERT, daily=MONDAY))))
    assert [it.category for it in ask(ReadStatistics(ANN)).categories] == [EXPERT]


def test_streaks_run_in_the_order_in_which_games_were_recorded(ask: Ask) -> None:
    for number, game in enumerate([win("a"), win("b"), win("c"), loss("d"), win("e")]):
        ask(Record(replace(game, ended_at_s=100 - number)))
    assert streaks(ask) == (1, 3)


@pytest.mark.parametrize(
    "breaker",
    [
        loss("x"),
        win("x", status=Status.TERMINATED),
        win("x", is_assisted=True),
        win("x", variant=EXPERT.as_repeat()),
    ],
    ids=["lost", "given up", "helped", "repeated"],
)
def test_whatever_is_no_unaided_win_ends_a_streak(ask: Ask, breaker: object) -> None:
    assert isinstance(breaker, type(win("x")))
    for game in (win("a"), win("b"), breaker):
        ask(Record(game))
    assert streaks(ask) == (0, 2)


def test_undoing_a_loss_does_not_mend_the_streak_it_ended(ask: Ask) -> None:
    for game in (win("a"), loss("b"), win("b", is_assisted=True), win("c")):
        ask(Record(game))
    assert streaks(ask) == (1, 1)


def test_a_game_recorded_again_moves_from_one_count_to_another(ask: Ask) -> None:
    ask(Record(loss("one")))
    ask(Record(win("one", status=Status.TERMINATED, is_assisted=True)))
    (expert,) = ask(ReadStatistics(ANN)).categories
    assert (expert.ranked, expert.unranked) == (Tally(), Tally(terminated=1))
    ask(Record(win("one", 500, is_assisted=True)))
    (expert,) = ask(ReadStatistics(ANN)).categories
    assert (expert.unranked.won, expert.unranked.terminated, expert.unranked.best_ms) == (1, 0, 500)


def test_totals_count_anonymous_players_too(ask: Ask) -> None:
    ask(Record(win("one")))
    ask(Record(win("", player=None)))
    ask(Record(loss("", player=None, variant=BEGINNER)))
    ask(Record(win("", player=None, status=Status.TERMINATED)))
    assert ask(ReadTotals()) == (Total(EXPERT, won=2, terminated=1), Total(BEGINNER, lost=1))


def test_the_categories_most_played_come_first_and_the_rest_is_one_count(ask: Ask) -> None:
    for number, variant in enumerate(kinds(MAX_LISTED + 2)):
        ask(Record(loss(f"game {number}", variant=variant)))
    ask(Record(win("again", variant=list(kinds(MAX_LISTED + 2))[-1])))
    statistics = ask(ReadStatistics(ANN))
    assert len(statistics.categories) == MAX_LISTED
    assert statistics.categories[0].category.size == Size(100, MAX_LISTED + 2)
    assert statistics.others == Tally(lost=2)
    assert statistics.games_played == MAX_LISTED + 3
    totals = ask(ReadTotals())
    assert len(totals) == MAX_LISTED + 1
    assert totals[-1] == Total(None, lost=2)
