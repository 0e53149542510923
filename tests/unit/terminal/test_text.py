"""Words and figures made fit for a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.protocol.view import Listing
from jminesweeper.terminal.lines import (
    align_right,
    clean,
    format_clock,
    format_tenths,
    table_lines,
    wrapped,
)

LISTING = Listing(
    ("", "played", "won", "best s"),
    (("beginner", "12", "7", "61.500"), ("easy 20x10, jminesweeper", "1", "0", "")),
)


def test_figures_stand_below_their_heads_behind_the_names() -> None:
    assert table_lines(LISTING, 76) == [
        "                          played  won  best s",
        "beginner                      12    7  61.500",
        "easy 20x10, jminesweeper       1    0",
    ]


def test_columns_move_closer_before_names_get_lines_of_their_own() -> None:
    assert table_lines(LISTING, 42) == [
        "                         played won best s",
        "beginner                     12   7 61.500",
        "easy 20x10, jminesweeper      1   0",
    ]
    assert table_lines(LISTING, 41) == [
        "                      played  won  best s",
        "beginner                  12    7  61.500",
        "easy 20x10, jminesweeper",
        "                           1    0",
    ]


def test_where_names_had_hardly_any_room_each_has_a_line() -> None:
    assert table_lines(LISTING, 24) == [
        "  played  won  best s",
        "beginner",
        "      12    7  61.500",
        "easy 20x10, jminesweeper",
        "       1    0",
    ]


def test_the_last_columns_go_where_there_is_no_room_for_them() -> None:
    assert table_lines(LISTING, 16)[:3] == ["  played  won", "beginner", "      12    7"]


def test_a_name_longer_than_the_page_continues_in_the_next_line() -> None:
    assert table_lines(LISTING, 14)[-3:] == ["easy 20x10,", "jminesweeper", "       1    0"]


cells = st.text("abc 123", max_size=9)


@given(st.lists(st.tuples(cells, cells, cells, cells)), st.integers(0, 90))
def test_no_line_is_longer_than_there_is_room(
    rows: list[tuple[str, str, str, str]], width: int
) -> None:
    lines = table_lines(Listing(("", "one", "two", "three"), tuple(rows)), width)
    assert max(map(len, lines)) <= max(width, 1)
    assert max(map(len, align_right(rows, width)), default=0) <= width


@pytest.mark.parametrize(
    ("room", "aligned"),
    [
        (30, ["  easy 20x10  100%  12:05", "beginner 9x9    1%   1:05"]),
        (24, ["  easy 20x10 100% 12:05", "beginner 9x9   1%  1:05"]),
        (23, ["100%  12:05", "  1%   1:05"]),
        (9, ["12:05", " 1:05"]),
        (4, ["", ""]),
        (-1, ["", ""]),
    ],
)
def test_of_values_at_the_right_the_first_ones_go(room: int, aligned: list[str]) -> None:
    rows = [("easy 20x10", "100%", "12:05"), ("beginner 9x9", "1%", "1:05")]
    assert align_right(rows, room) == aligned


def test_without_rows_there_is_nothing_to_align() -> None:
    assert align_right([], 10) == []


@pytest.mark.requirement("C:Timer Display")
def test_the_clock_shows_whole_seconds() -> None:
    assert [format_clock(1000 * seconds) for seconds in (0, 1, 83, 6_000)] == [
        "0:00",
        "0:01",
        "1:23",
        "100:00",
    ]
    assert format_tenths(12_399) == "0:12.3"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x07\r\n", "[31mred"),
        ("a\u200bb\u202ec\x9bd", "abcd"),
        ("é ö", "é ö"),
        ("e\u0301", "e"),
        ("名前", "??"),
        ("💣", "?"),
        ("a\u00a0b\u3000c", "a b c"),
    ],
)
def test_text_from_outside_takes_one_column_a_character(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_without_unicode_only_ascii_is_left() -> None:
    assert clean("né ⚑", has_unicode=False) == "n? ?"
    assert clean("▁▄█", has_unicode=False) == "148"


def test_text_is_broken_into_lines_that_continue_as_they_started() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("  one two three", 9) == ["  one two", "  three"]
    assert wrapped("", 8) == [""]


def test_a_sign_stays_with_its_figure() -> None:
    assert wrapped("a mine at 12 % here", 12) == ["a mine at", "12 % here"]
    assert wrapped("a mine at 12 % here", 14) == ["a mine at 12 %", "here"]


def test_a_margin_that_takes_half_the_width_is_not_kept() -> None:
    assert wrapped("    ab cd", 6)[1:] == ["cd"]
