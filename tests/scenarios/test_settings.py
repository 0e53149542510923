"""Document C's settings menu: what is tapped there is kept, and played."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.packets import OpenMenu
from tests.scenarios.table import Table
from tests.world.server import KNOWN

pytestmark = pytest.mark.requirement("C:Settings Menu")


USUAL, MAY_BE, NO_MINE, AREA = "usual", "may be a mine", "is no mine", "opens an area"


def settings_with(label: str, table: Table) -> None:
    """Open the settings where a row of that name is."""
    table.choose("Settings")
    if label not in table.player.items:
        table.choose("Other rules")


def begin(*settings: tuple[str, str]) -> Table:
    """Choose values of settings, then begin a beginner's game from the menu."""
    table = Table()
    for setting, value in settings:
        table.send(OpenMenu("main"))
        settings_with(setting, table)
        table.choose(setting, value)
    table.send(OpenMenu("boards"))
    table.choose("Beginner")
    return table


@pytest.mark.parametrize(
    ("label", "value"),
    [("First click", MAY_BE), ("Open around zeros", "on"), ("Chording", "off")],
)
def test_each_setting_is_changed_and_persists(label: str, value: str) -> None:
    table = Table()
    settings_with(label, table)
    table.choose(label, value)
    assert table.player.row(label)["value"] == value
    table.player = table.world.player()
    table.send(KNOWN)
    settings_with(label, table)
    assert table.player.row(label)["value"] == value


@pytest.mark.parametrize(("value", "opened"), [(USUAL, 6), ("on", 6), ("off", 1)])
def test_what_is_set_for_zeros_is_played(value: str, opened: int) -> None:
    """As usual, on, off: a zero opens its surroundings, or itself alone."""
    table = begin(("Open around zeros", value))
    table.press(0, 0)
    assert sum(cell != "?" for cell in "".join(table.field)) == opened


@pytest.mark.parametrize(
    ("value", "shown"), [(USUAL, "."), (MAY_BE, "B"), (NO_MINE, "1"), (AREA, ".")]
)
def test_what_is_set_for_the_first_click_is_played(value: str, shown: str) -> None:
    """Usual, none, no mine, an opening: what becomes of a mine under the first click."""
    table = begin(("First click", value))
    table.press(3, 0)
    assert table.field[0][3] == shown
    assert ("You lost" in table.words) is (shown == "B")


@pytest.mark.parametrize(("value", "opens"), [(USUAL, True), ("on", True), ("off", False)])
def test_what_is_set_for_chords_is_played(value: str, opens: bool) -> None:
    """As usual, on, off: a click on a number with all its flags."""
    table = begin(("First click", NO_MINE), ("Chording", value))
    table.press(2, 0)
    table.flag(3, 0)
    table.press(2, 0)
    assert (table.field[0][1] != "?") is opens


@pytest.mark.parametrize(
    ("value", "aim"),
    [
        ("classic", "Open every safe cell."),
        ("plain", "Open every safe cell."),
        ("open or flag all", "Open every safe cell, or flag every mine."),
        ("flag every mine", "Flag every mine and nothing else."),
    ],
)
def test_the_rules_that_are_set_are_played(value: str, aim: str) -> None:
    table = begin(("Kind of game", value))
    assert aim in table.words


def test_the_size_and_the_mines_that_are_set_are_played() -> None:
    table = Table()
    table.choose("New game")
    table.choose("Custom")
    for label, number in (("Columns", "12"), ("Rows", "7"), ("Mines", "80")):
        table.choose(label, number)
    table.choose("Begin")
    assert table.player.entry("label") == "custom 12x7"
    assert table.mines_left == 80


def test_a_board_without_guesses_is_laid_where_that_is_set() -> None:
    table = begin(("No-guess boards", "on"))
    table.world.boards.append(0b1_1111_1111 << 10 | 1 << 20)
    table.press(0, 0)
    assert table.field[0] == "2????????"
    assert "This board needs no guess" in table.words
