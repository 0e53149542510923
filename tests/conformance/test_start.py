"""START: every size and level, and what is out of range."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.protocol import Command, Start
from tests.conformance.player import Player

AROUND_THE_FIELD = 20
SIZES = [(1, 1), (2, 1), (1, 2), (9, 9), (20, 10), (30, 16), (40, 5), (41, 5), (255, 1), (1, 255)]


@pytest.mark.requirement("J:packet START", "J:field size", "J:character ?")
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_field_of_the_size_asked_for_appears_all_hidden(
    new_player: Callable[..., Player], columns: int, rows: int, level: int
) -> None:
    player = new_player(4 * columns + AROUND_THE_FIELD, 2 * rows + AROUND_THE_FIELD)
    player.start(columns, rows, level)


@pytest.mark.requirement("J:packet START", "J:field size", "J:three levels")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_largest_field_appears_whole(new_player: Callable[..., Player], level: int) -> None:
    new_player(255 + AROUND_THE_FIELD, 255 + AROUND_THE_FIELD).start(255, 255, level)


@pytest.mark.parametrize(("columns", "rows"), [(20, 10), (30, 16)])
def test_usual_fields_fit_a_terminal_of_80x24(player: Player, columns: int, rows: int) -> None:
    player.start(columns, rows, 1)


@pytest.mark.requirement("J:incompatible command")
@pytest.mark.parametrize(
    "start", [Start(0, 9, 1), Start(9, 0, 1), Start(0, 0, 0), Start(9, 9, 0), Start(9, 9, 4)]
)
def test_a_start_out_of_range_leaves_the_running_game_as_it_is(
    player: Player, start: Start
) -> None:
    player.start(9, 9, 1)
    player.do(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
    before = player.field_picture
    player.do(start)
    assert player.field_picture == before


@pytest.mark.parametrize("start", [Start(0, 0, 0), Start(9, 9, 255)])
def test_a_start_out_of_range_before_the_first_game_is_answered_and_the_next_one_works(
    player: Player, start: Start
) -> None:
    player.do(start)
    player.start(9, 9, 1)


@pytest.mark.requirement("J:packet START")
def test_a_start_within_a_game_begins_another(player: Player) -> None:
    player.start(9, 9, 1)
    player.do(Command.TOGGLE_BOMB_MARK)
    player.start(5, 4, 2)


def test_nothing_of_a_larger_field_stays_on_the_screen(player: Player) -> None:
    player.start(30, 16, 1)
    player.start(5, 4, 1)
    assert sum(line.count("?") >= 5 for line in player.terminal.lines) == 4
