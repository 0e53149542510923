"""What wins stays readable while the game runs, and what is missing is told."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import MoveTo, Start
from jminesweeper.protocol.vocabulary import Command
from tests.unit.session.backstage import Backstage, seated
from tests.unit.session.player import Player, cells_of, minefield_of, steps

CORNER = "*..\n...\n..."
ALL_OPEN = "All safe cells are open: flag the remaining"


def test_the_first_key_does_not_take_it_away() -> None:
    player, _ = seated(CORNER, "jminesweeper")
    player.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    assert player.message == ""
    assert player.entry("aim") == "Flag every mine and nothing else."


@pytest.mark.parametrize(
    ("rules", "aim"),
    [("classic", "Open every safe cell."), ("formal", "Open every safe cell, or flag every mine.")],
)
def test_each_games_own_is_shown(rules: str, aim: str) -> None:
    player, _ = seated(CORNER, rules)
    assert player.entry("aim") == aim


def test_the_end_takes_it_away() -> None:
    player, _ = seated(CORNER)
    player.send(Command.REVEAL)
    assert player.entry("aim") == ""


def test_with_every_safe_cell_open_the_missing_flags_are_told() -> None:
    player, _ = seated("*.*", "jminesweeper")
    player.send(MoveTo(1, 0), Command.REVEAL)
    assert player.message == player.entry("aim") == f"{ALL_OPEN} 2 mines."
    player.send(MoveTo(0, 0), Command.TOGGLE_BOMB_MARK)
    assert player.entry("aim") == f"{ALL_OPEN} mine."
    player.send(MoveTo(2, 0), Command.TOGGLE_BOMB_MARK)
    assert player.entry("state") == "won"


def test_version_1_shows_it_whenever_there_is_nothing_newer() -> None:
    player = Player()
    player.send(Start(20, 10, 1))
    aim = "Flag every mine and nothing else."
    assert aim in player.send(Command.TOGGLE_BOMB_MARK, Command.MOVE_RIGHT)
    assert aim not in player.send(Command.TOGGLE_DEBUG_MODE)
    assert aim in player.send(Command.TOGGLE_BOMB_MARK)


def test_version_1_is_told_as_well() -> None:
    start = Start(2, 1, 1)
    (safe,) = cells_of(field := minefield_of(start), 0b11 & ~field.mines)
    player = Player()
    player.send(start, *steps(Cell(0, 0), safe))
    assert f"{ALL_OPEN} mine." in player.send(Command.REVEAL)


def test_the_aim_is_there_before_the_store_is_known() -> None:
    player = Backstage().player()
    player.send(Start(3, 3, 1))
    assert "Flag every mine and nothing else." in player.text
