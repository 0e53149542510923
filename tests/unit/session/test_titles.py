"""What a game is played as."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core import PRESETS, FirstReveal, NotationError, Setup, Size
from jminesweeper.session.titles import (
    Title,
    category_of,
    format_header,
    label_in,
    label_of,
    parse_header,
    share_of,
    with_share,
)
from jminesweeper.store.ports import Category

CLASSIC, J = PRESETS["classic"], PRESETS["jminesweeper"]
BEGINNER = Setup(Size(9, 9), 10, CLASSIC, seed=5)
LAID = Setup.of_layout(Size(2, 2), 1, CLASSIC)
EASY = Setup(Size(20, 10), 10, J, seed=1)


@pytest.mark.parametrize(
    ("setup", "title", "label"),
    [
        (BEGINNER, Title("beginner"), "beginner 9x9"),
        (BEGINNER, Title("beginner", "2026-11-18"), "daily beginner 2026-11-18 9x9"),
        (BEGINNER, Title("beginner", is_no_guess=True), "beginner no-guess 9x9"),
        (EASY, Title("easy", is_repeat=True), "easy 20x10"),
    ],
)
def test_a_label_names_the_board(setup: Setup, title: Title, label: str) -> None:
    assert label_of(setup.size, title) == label
    assert label_in(format_header(setup, title)) == label


@pytest.mark.parametrize(
    ("setup", "title", "category"),
    [
        (BEGINNER, Title("beginner"), Category("beginner", "classic")),
        (
            BEGINNER,
            Title("beginner", is_no_guess=True),
            Category("beginner no-guess", "classic"),
        ),
        (EASY, Title("easy"), Category("easy 20x10", "jminesweeper")),
        (LAID, Title("custom"), Category("custom 2x2 1 mines", "classic")),
    ],
)
def test_results_are_compared_on_boards_as_large_and_as_full(
    setup: Setup, title: Title, category: Category
) -> None:
    assert category_of(setup, title) == category


def test_changed_rules_are_another_game() -> None:
    easier = replace(BEGINNER, rules=replace(CLASSIC, first_reveal=FirstReveal.ZERO))
    assert category_of(easier, Title("beginner")) == Category("beginner", "changed classic")


@given(
    st.sampled_from((BEGINNER, LAID, EASY)),
    st.builds(
        Title,
        st.sampled_from(("beginner", "easy", "custom")),
        st.sampled_from(("", "2026-11-18")),
        st.booleans(),
        st.booleans(),
    ),
)
def test_what_is_written_down_is_read_back(setup: Setup, title: Title) -> None:
    assert parse_header(format_header(setup, title)) == (setup, title)


@pytest.mark.parametrize("text", ["", "no game", format_header(EASY, Title("easy"))[:-7]])
def test_what_was_not_written_so_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        parse_header(text)


@pytest.mark.parametrize(
    "header", ["", "no game", "size 9x9", "size 9x9\nplay beginner", "size 0x999\nplay beginner -"]
)
def test_what_was_not_written_so_has_no_name(header: str) -> None:
    assert label_in(header) == ""


@pytest.mark.parametrize(
    "title", [Title("beginner"), Title("beginner", "2026-11-18", is_repeat=True, is_no_guess=True)]
)
def test_how_much_is_solved_is_a_word_that_changes_nothing_else(title: Title) -> None:
    header = format_header(BEGINNER, title)
    assert share_of(header) == ""
    assert share_of(with_share(header, 0.379)) == "37 %"
    assert parse_header(with_share(header, 1.0)) == (BEGINNER, title)
