"""Help, statistics and leaderboards in words."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant, level_variant
from jminesweeper.screen.models import Listing
from jminesweeper.screen.plain import format_lines
from jminesweeper.session import pages
from jminesweeper.store import CategoryStatistics, Score, Statistics, Tally

EXPERT, BEGINNER = CLASSIC_BOARDS["expert"], CLASSIC_BOARDS["beginner"]
EASY = level_variant(Size(20, 10), Level.EASY)


def test_the_help_fits_a_screen_of_80_columns_with_its_frame() -> None:
    assert max(map(len, pages.HELP)) <= 74


def test_the_help_promises_no_chords_where_the_rules_have_none() -> None:
    aim = "Flag every mine and nothing else."
    with_chords, without = pages.help_lines(aim), pages.help_lines(aim, has_chords=False)
    changed = [line for line in without if line not in with_chords]
    assert len(without) == len(with_chords)
    assert changed == [
        "RETURN                     open",
        "c                          chord, but not by this game's rules",
        "Mouse: left opens, right or Ctrl-left flags,",
    ]


def test_statistics_are_a_row_of_figures_for_each_board() -> None:
    ranked = Tally(2, 1, 1, best_ms=61_500, mean_ms=70_000, mean_speed=1.5)
    statistics = Statistics(
        (
            CategoryStatistics(EXPERT, ranked, Tally(), 1, 2),
            CategoryStatistics(EASY, Tally(0, 1), Tally(), 0, 0),
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
        "Rules are classic unless named.",
    ]


def test_games_with_help_have_a_table_of_their_own_and_boards_never_played_none() -> None:
    helped = Tally(1, best_ms=10, mean_ms=10)
    statistics = Statistics(
        (
            CategoryStatistics(EXPERT, Tally(), helped, 0, 0),
            CategoryStatistics(BEGINNER, Tally(), Tally(), 0, 0),
        )
    )
    assert [*pages.statistics_lines(statistics)] == [
        "games played 1   won 1",
        "",
        "Not ranked: with help, or on a board seen before:",
        Listing(
            ("", "played", "won", "lost", "rate", "best s", "mean s", "3BV/s"),
            [("expert", "1", "1", "0", "100 %", "0.010", "0.0", "")],
        ),
        "",
        "Rules are classic unless named.",
    ]


def test_the_page_of_a_player_who_has_ended_no_game_says_so() -> None:
    assert [*pages.statistics_lines(Statistics())] == [
        "No game of yours has ended yet.",
        "The first one will be counted here, won or lost.",
    ]


@pytest.mark.parametrize("columns", [36, 76])
def test_statistics_fit_their_page(columns: int) -> None:
    tally = Tally(123, 456, 7, best_ms=61_500, mean_ms=170_000, mean_speed=1.5)
    boards = (
        BEGINNER,
        replace(EXPERT, is_no_guess=True),
        Variant(CUSTOM, Size(255, 255), 32_000, PRESETS["classic"], is_no_guess=True),
    )
    changed = replace(PRESETS["jminesweeper"], first_reveal=FirstReveal.ZERO)
    played = [
        CategoryStatistics(replace(board, rules=rules), tally, tally, 3, 12)
        for board in boards
        for rules in (PRESETS["classic"], changed)
    ]
    lines = [*format_lines(pages.statistics_lines(Statistics(tuple(played)))[2:3], columns)]
    assert max(map(len, lines)) <= columns
    assert sum("61.500" in line for line in lines) == len(played)


def test_scores_are_numbered_and_the_nameless_anonymous() -> None:
    assert [
        *pages.score_lines(
            [Score("Ada", 61_500, "code1", 0, "a"), Score("", 70_000, "code2", 0, "b")]
        )
    ] == [
        Listing(
            ("", "seconds", "game"),
            [(" 1. Ada", "61.500", "code1"), (" 2. anonymous", "70.000", "code2")],
        )
    ]


def test_the_row_of_who_looks_is_marked() -> None:
    (listing,) = pages.score_lines(
        [Score("Ada", 61_500, "code1", 0, "a"), Score("Bob", 70_000, "code2", 0, "b")], "b"
    )
    assert isinstance(listing, Listing)
    assert [row[0] for row in listing.rows] == ["  1. Ada", "> 2. Bob"]


def test_own_bests_have_their_days() -> None:
    assert pages.own_lines([]) == []
    own = [Score("", 61_500, "code1", 1_700_000_000, "a"), Score("", 70_000, "code2", 0, "a")]
    assert pages.own_lines(own)[1:] == [
        "Your best:",
        Listing(
            ("", "seconds", "day", "game"),
            [
                ("  1.", "61.500", "2023-11-14", "code1"),
                ("  2.", "70.000", "1970-01-01", "code2"),
            ],
        ),
    ]


def test_an_empty_board_says_so() -> None:
    assert [*pages.score_lines([])] == ["Nobody has won this yet."]


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (EXPERT, "expert, classic rules"),
        (replace(EXPERT, daily=date(2026, 11, 18)), "expert 2026-11-18, classic rules"),
        (replace(EXPERT, is_no_guess=True), "expert no-guess, classic rules"),
        (EASY, "easy 20x10, jminesweeper rules"),
        (
            Variant(CUSTOM, Size(2, 2), 1, PRESETS["classic"]),
            "custom 2x2 1 mine, classic rules",
        ),
        (
            replace(BEGINNER, rules=replace(PRESETS["classic"], first_reveal=FirstReveal.ZERO)),
            "beginner, changed classic rules",
        ),
    ],
)
def test_a_board_is_named_by_all_that_results_are_compared_by(board: Variant, name: str) -> None:
    assert pages.board_name(board) == name


def test_boards_of_ones_own_that_were_played_once_share_a_line_with_those_beyond_the_list() -> None:
    own = [Variant(CUSTOM, Size(9, 9), mines, PRESETS["classic"]) for mines in (3, 4, 5)]
    statistics = Statistics(
        (
            CategoryStatistics(EXPERT, Tally(1, 1), Tally(), 0, 1),
            CategoryStatistics(own[0], Tally(1), Tally(), 1, 1),
            CategoryStatistics(own[1], Tally(), Tally(0, 1), 0, 0),
            CategoryStatistics(own[2], Tally(1, 1), Tally(), 1, 1),
        ),
        Tally(4, 2),
    )
    lines = pages.statistics_lines(statistics)
    (listing,) = [line for line in lines if isinstance(line, Listing)]
    assert [row[0] for row in listing.rows] == ["expert", "custom 9x9 5 mines"]
    assert "Other boards: played 8, won 5." in lines
