"""Help, statistics and leaderboards in words."""

from jminesweeper.session import pages
from jminesweeper.store.ports import (
    Board,
    Category,
    CategoryStatistics,
    Score,
    Statistics,
    Tally,
)

EXPERT = Category("expert", "classic")


def test_the_help_fits_a_screen_of_80_columns_with_its_frame() -> None:
    assert max(map(len, pages.HELP)) <= 74


def test_statistics_tell_games_with_help_apart() -> None:
    ranked = Tally(2, 1, 1, best_ms=61_500, mean_ms=70_000, mean_speed=1.5)
    statistics = Statistics((CategoryStatistics(EXPERT, ranked, Tally(1), 1, 2),))
    sums = "played 4   won 2   lost 1   given up 1   50%   best 61.500 s   mean 70.000 s"
    assert [*pages.statistics_lines(statistics)] == [
        "games played 5   won 3",
        "",
        "expert, classic rules",
        f"  {sums}   1.50 3BV/s",
        "  streak 1   best streak 2",
        "  assisted or repeated: played 1   won 1   lost 0   100%",
        "",
    ]


def test_categories_without_games_apart_say_nothing_of_them() -> None:
    statistics = Statistics((CategoryStatistics(EXPERT, Tally(0, 1), Tally(), 0, 0),))
    assert "assisted" not in "\n".join(pages.statistics_lines(statistics))


def test_who_has_ended_no_game_is_told_so() -> None:
    assert pages.statistics_lines(Statistics())[-1] == "No game has ended yet."


def test_scores_are_numbered_and_the_nameless_somebody() -> None:
    lines = pages.score_lines(
        [Score("Ada", 61_500, "code1", 0, "a"), Score("", 70_000, "code2", 0, "b")]
    )
    assert lines[0].split() == ["1.", "61.500", "s", "Ada", "code1"]
    assert lines[1].split() == ["2.", "70.000", "s", "somebody", "code2"]


def test_an_empty_board_says_so() -> None:
    assert [*pages.score_lines([])] == ["Nobody has won this yet."]


def test_a_board_is_named_with_its_day() -> None:
    assert pages.board_name(Board(EXPERT)) == "expert, classic rules"
    assert pages.board_name(Board(EXPERT, "2026-11-18")) == "expert 2026-11-18, classic rules"
