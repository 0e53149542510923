"""`jminesweeper bot`, as it is typed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from jminesweeper.bot.on_server import Report
from jminesweeper.bot.playing import GameOutcome
from jminesweeper.cli.bot import (
    bot_command,
    describe_report,
    show_end,
    show_game,
    show_move,
    watcher,
)
from jminesweeper.client.address import Address
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.view import Status
from jminesweeper.solver.dealing import Contest
from jminesweeper.solver.playing import Decision
from jminesweeper.solver.strategy import PARTS, Reason
from tests.integration.scripted_server import serving
from tests.unit.bot.servers import OwnServer, served

Printed = Callable[[], str]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bot_command, arguments)


def test_it_says_how_many_games_were_won() -> None:
    result = run("--preset=beginner", "--games=20", "--seed=1", "--jobs=1")
    assert result.exit_code == 0
    assert "20 games of 9x9 with 10 mines, first click safe at 0,0, seeds from 1" in result.stdout
    assert "95 % between" in result.stdout


@pytest.mark.parametrize("strategy", ["risk", "progress", "full"])
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
        ("--show", "--speed=0"),
        ("--wire=2",),
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
    assert "version 2 of the protocol: won " in told.stdout
    assert facts["games"] == 3


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    result = run("--host=127.0.0.1:1")
    assert result.exit_code == 1
    assert result.stderr == "Error: There is no server at 127.0.0.1:1.\n"


def test_what_was_played_on_a_server_is_one_sentence() -> None:
    report = Report(2, [GameOutcome(Status.WON, 60, 3), GameOutcome(Status.LOST, 40, 0)])
    assert describe_report(Address("::1", 9999), report) == (
        "[::1]:9999, version 2 of the protocol: won 1 of 2 games with 100 moves, 3 of them guesses"
    )


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    return lambda: capsys.readouterr().out


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (
            Decision(Cell(0, 0), ActionKind.REVEAL, 0.0, Reason.SURE),
            "reveal (0,0): it is safe",
        ),
        (
            Decision(Cell(2, 0), ActionKind.REVEAL, 0.25, Reason.LOWEST_RISK),
            "reveal (2,0): no safe move; it has the lowest risk (risk 25 %)",
        ),
        (Decision(Cell(2, 0), ActionKind.FLAG, 0.0, Reason.SURE), "flag (2,0): it must be a mine"),
        (Decision(Cell(0, 1), ActionKind.FLAG, 0.0, Reason.SURE), "flag (0,1): no mine is here"),
    ],
)
@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_move_is_told_with_the_board_before_it_and_its_reason(
    move: Decision, line: str, is_terminal: bool, printed: Printed
) -> None:
    view = parse_position("? 1 ?\nF 2 .", 2)
    watcher(1000, is_terminal=is_terminal)(move, view)
    assert printed() == f"? 1 ?\nF 2 .\n{line}\n\n"


def test_into_a_pipe_moves_go_at_once() -> None:
    assert watcher(1, is_terminal=False) is show_move


def test_a_game_is_shown_from_its_first_click_to_its_end(printed: Printed) -> None:
    contest = Contest(Size(9, 9), 4, Cell(3, 3), FirstReveal.ZERO)
    show_game(contest, 5, PARTS["full"], show_move)
    output = printed()
    boards = output.split("\n\n")
    assert boards[0].splitlines()[3].split()[3] == "."
    end = boards[-1].splitlines()
    assert end[-1] == f"won after {len(boards) - 1} moves, seed 5"
    assert "?" not in "".join(end[:-1])


def test_a_game_can_be_lost_on_its_first_click(printed: Printed) -> None:
    show_game(Contest(Size(1, 1), 1, Cell(0, 0), FirstReveal.OFF), 1, PARTS["full"], show_move)
    assert printed() == "X\nlost after 0 moves, seed 1\n"


def test_one_move_is_one_move(printed: Printed) -> None:
    show_end(GameOutcome(Status.LOST, 1, 0))
    assert printed() == "lost after 1 move\n"
