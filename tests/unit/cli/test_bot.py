"""`jminesweeper bot`, as it is typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.bot import bot_command


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bot_command, arguments)


@pytest.mark.parametrize("strategy", ["risk", "progress", "full", "deep"])
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


def test_one_game_is_shown_move_by_move() -> None:
    result = run("--preset=beginner", "--show", "--seed=5", "--first-click=zero")
    assert result.exit_code == 0
    assert ": it is safe\n" in result.stdout
    assert result.stdout.splitlines()[-1].endswith(", seed 5")
