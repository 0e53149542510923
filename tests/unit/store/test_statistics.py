import pytest

from jminesweeper.core.view import Status
from jminesweeper.store.statistics import CategorySums, Result, Statistics, Sums, Tally
from jminesweeper.store.values import MAX_NUMBER
from tests.contract.examples import EXPERT, loss, win


def result(
    status: Status, *, time_ms: int = 1000, counts: bool = True, speed: float | None = None
) -> Result:
    return Result(EXPERT, status, counts, time_ms, speed)


WON, LOST, ENDED = result(Status.WON), result(Status.LOST), result(Status.TERMINATED)
HELPED = result(Status.WON, counts=False)


def add_up(*results: Result) -> CategorySums:
    sums = CategorySums()
    for each in results:
        sums = sums.plus(each)
    return sums


def test_a_result_is_what_statistics_need_of_a_game() -> None:
    assert Result.of(win("x", 5)) == Result(EXPERT, Status.WON, True, 5, 1.923)
    assert Result.of(loss("x", figures={})).speed is None


def test_who_never_played_has_no_rates() -> None:
    nothing = Tally()
    assert (nothing.played, nothing.win_rate, nothing.mean_ms) == (0, None, None)
    assert (Statistics().games_played, Statistics().games_won) == (0, 0)


def test_the_win_rate_counts_games_given_up() -> None:
    tally = add_up(WON, LOST, ENDED, ENDED).ranked.tally()
    assert tally == Tally(1, 1, 2, best_ms=1000, mean_ms=1000)
    assert tally.win_rate == 0.25


def test_times_and_speeds_are_those_of_games_won() -> None:
    tally = add_up(
        result(Status.WON, time_ms=3000, speed=1.0),
        result(Status.WON, time_ms=2000),
        result(Status.LOST, time_ms=1, speed=99.0),
    ).ranked.tally()
    assert (tally.best_ms, tally.mean_ms, tally.mean_speed) == (2000, 2500, 1.0)


@pytest.mark.parametrize(
    ("results", "streaks"),
    [
        ([LOST], (0, 0)),
        ([WON, WON], (2, 2)),
        ([WON, WON, LOST, WON], (1, 2)),
        ([WON, ENDED], (0, 1)),
        ([WON, HELPED, WON], (1, 1)),
    ],
    ids=["lost", "two", "broken", "given up", "helped"],
)
def test_only_unaided_wins_in_a_row_make_a_streak(
    results: list[Result], streaks: tuple[int, int]
) -> None:
    sums = add_up(*results)
    assert (sums.streak, sums.best_streak) == streaks


def test_a_game_that_is_taken_back_leaves_the_streak_it_ended_ended() -> None:
    sums = add_up(WON, WON, LOST).minus(LOST).plus(HELPED, is_again=True)
    assert (sums.ranked.won, sums.ranked.lost, sums.unranked.won) == (2, 0, 1)
    assert (sums.streak, sums.best_streak) == (0, 2)


def test_sums_stay_numbers_that_a_store_can_keep() -> None:
    endless = result(Status.WON, time_ms=MAX_NUMBER)
    assert Sums().plus(endless).plus(endless).time_ms == MAX_NUMBER
