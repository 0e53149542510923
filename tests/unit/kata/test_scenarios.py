"""The scenarios print what the kata's own text shows, board by board.

`examples.txt` holds that text, word for word; it is read here without the package's parsers.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.kata import SCENARIOS, run_scenario

TEXT = (Path(__file__).parent / "examples.txt").read_text(encoding="utf-8")
BOARD = re.compile(r"((?:^[-+|_*X1-8 ]+\n)+)^(\[Sandbox 3x3\] .+)$", re.MULTILINE)
BOMBS = re.compile(r"^Bombs:\n((?:[-b]{3}\n){3})", re.MULTILINE)


def section(name: str) -> str:
    """The kata's text under one heading, up to the next."""
    match = re.search(rf"^### {name}\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


BOARDS = {
    **{f"Scenario {number}": 1 for number in range(1, 7)},
    **{f"Example {number}": 1 for number in (1, 2, 3, 4, 10, 11)},
    "Example 5": 2,
    "Example 6": 3,
    "Example 7": 9,
    "Example 8": 9,
    "Example 9": 6,
    "Example 12": 5,
}
"""Number of boards of each, counted by hand."""


def case(name: str) -> Any:
    number = f"UAT {name}" if name.startswith("Scenario") else name
    return pytest.param(name, marks=pytest.mark.requirement(f"K:{number}"), id=name)


def test_every_scenario_and_example_of_the_text_is_there_once() -> None:
    headings = re.findall(r"^### (.+)$", TEXT, re.MULTILINE)
    assert [scenario.name for scenario in SCENARIOS] == headings
    assert {*headings} == {*BOARDS}
    assert len(headings) == 6 + 12


@pytest.mark.parametrize("name", [case(name) for name in BOARDS])
def test_every_board_and_message_is_printed_as_it_is_written(name: str) -> None:
    [scenario] = [each for each in SCENARIOS if each.name == name]
    verdict = run_scenario(scenario)
    text = section(name)
    written = [f"{picture}{message}" for picture, message in BOARD.findall(text)]
    assert [check.actual for check in verdict.checks] == written
    assert len(written) == BOARDS[name]
    assert verdict.is_green
    for bombs in BOMBS.findall(text):
        assert scenario.bombs.split("/") == bombs.split()
