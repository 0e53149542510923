"""Help, statistics and leaderboards in words."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant, level_variant
from jminesweeper.protocol.view import Listing
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.reading import Score
from jminesweeper.records.statistics import CategorySums, Statistics, Sums
from jminesweeper.session import pages
from jminesweeper.session.config import Doors
from jminesweeper.session.matches import Match

EXPERT, BEGINNER = CLASSIC_BOARDS["expert"], CLASSIC_BOARDS["beginner"]
EASY = level_variant(Size(20, 10), Level.EASY)


def help_on(rules: str) -> str:
    return "\n".join(pages.help_lines(Match(Game(Setup.of("beginner", rules=rules, seed=1)))))


def test_the_help_says_what_wins_and_whether_there_are_chords() -> None:
    assert "This game: Open every safe cell." in help_on("classic")
    assert "opens the rest around it" in help_on("classic")
    assert "This game: Flag every mine and nothing else." in help_on("jminesweeper")
    assert "no chords" in help_on("jminesweeper")
    assert "Open every safe cell, or flag every mine." in pages.help_lines(None)


def test_the_help_names_the_way_in_by_ssh_where_there_is_one() -> None:
    assert pages.ssh_lines(Doors("192.0.2.5", 9999)) == ()
    assert pages.ssh_lines(Doors("192.0.2.5", 9999, ssh_key="SHA256:x"))[1:] == (
        "From any terminal: ssh 192.0.2.5 -p 9999",
        "Key: SHA256:x",
    )


def test_statistics_are_a_row_of_figures_for_each_board() -> None:
    ranked = Sums(2, 1, 1, best_ms=61_500, time_ms=140_000, speed=1.5, speeds=1)
    statistics = Statistics(
        (
            (EXPERT, CategorySums(ranked, Sums(), 1, 2)),
            (EASY, CategorySums(Sums(0, 1), Sums(), 0, 0)),
        )
    )
    head = ("", "played", "won", "lost", "rate", "best s", "mean s", "streak", "3BV/s")
    assert [*pages.statistics_lines(statistics)] == [
        "games played 5   won 2",
        "",
        Listing(
            head,
            (
                ("expert", "4", "2", "1", "50 %", "61.500", "70.0", "1 of 2", "1.50"),
                ("easy 20x10, flag every mine", "1", "0", "1", "0 %", "", "", "0 of 0", ""),
            ),
        ),
        "",
        "Rules are classic unless named.",
    ]


def test_games_with_help_have_a_table_of_their_own_and_boards_never_played_none() -> None:
    helped = Sums(1, best_ms=10, time_ms=10)
    statistics = Statistics(
        (
            (EXPERT, CategorySums(Sums(), helped, 0, 0)),
            (BEGINNER, CategorySums(Sums(), Sums(), 0, 0)),
        )
    )
    assert [*pages.statistics_lines(statistics)] == [
        "games played 1   won 1",
        "",
        "Not ranked: with help, or on a board known before:",
        Listing(
            ("", "played", "won", "lost", "rate", "best s", "mean s", "3BV/s"),
            (("expert", "1", "1", "0", "100 %", "0.010", "0.0", ""),),
        ),
        "",
        "Rules are classic unless named.",
    ]


def test_the_page_of_a_player_who_has_ended_no_game_says_so() -> None:
    assert [*pages.statistics_lines(Statistics())] == [
        "No game of yours has ended yet.",
        "The first one will be counted here, won or lost.",
    ]


def test_scores_are_numbered_and_the_nameless_anonymous() -> None:
    assert [
        *pages.score_lines(
            [Score("Ada", 61_500, "code1", 0, "a", 0.309), Score("", 70_000, "code2", 0, "b")]
        )
    ] == [
        Listing(
            ("", "seconds", "luck", "game"),
            ((" 1. Ada", "61.500", "31 %", "code1"), (" 2. anonymous", "70.000", "", "code2")),
        )
    ]


def test_own_bests_have_their_days() -> None:
    assert not pages.score_rows([], [])
    own = [
        Score("", 61_500, "code1", 1_700_000_000, "a", 0.001),
        Score("", 70_000, "code2", 0, "a"),
    ]
    heading, *rows = pages.score_rows([], own)
    assert (heading.label, heading.kind) == ("Your best", "heading")
    assert [(row.id, row.label, row.figures) for row in rows] == [
        ("own.code1", " 1. 2023-11-14", ("luck under 1 %", "61.500 s", "code1")),
        ("own.code2", " 2. 1970-01-01", ("", "70.000 s", "code2")),
    ]


def test_an_empty_board_says_so() -> None:
    assert [*pages.score_lines([])] == ["Nobody has won this yet."]


@pytest.mark.parametrize(
    ("board", "name"),
    [
        (EXPERT, "expert"),
        (replace(EXPERT, daily=date(2026, 11, 18)), "daily expert 2026-11-18"),
        (replace(EXPERT, is_no_guess=True), "expert no-guess"),
        (EASY, "easy 20x10, flag every mine"),
        (
            Variant(CUSTOM, Size(2, 2), 1, PRESETS["classic"]),
            "custom 2x2, 1 mine",
        ),
        (
            replace(BEGINNER, rules=replace(PRESETS["classic"], first_reveal=FirstReveal.SAFE)),
            "beginner, classic with changes",
        ),
    ],
)
def test_a_board_is_named_by_all_that_results_are_compared_by(board: Variant, name: str) -> None:
    assert pages.board_name(Leaderboard(board)) == name
    assert pages.board_name(Leaderboard(board, is_of_programs=True)) == f"{name}, programs"
    clean = pages.board_name(Leaderboard(board, is_clean=True))
    assert clean == f"{name}, no needless guess"


def test_boards_of_ones_own_that_were_played_once_share_a_line_with_those_beyond_the_list() -> None:
    own = [Variant(CUSTOM, Size(9, 9), mines, PRESETS["classic"]) for mines in (3, 4, 5)]
    statistics = Statistics(
        (
            (EXPERT, CategorySums(Sums(1, 1), Sums(), 0, 1)),
            (own[0], CategorySums(Sums(1), Sums(), 1, 1)),
            (own[1], CategorySums(Sums(), Sums(0, 1), 0, 0)),
            (own[2], CategorySums(Sums(1, 1), Sums(), 1, 1)),
        ),
        Sums(4, 2),
    )
    lines = pages.statistics_lines(statistics)
    (listing,) = [line for line in lines if isinstance(line, Listing)]
    assert [row[0] for row in listing.rows] == ["expert", "custom 9x9, 5 mines"]
    assert "Other boards: played 8, won 5." in lines
