"""The pace, for who asks for it, and what it must not give away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Act
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.session.figures import MOST_PACED_CELLS, Pace
from tests.unit.core.boards import play
from tests.world.player import BACK, SEEN, Player
from tests.world.server import seated

RULES = replace(PRESETS["classic"], auto_open=False)
BOARD = "*....\n.....\n.....\n....*"


def paced() -> Player:
    player, _ = seated(BOARD)
    player.do(BACK, "Settings", ("Pace", "on"), BACK, BACK)
    return player


def test_it_is_said_from_the_first_click_on() -> None:
    player = paced()
    assert player.members.get("pace") is None
    player.send(Act(1, 0, Button.REVEAL, SEEN))
    assert player.members["pace"] == [1, 1]
    player.send(Act(2, 3, Button.FLAG, SEEN))
    assert player.members["pace"] == [1, 2]


def test_nobody_sees_it_unasked_or_after_the_end() -> None:
    player, _ = seated(BOARD)
    player.send(Act(1, 0, Button.REVEAL, SEEN))
    assert player.members.get("pace") is None
    player = paced()
    player.send(Act(0, 0, Button.REVEAL, SEEN))
    assert player.members.get("pace") is None


def test_a_number_counts_alike_whether_or_not_it_touches_a_covered_zero() -> None:
    beside_a_zero, lone = play(BOARD, "classic", "reveal 1 0"), play("*.*", "classic", "reveal 1 0")
    assert Pace().of(beside_a_zero) == Pace().of(lone) == (1, 1)


def test_once_the_zero_is_open_its_numbers_no_longer_count() -> None:
    game, pace = play(BOARD, "classic", "reveal 1 0"), Pace()
    assert pace.of(game) == (1, 1)
    game.reveal(Cell(2, 0), 0)
    assert pace.of(game) == (1, 2)


def test_with_automatic_opening_off_every_cell_counts() -> None:
    game = play("*..\n...", RULES, "reveal 2 0", "reveal 2 1")
    assert Pace().of(game) == (2, 2)


@pytest.mark.parametrize(("rows", "is_said"), [(100, True), (101, False)])
def test_huge_boards_have_none(rows: int, is_said: bool) -> None:
    game = Game(Setup.of(Size(MOST_PACED_CELLS // 100, rows), 1_000, "classic", seed=1))
    game.reveal(Cell(0, 0), 0)
    assert bool(Pace().of(game)) == is_said
