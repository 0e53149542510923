"""Document C's settings menu: what is tapped there is kept, and played."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import Text
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session.reply import LaidBoard
from tests.scenarios.screen import Table
from tests.unit.session.backstage import ANSI

pytestmark = pytest.mark.requirement("C:Settings Menu")


def begin(setting: str, taps: int) -> Table:
    """Tap on a setting so many times, then begin a beginner's game from the menu."""
    table = Table()
    table.choose("Settings")
    for _ in range(taps):
        table.choose(setting)
    table.send(Command.MENU)
    table.choose("New game")
    table.choose("Beginner")
    table.find_field(9, 9)
    return table


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("First click protected", "off"),
        ("Open around zeros", "on"),
        ("Custom columns", "31"),
        ("Custom rows", "21"),
        ("Custom mines", "131"),
    ],
)
def test_each_setting_is_changed_and_persists(label: str, value: str) -> None:
    table = Table()
    table.choose("Settings")
    table.choose(label)
    assert any(label in line and value in line for line in table.player.lines)
    table.player = table.backstage.player()
    table.send(ANSI)
    table.choose("Settings")
    assert any(label in line and value in line for line in table.player.lines), table.screen


@pytest.mark.parametrize(("taps", "opened"), [(0, 6), (1, 6), (2, 1)])
def test_what_is_set_for_zeros_is_played(taps: int, opened: int) -> None:
    """As the rules say, on, off: a zero opens its surroundings, or itself alone."""
    table = begin("Open around zeros", taps)
    table.press(0, 0)
    assert sum(cell != "?" for cell in "".join(table.field)) == opened


@pytest.mark.parametrize(("taps", "shown"), [(0, "1"), (1, "B"), (2, "1"), (3, ".")])
def test_what_is_set_for_the_first_click_is_played(taps: int, shown: str) -> None:
    """As the rules say, off, safe, zero: what becomes of a mine under the first click."""
    table = begin("First click protected", taps)
    table.press(3, 0)
    assert table.field[0][3] == shown
    assert ("You lost" in table.screen) is (shown == "B")


@pytest.mark.parametrize(("taps", "opens"), [(0, True), (1, True), (2, False)])
def test_what_is_set_for_chords_is_played(taps: int, opens: bool) -> None:
    """As the rules say, on, off: a click on a number with all its flags."""
    table = begin("Chording", taps)
    table.press(2, 0)
    table.flag(3, 0)
    table.press(2, 0)
    assert (table.field[0][1] != "?") is opens


@pytest.mark.parametrize(
    ("taps", "aim"),
    [
        (0, "Open every safe cell."),
        (1, "Open every safe cell."),
        (2, "Open every safe cell, or flag every mine."),
        (3, "Flag every mine and nothing else."),
    ],
)
def test_the_rules_that_are_set_are_played(taps: int, aim: str) -> None:
    table = begin("Rules", taps)
    assert aim in table.screen


def test_the_size_and_the_mines_that_are_set_are_played() -> None:
    table = Table()
    table.choose("Settings")
    for label, number in (("columns", "12"), ("rows", "7"), ("mines", "80")):
        table.choose(f"Custom {label}")
        table.send(Text(number))
    table.send(Command.MENU)
    table.choose("New game")
    table.choose("Custom")
    table.choose("Begin")
    table.find_field(12, 7)
    assert "custom 12x7" in table.header
    assert table.mines_left == 80


def test_a_board_without_guesses_is_laid_where_that_is_set() -> None:
    table = begin("No-guess boards", 1)
    table.backstage.boards.append(LaidBoard(0b1_1111_1111 << 10 | 1 << 20, is_uniform=True))
    table.press(0, 0)
    assert table.field[0] == "2????????"
    assert "This board needs no guess" in table.screen
