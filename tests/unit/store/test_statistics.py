import pytest

from jminesweeper.core import Status
from jminesweeper.store.statistics import Result, Statistics, Tally, summarise
from tests.contract.examples import BEGINNER, EXPERT, loss, win


def result(
    status: Status, *, time_ms: int = 1000, is_ranked: bool = True, speed: float | None = None
) -> Result:
    return Result(EXPERT, status, time_ms, is_ranked, speed)


WON, LOST, ENDED = result(Status.WON), result(Status.LOST), result(Status.TERMINATED)
HELPED = result(Status.WON, is_ranked=False)


def test_a_result_is_what_statistics_need_of_a_game() -> None:
    assert Result.of(win("x", 5)) == Result(EXPERT, Status.WON, 5, True, 1.923)
    assert Result.of(loss("x", figures={})).speed is None


def test_who_never_played_has_no_rates() -> None:
    nothing = Tally()
    assert (nothing.played, nothing.win_rate, nothing.mean_ms) == (0, None, None)
    assert (Statistics().games_played, Statistics().games_won) == (0, 0)


def test_the_win_rate_counts_games_given_up() -> None:
    (expert,) = summarise([WON, LOST, ENDED, ENDED]).categories
    assert expert.ranked == Tally(1, 1, 2, best_ms=1000, mean_ms=1000)
    assert expert.ranked.win_rate == 0.25


def test_times_and_speeds_are_those_of_games_won() -> None:
    results = [
        result(Status.WON, time_ms=3000, speed=1.0),
        result(Status.WON, time_ms=2000),
        result(Status.LOST, time_ms=1, speed=99.0),
    ]
    (expert,) = summarise(results).categories
    assert (expert.ranked.best_ms, expert.ranked.mean_ms) == (2000, 2500)
    assert expert.ranked.mean_speed == 1.0


@pytest.mark.parametrize(
    ("results", "streaks"),
    [
        ([], None),
        ([LOST], (0, 0)),
        ([WON, WON], (2, 2)),
        ([WON, WON, LOST, WON], (1, 2)),
        ([WON, ENDED], (0, 1)),
        ([WON, HELPED, WON], (1, 1)),
    ],
    ids=["none", "lost", "two", "broken", "given up", "helped"],
)
def test_only_unaided_wins_in_a_row_make_a_streak(
    results: list[Result], streaks: tuple[int, int] | None
) -> None:
    found = [(c.streak, c.best_streak) for c in summarise(results).categories]
    assert found == ([streaks] if streaks else [])


def test_categories_have_streaks_of_their_own() -> None:
    other = LOST._replace(category=BEGINNER)
    expert, beginner = summarise([WON, other, WON]).categories
    assert (expert.streak, beginner.streak) == (2, 0)
