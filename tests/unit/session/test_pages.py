"""Help, statistics and leaderboards in words."""

import pytest

from jminesweeper.screen import Listing, format_lines
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


def test_statistics_are_a_row_of_figures_for_each_board() -> None:
    ranked = Tally(2, 1, 1, best_ms=61_500, mean_ms=70_000, mean_speed=1.5)
    statistics = Statistics(
        (
            CategoryStatistics(EXPERT, ranked, Tally(), 1, 2),
            CategoryStatistics(Category("easy 20x10", "jminesweeper"), Tally(0, 1), Tally(), 0, 0),
        )
    )
    head = ("", "played", "won", "lost", "rate", "best s", "mean s", "streak", "3BV/s")
    assert [*pages.statistics_lines(statistics)] == [
        "games played 5   won 2",
        "",
        Listing(
            head,
            [
                ("expert", "4", "2", "1", "50 %", "61.500", "70.0", "1 of 2", "1.50"),
                ("easy 20x10, jminesweeper", "1", "0", "1", "0 %", "", "", "0 of 0", ""),
            ],
        ),
        "",
        "Where no rules are named they are classic.",
    ]


def test_games_with_help_stand_apart_and_boards_never_played_nowhere() -> None:
    helped = Tally(1, best_ms=10, mean_ms=10)
    statistics = Statistics(
        (
            CategoryStatistics(EXPERT, Tally(), helped, 0, 0),
            CategoryStatistics(Category("beginner", "classic"), Tally(), Tally(), 0, 0),
        )
    )
    assert [*pages.statistics_lines(statistics)] == [
        "games played 1   won 1",
        "",
        "Counted apart, with help or on a board seen before:",
        Listing(
            ("", "played", "won", "lost", "rate", "best s", "mean s", "3BV/s"),
            [("expert", "1", "1", "0", "100 %", "0.010", "0.0", "")],
        ),
        "",
        "Where no rules are named they are classic.",
    ]


def test_who_has_ended_no_game_is_told_so() -> None:
    assert [*pages.statistics_lines(Statistics())] == [
        "No game of yours has ended yet.",
        "The first one will be counted here, won or lost.",
    ]


@pytest.mark.parametrize("columns", [36, 76])
def test_statistics_fit_their_page(columns: int) -> None:
    tally = Tally(123, 456, 7, best_ms=61_500, mean_ms=170_000, mean_speed=1.5)
    names = ("beginner", "expert no-guess", "custom 255x255 32000 mines no-guess")
    played = [
        CategoryStatistics(Category(name, rules), tally, tally, 3, 12)
        for name in names
        for rules in ("classic", "changed jminesweeper")
    ]
    lines = [*format_lines(pages.statistics_lines(Statistics(tuple(played)))[2:3], columns)]
    assert max(map(len, lines)) <= columns
    assert sum("61.500" in line for line in lines) == len(played)


def test_scores_are_numbered_and_the_nameless_somebody() -> None:
    assert [
        *pages.score_lines(
            [Score("Ada", 61_500, "code1", 0, "a"), Score("", 70_000, "code2", 0, "b")]
        )
    ] == [
        Listing(
            ("", "seconds", "game"),
            [(" 1. Ada", "61.500", "code1"), (" 2. somebody", "70.000", "code2")],
        )
    ]


def test_an_empty_board_says_so() -> None:
    assert [*pages.score_lines([])] == ["Nobody has won this yet."]


def test_a_board_is_named_with_its_day() -> None:
    assert pages.board_name(Board(EXPERT)) == "expert, classic rules"
    assert pages.board_name(Board(EXPERT, "2026-11-18")) == "expert 2026-11-18, classic rules"
