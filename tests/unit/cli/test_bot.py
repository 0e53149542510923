"""`jminesweeper bot`, as it is typed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.bot import bot_command
from jminesweeper.core.rules import FirstReveal
from tests.integration.scripted_server import serving
from tests.unit.bot.servers import OwnServer, served


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bot_command, arguments)


def test_it_says_how_many_games_were_won() -> None:
    result = run("--preset=beginner", "--games=20", "--seed=1", "--jobs=1")
    assert result.exit_code == 0
    assert "20 games of 9x9 with 10 mines, first click safe at 0,0, seeds from 1" in result.stdout
    assert "95 % between" in result.stdout


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


@pytest.mark.parametrize("kind", FirstReveal)
def test_any_board_can_be_played_with_any_first_click(kind: FirstReveal) -> None:
    board = ("--columns=2", "--rows=3", "--mines=1")
    result = run(*board, "--games=5", "--seed=1", "--jobs=1", f"--first-click={kind.value}")
    assert result.exit_code == 0
    assert "games of 2x3 with 1 mines" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--columns=2", "--rows=2", "--mines=4"),
        ("--columns=1", "--rows=1", "--mines=2"),
        ("--games=0",),
        ("--preset=easy",),
        ("--preset=expert", "--mines=9"),
        ("--preset=expert", "--level=1"),
        ("--level=1", "--mines=9"),
        ("--jobs=0",),
        ("--columns=256",),
        ("--show", "--json"),
        ("--show", "--pace=slow"),
        ("--host=a b",),
        ("--host=localhost:0",),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


def test_a_board_of_one_cell_has_one_mine() -> None:
    result = run("--columns=1", "--rows=1", "--mines=1", "--games=1", "--jobs=1")
    assert result.exit_code == 0
    assert "won 0: 0.00 %" in result.stdout


@pytest.mark.parametrize("level", ["medium", "2"])
def test_a_level_says_how_many_mines_there_are(level: str) -> None:
    result = run("--columns=20", "--rows=10", f"--level={level}", "--games=1", "--jobs=1")
    assert "20x10 with 50 mines" in result.stdout


def test_one_game_is_shown_move_by_move() -> None:
    result = run("--preset=beginner", "--show", "--seed=5", "--first-click=zero")
    assert result.exit_code == 0
    assert ": it is safe\n" in result.stdout
    assert result.stdout.splitlines()[-1].endswith(", seed 5")


def test_many_games_are_played_on_a_server() -> None:
    with serving(served(OwnServer()), served(OwnServer())) as server:
        options = (
            "--preset=beginner",
            "--games=3",
            "--first-click=zero",
            f"--host={server.address}",
        )
        told = run(*options)
        facts = json.loads(run(*options, "--json").stdout)
    assert told.exit_code == 0
    assert ": won " in told.stdout
    assert facts["games"] == 3


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    result = run("--host=127.0.0.1:1")
    assert result.exit_code == 1
    assert result.stderr == "Error: There is no server at 127.0.0.1:1.\n"


def test_a_room_needs_a_server() -> None:
    assert "--join needs --host." in run("--join", "KRTPWX").stderr
