"""`jminesweeper bot`, as it is typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.bot import bot_command
from jminesweeper.core import FirstReveal


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bot_command, arguments)


def test_it_says_how_many_games_were_won() -> None:
    result = run("--preset=beginner", "--games=20", "--seed=1", "--jobs=1")
    assert result.exit_code == 0
    assert "20 games of 9x9 with 10 mines, first click safe at 0,0, seeds from 1" in result.stdout
    assert "95 % between" in result.stdout


@pytest.mark.parametrize("strategy", ["risk", "progress", "endgame", "full"])
def test_every_strategy_plays_for_programs_as_well(strategy: str) -> None:
    result = run(
        "--preset=beginner", "--games=10", "--seed=1", "--jobs=1", "--json", "--strategy", strategy
    )
    facts = json.loads(result.stdout)
    assert facts["strategy"] == strategy
    assert facts["games"] == 10
    assert 0 < facts["rate"] <= 1


def test_without_a_seed_other_boards_are_played_each_time() -> None:
    runs = [run("--preset=beginner", "--games=1", "--jobs=1", "--json") for _ in range(2)]
    first, second = (json.loads(result.stdout)["seed"] for result in runs)
    assert first != second


@pytest.mark.parametrize("kind", FirstReveal)
def test_any_board_can_be_played_with_any_first_click(kind: FirstReveal) -> None:
    board = ("--columns=2", "--rows=3", "--mines=1")
    result = run(*board, "--games=5", "--seed=1", "--jobs=1", f"--first-click={kind.value}")
    assert result.exit_code == 0
    assert "games of 2x3 with 1 mines" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [("--columns=2", "--rows=2", "--mines=4"), ("--games=0",), ("--preset=easy",), ("--jobs=0",)],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
