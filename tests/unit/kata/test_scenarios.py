"""The scenarios print what the kata's own text shows, board by board.

`examples.txt` holds that text, word for word; it is read here without the package's parsers.
"""

import re
from pathlib import Path

import pytest

from jminesweeper.kata.report import run_scenario
from jminesweeper.kata.scenarios import SCENARIOS

TEXT = (Path(__file__).parent / "examples.txt").read_text(encoding="utf-8")
BOARD = re.compile(r"((?:^[-+|_*X1-8 ]+\n)+)^(\[Sandbox 3x3\] .+)$", re.MULTILINE)
BOMBS = re.compile(r"^Bombs:\n((?:[-b]{3}\n){3})", re.MULTILINE)


def section(name: str) -> str:
    """The kata's text under one heading, up to the next."""
    match = re.search(rf"^### {name}\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


def assert_prints_what_is_written(name: str, boards: int) -> None:
    """Compare every board and message; how many there are was counted by hand."""
    [scenario] = [each for each in SCENARIOS if each.name == name]
    verdict = run_scenario(scenario)
    text = section(name)
    written = [f"{picture}{message}" for picture, message in BOARD.findall(text)]
    assert [check.actual for check in verdict.checks] == written
    assert len(written) == boards
    assert verdict.is_green
    for bombs in BOMBS.findall(text):
        assert scenario.bombs.split("/") == bombs.split()


def test_every_scenario_and_example_of_the_text_is_there_once() -> None:
    headings = re.findall(r"^### (.+)$", TEXT, re.MULTILINE)
    assert [scenario.name for scenario in SCENARIOS] == headings
    assert len(headings) == 6 + 12


@pytest.mark.requirement("K:UAT Scenario 1")
def test_a_created_board_is_an_empty_grid() -> None:
    assert_prints_what_is_written("Scenario 1", boards=1)


@pytest.mark.requirement("K:UAT Scenario 2")
def test_a_bomb_stepped_on_is_an_x_in_the_grid() -> None:
    assert_prints_what_is_written("Scenario 2", boards=1)


@pytest.mark.requirement("K:UAT Scenario 3")
def test_a_cleared_square_shows_its_number_in_the_grid() -> None:
    assert_prints_what_is_written("Scenario 3", boards=1)


@pytest.mark.requirement("K:UAT Scenario 4")
def test_three_marks_are_stars_in_the_grid() -> None:
    assert_prints_what_is_written("Scenario 4", boards=1)


@pytest.mark.requirement("K:UAT Scenario 5")
def test_every_safe_square_cleared_is_a_victory_in_the_grid() -> None:
    assert_prints_what_is_written("Scenario 5", boards=1)


@pytest.mark.requirement("K:UAT Scenario 6")
def test_a_massive_cleaning_wins_at_once_in_the_grid() -> None:
    assert_prints_what_is_written("Scenario 6", boards=1)


@pytest.mark.requirement("K:Example 1")
def test_a_new_board_is_drawn_with_its_message() -> None:
    assert_prints_what_is_written("Example 1", boards=1)


@pytest.mark.requirement("K:Example 2")
def test_a_step_on_the_bomb_in_the_middle_is_game_over() -> None:
    assert_prints_what_is_written("Example 2", boards=1)


@pytest.mark.requirement("K:Example 3")
def test_a_step_on_the_bomb_at_the_bottom_left_is_game_over() -> None:
    assert_prints_what_is_written("Example 3", boards=1)


@pytest.mark.requirement("K:Example 4")
def test_a_step_on_the_bomb_at_the_bottom_right_is_game_over() -> None:
    assert_prints_what_is_written("Example 4", boards=1)


@pytest.mark.requirement("K:Example 5")
def test_one_number_and_then_a_bomb_is_game_over() -> None:
    assert_prints_what_is_written("Example 5", boards=2)


@pytest.mark.requirement("K:Example 6")
def test_two_numbers_and_then_a_bomb_is_game_over() -> None:
    assert_prints_what_is_written("Example 6", boards=3)


@pytest.mark.requirement("K:Example 7")
def test_numbers_and_marks_lead_to_the_cleared_land() -> None:
    assert_prints_what_is_written("Example 7", boards=9)


@pytest.mark.requirement("K:Example 8")
def test_three_marks_and_six_steps_clear_the_land() -> None:
    assert_prints_what_is_written("Example 8", boards=9)


@pytest.mark.requirement("K:Example 9")
def test_six_steps_without_a_mark_clear_the_land() -> None:
    assert_prints_what_is_written("Example 9", boards=6)


@pytest.mark.requirement("K:Example 10")
def test_one_step_at_the_bottom_left_clears_the_land() -> None:
    assert_prints_what_is_written("Example 10", boards=1)


@pytest.mark.requirement("K:Example 11")
def test_one_step_at_the_top_left_clears_the_land() -> None:
    assert_prints_what_is_written("Example 11", boards=1)


@pytest.mark.requirement("K:Example 12")
def test_a_mark_set_and_taken_back_does_not_hinder_victory() -> None:
    assert_prints_what_is_written("Example 12", boards=5)
