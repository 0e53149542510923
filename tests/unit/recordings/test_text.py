"""Whole games as text."""

from __future__ import annotations

import pytest

from jminesweeper.core.actions import Action, ActionKind, LoggedAction
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.text import format_action, format_game, parse_action, parse_game

SEEDED = """\
jminesweeper game 1
board beginner classic seed=1234

0 reveal 4 4
1730 flag 2 0
2100 undo
"""
LAID = """\
jminesweeper game 1
board custom 3x2/2 kata layout=*../..*

"""
MARKED = """\
jminesweeper game 1
board intermediate classic first-reveal=safe chording=no no-guess daily=2026-11-18 repeat seed=7

0 reveal 4 4
70 flag 0 0 by 3
90 undo by 15
"""


def seeded() -> Game:
    game = Game(Setup.of(Size(9, 9), 10, PRESETS["classic"], seed=1234))
    game.reveal(Cell(4, 4), 0)
    game.flag(Cell(2, 0), 1730)
    game.undo(2100)
    return game


@pytest.mark.requirement("C:Standard Controls")
@pytest.mark.parametrize("text", [SEEDED, LAID, MARKED])
def test_a_game_is_read_as_it_was_written(text: str) -> None:
    assert format_game(parse_game(text)) == text


def test_a_game_that_is_read_is_played_again() -> None:
    game, again = seeded(), parse_game(SEEDED)
    assert again.view == game.view
    assert again.setup == game.setup
    assert again.assisted is game.assisted


def test_line_endings_and_blank_lines_around_do_not_matter() -> None:
    text = "\r\n\r\n" + SEEDED.replace("\n", "\r\n") + "\r\n\r\n"
    assert format_game(parse_game(text)) == SEEDED


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("jminesweeper game 1", "jminesweeper game 2", "begins with the line"),
        ("board beginner", "size beginner", "second line is its board, not 'size beginner"),
        ("board beginner classic seed=1234\n", "", "second line is its board, not '0 reveal"),
        (" seed=1234", "", "needs a seed or a layout"),
        ("beginner", "beginner 9x9/99", "1 to 81 mines"),
        ("reveal 4 4", "reveal 4 9", "not on a board of 9x9"),
        ("reveal 4 4", "reveal 4", "not an action"),
        ("reveal 4 4", "jump 4 4", "not an action"),
        ("2100 undo", "2100 undo 1 1", "not an action"),
        ("2100 undo", "undo", "not an action"),
        ("2100 undo", "x" * 99, f"not an action: '{'x' * 40}'$"),
        ("2100 undo", "2100 undo by", "not an action"),
        ("2100 undo", "2100 undo by me", "not a number: 'me'"),
        ("2100 undo", "2100 undo by 16", "0 to 15, not 16"),
        ("2100 undo", "-1 undo", "not a number"),
    ],
)
def test_every_mistake_is_an_error_that_says_what_is_wrong(
    old: str, new: str, message: str
) -> None:
    assert old in SEEDED
    with pytest.raises(NotationError, match=message):
        parse_game(SEEDED.replace(old, new))


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "\x00", SEEDED[20:]])
def test_what_is_no_game_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        parse_game(text)


@pytest.mark.parametrize(
    ("line", "logged"),
    [
        ("0 reveal 4 5", LoggedAction(0, Action(ActionKind.REVEAL, Cell(4, 5)))),
        ("70 chord 0 254", LoggedAction(70, Action(ActionKind.CHORD, Cell(0, 254)))),
        ("12345 terminate", LoggedAction(12345, Action(ActionKind.TERMINATE))),
        ("7 undo by 15", LoggedAction(7, Action(ActionKind.UNDO), 15)),
        ("7 flag 1 2 by 1", LoggedAction(7, Action(ActionKind.FLAG, Cell(1, 2)), 1)),
    ],
)
def test_an_action_is_a_time_a_word_a_cell_and_perhaps_an_author(
    line: str, logged: LoggedAction
) -> None:
    assert parse_action(line) == logged
    assert format_action(logged) == line
