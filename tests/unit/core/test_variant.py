"""What is played, as one value."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Level
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, level_variant

EXPERT = CLASSIC_BOARDS["expert"]
SMALL = Variant("custom", Size(5, 4), 6, PRESETS["classic"])
DAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("variant", "label"),
    [
        (EXPERT, "expert 30x16"),
        (SMALL, "custom 5x4"),
        (replace(SMALL, is_no_guess=True), "custom no-guess 5x4"),
        (replace(EXPERT, daily=DAY), "daily expert 2026-11-18 30x16"),
        (replace(EXPERT, is_repeat=True), "expert 30x16"),
        (level_variant(Size(20, 10), Level.EASY), "easy 20x10"),
    ],
)
def test_a_variant_has_one_label(variant: Variant, label: str) -> None:
    assert variant.label == label


def test_results_are_compared_whatever_day_it_was_and_whether_the_board_was_seen() -> None:
    assert replace(EXPERT, daily=DAY, is_repeat=True).category == EXPERT
    assert replace(EXPERT, is_no_guess=True).category != EXPERT
    assert EXPERT.category is EXPERT


def test_a_classic_board_is_one_by_name_size_and_mines() -> None:
    assert replace(EXPERT, rules=PRESETS["jminesweeper"], daily=DAY).is_classic_board
    assert not replace(EXPERT, mine_count=98).is_classic_board
    assert not SMALL.is_classic_board


def test_a_level_is_a_share_of_the_cells() -> None:
    hard = level_variant(Size(20, 10), Level.HARD)
    assert (hard.board, hard.mine_count, hard.rules) == ("hard", 90, PRESETS["jminesweeper"])
    assert level_variant(Size(20, 10), Level.HARD, PRESETS["classic"]).rules == PRESETS["classic"]


def test_a_board_seen_before_is_marked() -> None:
    assert EXPERT.as_repeat() == replace(EXPERT, is_repeat=True)


@pytest.mark.parametrize("name", ["", " ", "two words", "line\nbreak"])
def test_a_board_has_a_name_of_one_word(name: str) -> None:
    with pytest.raises(SetupError, match="one word"):
        replace(SMALL, board=name)


@pytest.mark.parametrize("mine_count", [-1, 0, 21])
def test_a_board_holds_as_many_mines_as_it_has_room_for(mine_count: int) -> None:
    with pytest.raises(SetupError, match="1 to 20 mines"):
        replace(SMALL, mine_count=mine_count)
