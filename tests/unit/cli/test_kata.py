"""`jminesweeper kata`, as it is typed."""

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli import kata
from jminesweeper.cli.main import main
from jminesweeper.core.grid import Grid
from jminesweeper.core.minefield import Minefield, seeded_bits
from jminesweeper.core.view import Status
from jminesweeper.kata import SANDBOX, SCENARIOS, Beat, Sandbox, play_bot

GREEN, RED, PLAIN = "\x1b[32m", "\x1b[31m", "\x1b[0m"
HIDDEN = str.maketrans("123", "   ")


def run(*arguments: str, **environment: str) -> Result:
    env: dict[str, str | None] = {"NO_COLOR": None, "FORCE_COLOR": None, **environment}
    return CliRunner(env=env).invoke(main, ["kata", *arguments])


def test_without_a_seed_a_new_one_is_told_and_plays_the_game_again() -> None:
    first = run()
    match = re.match(r"Bot \w+, seed (\d+)\n", first.output)
    assert match is not None
    assert run("--seed", match[1]).output == first.output
    assert run().output != first.output


def games_won_on_every_board(bot: str, bombs: int) -> int:
    grid = Grid.of(SANDBOX)
    won = 0
    for seed, cells in enumerate(combinations(grid.cells(grid.mask), bombs)):
        sandbox = Sandbox.of_bombs(Minefield(SANDBOX, sum(map(grid.bit, cells))))
        list(play_bot(sandbox, kata.BOTS[bot](seeded_bits(seed))))
        won += sandbox.view.status is Status.WON
    return won


@pytest.mark.requirement("K:UAT 9.1")
def test_with_one_bomb_the_solver_loses_on_its_first_step_or_not_at_all() -> None:
    assert games_won_on_every_board("solver", bombs=1) == 8


@pytest.mark.requirement("K:UAT 9.1")
def test_with_three_bombs_the_solver_wins_far_more_often_than_chance() -> None:
    won = {bot: games_won_on_every_board(bot, bombs=3) for bot in kata.BOTS}
    assert won["solver"] > 3 * won["random"] > 0


def test_naming_the_number_of_bombs_that_a_seed_has_anyway_changes_nothing() -> None:
    outputs = {count: run("--seed", "7", "--bombs", count).output for count in ("1", "3")}
    assert outputs["1"] != outputs["3"]
    assert run("--seed", "7").output in outputs.values()


def test_both_numbers_of_bombs_come_up_when_none_is_named() -> None:
    ones = [
        run("--seed", str(seed)).output == run("--seed", str(seed), "--bombs", "1").output
        for seed in range(12)
    ]
    assert 0 < sum(ones) < 12


@pytest.mark.parametrize("layout", ["-b-/--b/b--", "-b-\n--b\nb--"])
def test_a_layout_puts_the_bombs(layout: str) -> None:
    outputs = [run("--layout", layout, "--seed", str(seed)).output for seed in range(40)]
    rows = {row for output in outputs for row in output.splitlines() if "X" in row}
    assert {row.translate(HIDDEN) for row in rows} == {"| |X| |", "| | |X|", "|X| | |"}


@pytest.mark.requirement("K:Kata Objective")
def test_a_red_scenario_is_reported_and_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (Beat("step 1;1", "---/-1-/---", "1 bomb around your square."),)
    example = next(scenario for scenario in SCENARIOS if scenario.name == "Example 2")
    monkeypatch.setattr(kata, "SCENARIOS", [replace(example, beats=wrong)])
    result = run("--scenarios", FORCE_COLOR="1")
    assert result.exit_code == 1
    assert f"{RED}RED  Example 2{PLAIN}" in result.output
    assert "1 played: 0 green, 1 red: Example 2" in result.output


@pytest.mark.requirement("K:Kata Objective")
@pytest.mark.parametrize("arguments", [["--scenarios"], ["--seed", "3"]])
def test_the_log_holds_the_report_without_colours(tmp_path: Path, arguments: list[str]) -> None:
    log = tmp_path / "report.txt"
    coloured = run(*arguments, "--log", str(log), FORCE_COLOR="1").output
    assert log.read_text(encoding="utf-8") == run(*arguments).output
    assert "\x1b" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("environment", "is_coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
    ],
)
def test_a_terminal_gets_colours_unless_it_or_its_user_says_no(
    environment: dict[str, str], is_coloured: bool
) -> None:
    output = on_a_terminal(environment, "kata", "--layout", "--b/---/---", "--seed", "1")
    assert ("\x1b[" in output) is is_coloured
    assert "[Sandbox 3x3] Game created" in output


def on_a_terminal(environment: dict[str, str], *arguments: str) -> str:
    """Run the command with a pseudo terminal as its output, and return what it wrote there."""
    master, slave = pty.openpty()
    inherited = {key: value for key, value in os.environ.items() if not key.endswith("_COLOR")}
    try:
        subprocess.run(
            [sys.executable, "-m", "jminesweeper", *arguments],
            env=inherited | environment,
            stdout=slave,
            check=True,
        )
        return os.read(master, 65536).decode()
    finally:
        os.close(slave)
        os.close(master)


def test_an_output_that_knows_no_en_dash_gets_a_hyphen() -> None:
    report = subprocess.run(
        [sys.executable, "-m", "jminesweeper", "kata", "--scenarios"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "[Sandbox 3x3] BOOM! - Game Over." in report
