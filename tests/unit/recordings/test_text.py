"""Whole games as text."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.actions import Action, ActionKind, LoggedAction
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, Spread, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.text import (
    format_action,
    format_game,
    format_rules,
    format_setup,
    parse_action,
    parse_day,
    parse_game,
    parse_rules,
    parse_setup,
    parse_size,
)
from tests.unit.core.boards import play

SEEDED = """\
jminesweeper game 1
board beginner
size 9x9
mines 10
rules classic
seed 00000000000004d2

0 reveal 4 4
1730 flag 2 0
2100 undo
"""
LAID = """\
jminesweeper game 1
board custom
size 3x2
mines 2
rules kata
layout *../..*

"""
MARKED = """\
jminesweeper game 1
board intermediate
size 16x16
mines 40
rules classic first-reveal=zero chording=no
seed 0000000000000007
no-guess
daily 2026-11-18
repeat

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


def test_a_game_from_a_seed_is_written_with_its_log() -> None:
    assert format_game(seeded()) == SEEDED


def test_a_game_on_a_layout_is_written_with_its_mines() -> None:
    assert format_game(play("*..\n..*", "kata")) == LAID


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
        ("size 9x9\n", "", "needs 'size'"),
        ("mines 10\n", "", "needs 'mines'"),
        ("seed 00000000000004d2\n", "", "needs a seed or a layout"),
        ("mines 10", "mines ten", "not a number: 'ten'"),
        ("mines 10", "mines 1_0", "not a number: '1_0'"),
        ("mines 10", "mines 99", "1 to 81 mines"),
        ("mines 10", "mines " + "9" * 5000, "not a number"),
        ("mines 10", "mines", "not a number"),
        ("size 9x9", "size 9x900", "rows must be 1 to 255"),
        ("size 9x9", "size 9", "not a number"),
        ("seed 00000000000004d2", "seed 0x4d2", "not a number"),
        ("seed 00000000000004d2", "seed 10000000000000000", "64 bits"),
        ("seed 00", "speed 00", "has no 'speed'"),
        ("rules classic", "rules", "one word"),
        ("board beginner", "board", "name of one word"),
        ("board beginner", "board a b", "name of one word"),
        ("mines 10", "mines 10\nmines 10", "has 'mines' once"),
        ("mines 10", "mines 10\nno-guess yes", "'no-guess' has no value"),
        ("mines 10", "mines 10\nrepeat no", "'repeat' has no value"),
        ("mines 10", "mines 10\ndaily", "written like 2026-11-18, not ''"),
        ("mines 10", "mines 10\ndaily 20261118", "not '20261118'"),
        ("mines 10", "mines 10\nplay beginner -", "has no 'play'"),
        ("rules classic", "rules classic chording=maybe", "rules have no 'chording=maybe'"),
        ("rules classic", "rules classic name=x", "rules have no 'name=x'"),
        ("reveal 4 4", "reveal 4 9", "not on a board of 9x9"),
        ("reveal 4 4", "reveal 4", "not an action"),
        ("reveal 4 4", "jump 4 4", "not an action"),
        ("2100 undo", "2100 undo 1 1", "not an action"),
        ("2100 undo", "undo", "not an action"),
        ("2100 undo", "x" * 99, f"not an action: '{'x' * 40}'$"),
        ("seed 00", f"{'s' * 99} 00", f"has no '{'s' * 40}'$"),
        ("rules classic", "rules classic " + "c" * 99, f"rules have no '{'c' * 40}'$"),
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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("layout *../..*", "layout *.././*", "rows of one length"),
        ("layout *../..*", "layout *..", "the layout is 3x1, not 3x2"),
        ("layout *../..*", "layout *../...", "another number of mines"),
        ("layout *../..*", "layout *../..F", "is no cell"),
        ("layout *../..*", "layout *../..*\nseed 1", "not both"),
    ],
)
def test_a_mistake_in_a_layout_is_an_error(old: str, new: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_game(LAID.replace(old, new))


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "\x00", SEEDED[20:]])
def test_what_is_no_game_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        parse_game(text)


@pytest.mark.parametrize(
    ("size", "mines", "board"), [("9x9", 10, "beginner"), ("9x9", 11, "custom")]
)
def test_a_board_without_a_name_is_known_by_its_size_and_mines(
    size: str, mines: int, board: str
) -> None:
    text = f"jminesweeper game 1\nsize {size}\nmines {mines}\nrules classic\nseed 1"
    assert parse_setup(text) == Setup.of(parse_size(size), mines, seed=1)
    assert parse_setup(text).variant.board == board


def test_a_setup_is_read_as_it_was_written() -> None:
    setup = seeded().setup
    assert parse_setup(format_setup(setup)) == setup


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_preset_is_read_as_it_was_written(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


def test_rules_of_ones_own_are_read_as_they_were_written() -> None:
    rules = replace(
        Rules("own"),
        spread=Spread.FOUR,
        victory=Victory.EITHER,
        first_reveal=FirstReveal.ZERO,
        auto_open=False,
    )
    assert parse_rules(format_rules(rules)) == rules


def test_rules_left_out_are_those_of_the_preset_or_of_the_plain_game() -> None:
    assert parse_rules("own chording=yes") == Rules("own", chording=True)
    assert parse_rules("classic chording=no") == replace(PRESETS["classic"], chording=False)


def test_rules_are_written_by_what_differs_from_their_preset() -> None:
    zero = replace(PRESETS["classic"], first_reveal=FirstReveal.ZERO, auto_open=False)
    assert format_rules(PRESETS["jminesweeper"]) == "jminesweeper"
    assert format_rules(zero) == "classic first-reveal=zero auto-open=no"
    assert format_rules(replace(zero, name="own")) == (
        "own first-reveal=zero chording=yes flag-on-win=yes auto-open=no"
    )


@pytest.mark.parametrize(
    "text",
    ["", "2026-1-1", "18.11.2026", "2026-13-01", "2026-01-32", "2026-11-18T00:00", "20261118",
     "2026-W47-3", "2026-02-29", "٢٠٢٦-11-18"],
)  # fmt: skip
def test_a_day_is_written_in_one_way(text: str) -> None:
    with pytest.raises(NotationError, match="written like 2026-11-18"):
        parse_day(text)
    assert parse_day("2026-11-18") == date(2026, 11, 18)


@pytest.mark.parametrize("text", ["", "  "])
def test_rules_without_a_name_are_an_error(text: str) -> None:
    with pytest.raises(NotationError, match="one word"):
        parse_rules(text)


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


def test_a_size_is_read_as_it_is_written() -> None:
    assert parse_size(str(Size(30, 16))) == Size(30, 16)


@pytest.mark.parametrize("text", ["", "x", "9x", "x9", "9", "9x9x9", "+9x9", "٩x٩", "0x9"])
def test_what_is_no_size_is_an_error(text: str) -> None:
    with pytest.raises(NotationError):
        parse_size(text)
