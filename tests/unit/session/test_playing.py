"""A game from START to its end, on the screen of version 1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import Packet, Start, UnknownPacket
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session.config import SessionConfig
from tests.unit.session.player import Player, cells_of, minefield_of, steps

START = Start(20, 10, 1)
SMALL = Start(4, 3, 2)
MOVES = [Command.MOVE_LEFT, Command.MOVE_RIGHT, Command.MOVE_UP, Command.MOVE_DOWN]
ACTIONS = [Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.TOGGLE_DEBUG_MODE]
WON = "You won! Press TAB to play again."
LOST = "You lost: B* went off"


@pytest.fixture
def player() -> Player:
    return Player()


def act_on(player: Player, then: Command, *cells: Cell) -> str:
    """Go from cell to cell, beginning where the cursor is, and do the same at each."""
    for cell in cells:
        column, row = player.terminal.cursor
        player.send(*steps(Cell((column - 1) // 2, row - 2), cell), then)
    return player.text


def bombs(start: Start = SMALL) -> list[Cell]:
    field = minefield_of(start)
    return cells_of(field, field.mines)


def safe_cells(start: Start = SMALL) -> list[Cell]:
    field = minefield_of(start)
    return cells_of(field, field.safe)


def win(player: Player) -> str:
    player.send(SMALL)
    return act_on(player, Command.TOGGLE_BOMB_MARK, *bombs())


def lose(player: Player) -> str:
    player.send(SMALL)
    return act_on(player, Command.REVEAL, bombs()[0])


class TestStart:
    @pytest.mark.parametrize(("level", "bombs"), [(1, 10), (2, 50), (3, 90)])
    def test_the_counter_starts_with_the_mines_of_the_level(
        self, player: Player, level: int, bombs: int
    ) -> None:
        player.send(Start(20, 10, level))
        assert f"mines left {bombs} " in player.lines[0]

    def test_it_says_what_wins(self, player: Player) -> None:
        player.send(START)
        assert player.lines[1] == "Flag every mine and nothing else."

    def test_the_status_line_is_right_after_a_second_start_of_another_size(
        self, player: Player
    ) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send_after(5_000, Start(30, 16, 3))
        assert player.lines[0] == "JMinesweeper  hard 30x16  mines left 216  0:00"
        player.send(Start(3, 2, 1))
        assert player.lines[0] == "JMinesweeper  easy 3x2  mines left 1  0:00"
        assert player.field(Size(3, 2)) == ["???", "???"]

    @pytest.mark.requirement(
        "F:V.Game.only_one_uncompleted_game", "F:terminate_game", "F:start_game"
    )
    def test_a_start_within_a_game_ends_that_one(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        assert player.games_ended == 0
        player.send_after(2_000, START)
        assert player.games_ended == 1
        assert player.field(Size(20, 10)) == ["?" * 20] * 10

    @pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
    def test_a_game_without_an_action_is_no_game_played(self, player: Player) -> None:
        player.send(START, Command.MOVE_DOWN, START, Start(9, 9, 2))
        assert player.games_ended == 0


class TestMoving:
    def test_it_leaves_the_message_that_is_read(self, player: Player) -> None:
        player.send(START)
        message = player.lines[1]
        player.send(Command.MOVE_RIGHT)
        assert player.lines[1] == message


class TestPlaying:
    def test_the_counter_goes_below_zero(self, player: Player) -> None:
        player.send(Start(3, 2, 1))
        act_on(player, Command.TOGGLE_BOMB_MARK, *safe_cells(Start(3, 2, 1))[:2])
        assert "mines left -1 " in player.lines[0]


class TestClock:
    def test_it_does_not_run_before_the_first_action(self, player: Player) -> None:
        player.send(START)
        player.send_after(60_000, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("0:00")

    def test_it_runs_between_keys(self, player: Player) -> None:
        player.send(START)
        player.send_after(60_000, Command.TOGGLE_BOMB_MARK)
        player.send_after(61_999, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("1:01")

    def test_it_does_not_start_with_a_look_at_the_mines(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_DEBUG_MODE)
        player.send_after(60_000, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("0:00  DEBUG")

    def test_it_stops_at_the_end(self, player: Player) -> None:
        player.send(SMALL)
        act_on(player, Command.TOGGLE_BOMB_MARK, safe_cells()[0])
        player.now_ms += 7_500
        act_on(player, Command.REVEAL, bombs()[0])
        player.send_after(90_000, Command.MOVE_LEFT)
        assert "0:07  LOST" in player.lines[0]
        assert player.games_ended == 1

    def test_it_never_goes_back(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send_after(-500, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("0:00")


class TestEnd:
    @pytest.mark.requirement("J:win", "C:Visual Feedback")
    def test_marking_exactly_the_mines_wins(self, player: Player) -> None:
        assert WON in win(player)
        assert "WON" in player.lines[0]
        assert player.games_ended == 1

    @pytest.mark.requirement("J:win")
    def test_marking_one_cell_too_many_wins_only_when_that_mark_goes(self, player: Player) -> None:
        player.send(SMALL)
        wrong = safe_cells()[0]
        act_on(player, Command.TOGGLE_BOMB_MARK, wrong, *bombs())
        assert (WON in player.text, player.games_ended) == (False, 0)
        act_on(player, Command.TOGGLE_BOMB_MARK, wrong)
        assert (WON in player.text, player.games_ended) == (True, 1)

    @pytest.mark.requirement("J:lose", "J:reveal bomb", "C:Visual Feedback")
    def test_revealing_a_mine_loses_and_shows_the_whole_field(self, player: Player) -> None:
        assert LOST in lose(player)
        assert "LOST" in player.lines[0]
        assert "?" not in "".join(player.field(Size(4, 3)))
        assert "".join(player.field(Size(4, 3))).count("B") == minefield_of(SMALL).mine_count

    @pytest.mark.requirement("J:terminal state", "J:incompatible command")
    @pytest.mark.parametrize("finish", [win, lose])
    @pytest.mark.parametrize("packet", [*MOVES, *ACTIONS, UnknownPacket(99, 1)])
    def test_nothing_but_start_and_quit_does_anything(
        self, player: Player, finish: Callable[[Player], str], packet: Packet
    ) -> None:
        finish(player)
        before = player.frame
        player.take_effects()
        player.send_after(5_000, packet)
        assert player.frame == before
        assert player.take_effects() == []

    def test_quit_leaves(self, player: Player) -> None:
        lose(player)
        player.take_effects()
        player.send(Command.QUIT)
        assert player.games_ended == 0
        assert not player.is_connected


class TestDebugMode:
    @pytest.mark.requirement("J:packet TOGGLE_DEBUG_MODE")
    def test_it_shows_every_mine_beside_what_the_player_sees(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send(Command.TOGGLE_DEBUG_MODE)
        field = minefield_of(START)
        for cell in cells_of(field, field.mines | field.safe):
            look = player.terminal.lines[2 + cell.row][1 + 2 * cell.column :][:2]
            assert look[0] == ("F" if cell == Cell(0, 0) else "?")
            assert (look[1] == "B") == bool(field.mines & (1 << cell.row * 21 + cell.column))
        assert "DEBUG" in player.lines[0]

    def test_the_next_game_begins_without_it(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_DEBUG_MODE)
        player.send(Start(3, 2, 2))
        assert "DEBUG" not in player.lines[0]
        assert "B" not in "".join(player.lines[2:4])

    def test_it_never_outlives_its_session(self) -> None:
        Player().send(START, Command.TOGGLE_DEBUG_MODE)
        assert "DEBUG" not in Player().send(START)

    def test_a_server_can_forbid_it(self) -> None:
        player = Player(SessionConfig(debug_allowed=False))
        player.send(START)
        assert "This server does not allow debug mode." in player.send(Command.TOGGLE_DEBUG_MODE)
        assert "B" not in "".join(player.lines[2:12])
