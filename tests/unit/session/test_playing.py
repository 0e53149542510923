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
    @pytest.mark.requirement("J:packet START", "J:field size", "J:three levels", "F:start_game")
    @pytest.mark.parametrize(("level", "name"), [(1, "easy"), (2, "medium"), (3, "hard")])
    def test_a_field_appears_hidden_with_the_cursor_at_its_top_left(
        self, player: Player, level: int, name: str
    ) -> None:
        player.send(Start(20, 10, level))
        assert player.field(Size(20, 10)) == ["?" * 20] * 10
        assert player.terminal.cursor == (1, 2)
        assert name in player.lines[0]
        assert "20x10" in player.lines[0]

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

    def test_nothing_of_a_larger_field_is_left_behind(self, player: Player) -> None:
        player.send(Start(30, 16, 3), Start(3, 2, 1))
        assert player.text.count("?") == 6

    @pytest.mark.requirement("J:field size")
    def test_the_largest_field_comes_whole_in_one_frame(self, player: Player) -> None:
        player.send(Start(255, 255, 3))
        assert player.frame.count(b"?") >= 255 * 255
        assert len(player.frame) < 80 * 1024

    def test_the_smallest_field_is_won_by_marking_its_only_cell(self, player: Player) -> None:
        assert WON in player.send(Start(1, 1, 3), Command.TOGGLE_BOMB_MARK)

    def test_the_smallest_field_is_lost_by_revealing_its_only_cell(self, player: Player) -> None:
        assert LOST in player.send(Start(1, 1, 1), Command.REVEAL)

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
    @pytest.mark.requirement(
        "J:packet MOVE_LEFT", "J:packet MOVE_RIGHT", "J:packet MOVE_UP", "J:packet MOVE_DOWN"
    )
    @pytest.mark.parametrize(
        ("move", "goal"),
        [
            (Command.MOVE_LEFT, Cell(4, 5)),
            (Command.MOVE_RIGHT, Cell(6, 5)),
            (Command.MOVE_UP, Cell(5, 4)),
            (Command.MOVE_DOWN, Cell(5, 6)),
        ],
    )
    def test_each_key_moves_the_cursor_by_one_cell(
        self, player: Player, move: Command, goal: Cell
    ) -> None:
        player.send(START, *steps(Cell(0, 0), Cell(5, 5)), move)
        assert player.terminal.cursor == (1 + 2 * goal.column, 2 + goal.row)
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.field(Size(20, 10))[goal.row][goal.column] == "F"

    @pytest.mark.parametrize(
        ("goal", "edge"),
        [
            (Cell(0, 0), Command.MOVE_LEFT),
            (Cell(0, 0), Command.MOVE_UP),
            (Cell(19, 9), Command.MOVE_RIGHT),
            (Cell(19, 9), Command.MOVE_DOWN),
        ],
    )
    def test_it_stops_at_the_edge(self, player: Player, goal: Cell, edge: Command) -> None:
        player.send(START, *steps(Cell(0, 0), goal))
        before = player.terminal.cursor
        player.send(edge)
        assert player.terminal.cursor == before

    def test_it_leaves_the_message_that_is_read(self, player: Player) -> None:
        player.send(START)
        message = player.lines[1]
        player.send(Command.MOVE_RIGHT)
        assert player.lines[1] == message


class TestPlaying:
    @pytest.mark.requirement("J:packet REVEAL", "J:reveal number", "F:reveal")
    def test_a_reveal_shows_the_number_of_mines_around_and_nothing_else(
        self, player: Player
    ) -> None:
        field = minefield_of(START)
        number = next(cell for cell in safe_cells(START) if field.clue(cell))
        player.send(START)
        act_on(player, Command.REVEAL, number)
        shown = "".join(player.field(Size(20, 10)))
        place = 20 * number.row + number.column
        assert shown == "?" * place + str(field.clue(number)) + "?" * (199 - place)

    @pytest.mark.requirement("J:reveal revealed")
    def test_a_second_reveal_does_nothing(self, player: Player) -> None:
        field = minefield_of(START)
        number = next(cell for cell in safe_cells(START) if field.clue(cell))
        player.send(START)
        act_on(player, Command.REVEAL, number)
        before = player.frame
        player.send(Command.REVEAL)
        assert player.frame == before

    @pytest.mark.requirement("J:packet TOGGLE_BOMB_MARK", "F:flag", "F:remove_flag")
    def test_a_mark_comes_and_goes_and_the_counter_with_it(self, player: Player) -> None:
        player.send(START)
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.field(Size(20, 10))[0][0] == "F"
        assert "mines left 9 " in player.lines[0]
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.field(Size(20, 10))[0][0] == "?"
        assert "mines left 10 " in player.lines[0]

    def test_the_counter_goes_below_zero(self, player: Player) -> None:
        player.send(Start(3, 2, 1))
        act_on(player, Command.TOGGLE_BOMB_MARK, *safe_cells(Start(3, 2, 1))[:2])
        assert "mines left -1 " in player.lines[0]

    def test_a_marked_cell_is_not_revealed(self, player: Player) -> None:
        player.send(SMALL)
        act_on(player, Command.TOGGLE_BOMB_MARK, bombs()[0])
        before = player.field(Size(4, 3))
        assert LOST not in player.send(Command.REVEAL)
        assert player.field(Size(4, 3)) == before


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
    def test_marking_all_but_one_does_not_win(self, player: Player) -> None:
        player.send(SMALL)
        act_on(player, Command.TOGGLE_BOMB_MARK, *bombs()[:-1])
        assert WON not in player.text
        assert "WON" not in player.lines[0]

    @pytest.mark.requirement("J:win")
    def test_marking_one_cell_too_many_wins_only_when_that_mark_goes(self, player: Player) -> None:
        player.send(SMALL)
        wrong = safe_cells()[0]
        act_on(player, Command.TOGGLE_BOMB_MARK, wrong, *bombs())
        assert (WON in player.text, player.games_ended) == (False, 0)
        act_on(player, Command.TOGGLE_BOMB_MARK, wrong)
        assert (WON in player.text, player.games_ended) == (True, 1)

    @pytest.mark.requirement("J:win")
    def test_revealing_every_safe_cell_is_not_enough(self, player: Player) -> None:
        player.send(SMALL)
        act_on(player, Command.REVEAL, *safe_cells())
        assert (WON in player.text, player.games_ended) == (False, 0)
        act_on(player, Command.TOGGLE_BOMB_MARK, *bombs())
        assert (WON in player.text, player.games_ended) == (True, 1)

    @pytest.mark.requirement("J:lose", "J:reveal bomb", "C:Visual Feedback")
    def test_revealing_a_mine_loses_and_shows_the_whole_field(self, player: Player) -> None:
        assert LOST in lose(player)
        assert "LOST" in player.lines[0]
        assert "?" not in "".join(player.field(Size(4, 3)))
        assert "".join(player.field(Size(4, 3))).count("B") == minefield_of(SMALL).mine_count

    @pytest.mark.requirement("J:lost field")
    def test_a_lost_field_distinguishes_marks_mines_and_the_fatal_one(self, player: Player) -> None:
        start = Start(6, 4, 2)
        mined, safe = bombs(start), safe_cells(start)
        player.send(start)
        act_on(player, Command.TOGGLE_BOMB_MARK, mined[1], safe[0])
        act_on(player, Command.REVEAL, mined[0])

        def look(cell: Cell) -> str:
            return player.lines[2 + cell.row].ljust(20)[1 + 2 * cell.column :][:2]

        assert look(mined[0]) == "B*"
        assert look(mined[1]) == "BF"
        assert look(mined[2]) == "B "
        assert look(safe[0])[1] == "F"

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

    @pytest.mark.requirement("J:terminal state")
    def test_start_begins_another_game(self, player: Player) -> None:
        lose(player)
        player.take_effects()
        player.send(START)
        assert player.field(Size(20, 10)) == ["?" * 20] * 10
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

    def test_it_goes_off_again(self, player: Player) -> None:
        player.send(START)
        before = player.field(Size(20, 10))
        player.send(Command.TOGGLE_DEBUG_MODE, Command.TOGGLE_DEBUG_MODE, Command.MOVE_RIGHT)
        assert "B" not in "".join(player.lines[2:12])
        assert player.field(Size(20, 10)) == before
        assert "DEBUG" not in player.lines[0]

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
