"""The bot's moves in sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.cli.bot_show import show_end, show_game, show_move, watcher
from jminesweeper.core import ActionKind, Cell, FirstReveal, Size, Status, parse_position
from jminesweeper.solver import PARTS, Contest, Move, Reason

Printed = Callable[[], str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    return lambda: capsys.readouterr().out


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (
            Move(Cell(0, 0), ActionKind.REVEAL, 0.0, Reason.SURE),
            "reveal 0 0: it holds no mine",
        ),
        (
            Move(Cell(2, 0), ActionKind.REVEAL, 0.25, Reason.LOWEST_RISK),
            "reveal 2 0: nothing is sure, and it is the least likely mine (risk 25 %)",
        ),
        (Move(Cell(2, 0), ActionKind.FLAG, 0.0, Reason.SURE), "flag 2 0: it must be a mine"),
        (Move(Cell(0, 1), ActionKind.FLAG, 0.0, Reason.SURE), "flag 0 1: no mine is here"),
    ],
)
@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_move_is_told_with_the_board_before_it_and_its_reason(
    move: Move, line: str, is_terminal: bool, printed: Printed
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
    show_end(Status.LOST, 1)
    assert printed() == "lost after 1 move\n"
