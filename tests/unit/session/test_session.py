"""Version 1 as a table of states: which packet does what before, in and after a game."""

from __future__ import annotations

import random

import pytest

from jminesweeper.core import Cell, Size, Status
from jminesweeper.protocol import (
    ANNOUNCEMENT,
    Command,
    Direction,
    Packet,
    PacketReader,
    ProtocolError,
    ScreenContent,
    Start,
    UnknownPacket,
)
from jminesweeper.session import Close, Ended, Session, SessionConfig
from tests.unit.session.player import Player, cells_of, minefield_of, same_seed, steps

START = Start(20, 10, 1)
SMALL = Start(4, 3, 2)
MOVES = [Command.MOVE_LEFT, Command.MOVE_RIGHT, Command.MOVE_UP, Command.MOVE_DOWN]
ACTIONS = [Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.TOGGLE_DEBUG_MODE]
BAD_STARTS = [
    Start(0, 10, 1),
    Start(20, 0, 1),
    Start(20, 10, 0),
    Start(20, 10, 4),
    Start(0, 0, 0),
    Start(255, 255, 255),
]
PACKETS: list[Packet] = [*MOVES, *ACTIONS, SMALL, *BAD_STARTS, UnknownPacket(99, 0)]


@pytest.fixture
def player() -> Player:
    return Player()


def go(player: Player, start: Cell, goal: Cell, then: Command) -> str:
    return player.send(*steps(start, goal), then)


def win(player: Player, start: Start = SMALL) -> str:
    """Mark every bomb."""
    player.send(start)
    place = Cell(0, 0)
    for bomb in cells_of(minefield_of(start), minefield_of(start).mines):
        go(player, place, bomb, Command.TOGGLE_BOMB_MARK)
        place = bomb
    return player.text


def lose(player: Player, start: Start = SMALL) -> str:
    """Step on the first bomb."""
    bomb = cells_of(minefield_of(start), minefield_of(start).mines)[0]
    player.send(start)
    return go(player, Cell(0, 0), bomb, Command.REVEAL)


class TestWelcome:
    @pytest.mark.requirement("J:one reply", "J:incompatible command")
    @pytest.mark.parametrize("packet", [*MOVES, *ACTIONS])
    def test_every_packet_is_answered_with_how_to_start(
        self, player: Player, packet: Packet
    ) -> None:
        screen = player.send(packet)
        assert "Start a game to play: TAB" in screen
        assert player.effects == []

    def test_it_names_every_key_of_the_game(self, player: Player) -> None:
        screen = player.send(Command.REVEAL)
        for key in ("w a s d", "RETURN", "SPACE", "TAB", "#", "X"):
            assert f"\n  {key} " in screen

    @pytest.mark.requirement("J:packet QUIT")
    def test_quit_closes_without_a_reply(self, player: Player) -> None:
        player.send(Command.QUIT)
        assert player.replies == []
        assert player.effects == [Close()]

    @pytest.mark.parametrize("packet", BAD_STARTS)
    def test_a_start_out_of_range_says_what_is_in_range(
        self, player: Player, packet: Start
    ) -> None:
        screen = player.send(packet)
        assert f"No game of {packet.columns}x{packet.rows} at level {packet.level}" in screen
        assert "columns and rows are 1 to 255, levels 1 to 3" in screen

    def test_what_was_wrong_is_forgotten_with_the_next_key(self, player: Player) -> None:
        player.send(BAD_STARTS[0])
        assert "Start a game to play" in player.send(Command.MOVE_DOWN)

    def test_a_packet_of_a_later_version_is_answered(self, player: Player) -> None:
        assert "Start a game to play" in player.send(UnknownPacket(77, 3))

    def test_a_player_who_leaves_leaves_nothing(self, player: Player) -> None:
        player.send(Command.REVEAL)
        player.hang_up()
        assert player.effects == []


class TestAnnouncement:
    @pytest.mark.parametrize("packet", [START, Command.MOVE_LEFT, BAD_STARTS[0]])
    def test_the_first_screen_announces_version_2_and_no_other_does(
        self, player: Player, packet: Packet
    ) -> None:
        player.send(packet, Command.MOVE_RIGHT, START, Command.REVEAL)
        assert [ANNOUNCEMENT in reply.text for reply in player.replies] == [True, *[False] * 3]
        assert player.replies[0].text.startswith(ANNOUNCEMENT)


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
    def test_the_counter_starts_with_the_bombs_of_the_level(
        self, player: Player, level: int, bombs: int
    ) -> None:
        player.send(Start(20, 10, level))
        assert f"bombs left {bombs} " in player.lines[0]

    def test_it_says_what_wins(self, player: Player) -> None:
        player.send(START)
        assert player.lines[1] == "Mark every bomb and nothing else."

    @pytest.mark.requirement("J:incompatible command")
    @pytest.mark.parametrize("packet", BAD_STARTS)
    def test_values_out_of_range_change_nothing_and_say_so(
        self, player: Player, packet: Start
    ) -> None:
        player.send(START, Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
        before = player.field(Size(20, 10))
        screen = player.send(packet)
        assert "No game of" in screen
        assert player.field(Size(20, 10)) == before
        assert player.take_effects() == []

    def test_the_status_line_is_right_after_a_second_start_of_another_size(
        self, player: Player
    ) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send_after(5_000, Start(30, 16, 3))
        assert player.lines[0] == "JMinesweeper  hard 30x16  bombs left 216  0:00"
        player.send(Start(3, 2, 1))
        assert player.lines[0] == "JMinesweeper  easy 3x2  bombs left 1  0:00"
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
        screen = player.send(Start(1, 1, 3), Command.TOGGLE_BOMB_MARK)
        assert "You have won" in screen

    def test_the_smallest_field_is_lost_by_revealing_its_only_cell(self, player: Player) -> None:
        assert "You have lost" in player.send(Start(1, 1, 1), Command.REVEAL)

    @pytest.mark.requirement(
        "F:V.Game.only_one_uncompleted_game", "F:terminate_game", "F:start_game"
    )
    def test_a_start_within_a_game_ends_it_as_terminated(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send_after(2_000, START)
        assert player.take_effects() == [Ended(Status.TERMINATED, 0)]

    @pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
    def test_a_game_without_an_action_is_no_game_played(self, player: Player) -> None:
        player.send(START, Command.MOVE_DOWN, START, Start(9, 9, 2))
        assert player.take_effects() == []


class TestMoving:
    @pytest.mark.requirement(
        "J:packet MOVE_LEFT", "J:packet MOVE_RIGHT", "J:packet MOVE_UP", "J:packet MOVE_DOWN"
    )
    def test_each_key_moves_the_cursor_by_a_cell(self, player: Player) -> None:
        player.send(START)
        places = []
        for move in (
            Command.MOVE_RIGHT,
            Command.MOVE_DOWN,
            Command.MOVE_DOWN,
            Command.MOVE_LEFT,
            Command.MOVE_UP,
        ):
            player.send(move)
            places.append(player.terminal.cursor)
        assert places == [(3, 2), (3, 3), (3, 4), (1, 4), (1, 3)]

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
    def test_a_reveal_shows_the_number_of_bombs_around(self, player: Player) -> None:
        field = minefield_of(START)
        number = next(cell for cell in cells_of(field, field.safe) if field.clue(cell))
        player.send(START)
        go(player, Cell(0, 0), number, Command.REVEAL)
        shown = player.field(Size(20, 10))[number.row][number.column]
        assert shown == str(field.clue(number))

    @pytest.mark.requirement("J:reveal revealed")
    def test_a_second_reveal_does_nothing(self, player: Player) -> None:
        field = minefield_of(START)
        number = next(cell for cell in cells_of(field, field.safe) if field.clue(cell))
        player.send(START)
        go(player, Cell(0, 0), number, Command.REVEAL)
        before = player.frame
        player.send(Command.REVEAL)
        assert player.frame == before

    @pytest.mark.requirement("J:packet TOGGLE_BOMB_MARK", "F:flag", "F:remove_flag")
    def test_a_mark_comes_and_goes_and_the_counter_with_it(self, player: Player) -> None:
        player.send(START)
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.field(Size(20, 10))[0][0] == "F"
        assert "bombs left 9 " in player.lines[0]
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.field(Size(20, 10))[0][0] == "?"
        assert "bombs left 10 " in player.lines[0]

    def test_the_counter_goes_below_zero(self, player: Player) -> None:
        player.send(Start(3, 2, 1))
        safe = cells_of(minefield_of(Start(3, 2, 1)), minefield_of(Start(3, 2, 1)).safe)
        go(player, Cell(0, 0), safe[0], Command.TOGGLE_BOMB_MARK)
        go(player, safe[0], safe[1], Command.TOGGLE_BOMB_MARK)
        assert "bombs left -1 " in player.lines[0]

    def test_a_marked_cell_is_not_revealed(self, player: Player) -> None:
        bomb = cells_of(minefield_of(SMALL), minefield_of(SMALL).mines)[0]
        player.send(SMALL)
        go(player, Cell(0, 0), bomb, Command.TOGGLE_BOMB_MARK)
        assert "lost" not in player.send(Command.REVEAL)

    @pytest.mark.requirement("J:exchange")
    def test_keys_typed_ahead_are_answered_one_by_one(self, player: Player) -> None:
        player.send(START, *MOVES, *ACTIONS, *MOVES)
        assert len(player.replies) == 1 + 4 + 3 + 4

    def test_quit_within_a_game_ends_it_as_terminated(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send(Command.QUIT)
        assert player.take_effects() == [Ended(Status.TERMINATED, 0), Close()]

    def test_who_hangs_up_after_quit_ends_nothing_twice(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK, Command.QUIT)
        player.take_effects()
        player.hang_up()
        assert player.take_effects() == []

    def test_who_hangs_up_within_a_game_ends_it_as_terminated(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        assert player.take_effects() == [Ended(Status.TERMINATED, 0)]


class TestClock:
    def test_it_stands_until_the_first_action(self, player: Player) -> None:
        player.send(START)
        player.send_after(60_000, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("0:00")

    def test_it_runs_between_keys(self, player: Player) -> None:
        player.send(START)
        player.send_after(60_000, Command.TOGGLE_BOMB_MARK)
        player.send_after(61_999, Command.MOVE_RIGHT)
        assert player.lines[0].endswith("1:01")

    def test_it_stops_at_the_end(self, player: Player) -> None:
        bomb = cells_of(minefield_of(SMALL), minefield_of(SMALL).mines)[0]
        safe = cells_of(minefield_of(SMALL), minefield_of(SMALL).safe)[0]
        player.send(SMALL)
        go(player, Cell(0, 0), safe, Command.TOGGLE_BOMB_MARK)
        player.now_ms += 7_500
        go(player, safe, bomb, Command.REVEAL)
        player.send_after(90_000, Command.MOVE_LEFT)
        assert "0:07  LOST" in player.lines[0]
        assert player.take_effects() == [Ended(Status.LOST, 7_500)]


class TestEnd:
    @pytest.mark.requirement("J:win", "C:Visual Feedback")
    def test_marking_exactly_the_bombs_wins(self, player: Player) -> None:
        screen = win(player)
        assert "You have won" in screen
        assert "WON" in player.lines[0]
        assert player.take_effects() == [Ended(Status.WON, 0)]

    @pytest.mark.requirement("J:lose", "J:reveal bomb", "C:Visual Feedback")
    def test_revealing_a_bomb_loses_and_shows_the_whole_field(self, player: Player) -> None:
        screen = lose(player)
        assert "You have lost" in screen
        assert "LOST" in player.lines[0]
        assert "?" not in "".join(player.field(Size(4, 3)))
        assert "".join(player.field(Size(4, 3))).count("B") == minefield_of(SMALL).mine_count

    @pytest.mark.requirement("J:lost field")
    def test_a_lost_field_tells_marks_bombs_and_the_fatal_one_apart(self, player: Player) -> None:
        start = Start(6, 4, 2)
        field = minefield_of(start)
        bombs, safe = cells_of(field, field.mines), cells_of(field, field.safe)
        player.send(start)
        go(player, Cell(0, 0), bombs[1], Command.TOGGLE_BOMB_MARK)
        go(player, bombs[1], safe[0], Command.TOGGLE_BOMB_MARK)
        go(player, safe[0], bombs[0], Command.REVEAL)

        def look(cell: Cell) -> str:
            return player.lines[2 + cell.row].ljust(20)[1 + 2 * cell.column :][:2]

        assert look(bombs[0]) == "B*"
        assert look(bombs[1]) == "BF"
        assert look(bombs[2]) == "B "
        assert look(safe[0])[1] == "F"

    @pytest.mark.requirement("J:terminal state", "J:incompatible command")
    @pytest.mark.parametrize("finish", [win, lose])
    @pytest.mark.parametrize("packet", [*MOVES, *ACTIONS, UnknownPacket(42, 1)])
    def test_nothing_but_start_and_quit_does_anything(
        self, player: Player, finish: object, packet: Packet
    ) -> None:
        assert callable(finish)
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
        assert player.take_effects() == [Close()]


class TestDebugMode:
    @pytest.mark.requirement("J:packet TOGGLE_DEBUG_MODE")
    def test_it_shows_every_bomb_beside_what_the_player_sees(self, player: Player) -> None:
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

    def test_it_lasts_into_the_next_game_of_the_session(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_DEBUG_MODE)
        player.send(Start(3, 2, 2))
        assert "DEBUG" in player.lines[0]
        assert "B" in "".join(player.lines[2:4])

    def test_it_never_outlives_its_session(self) -> None:
        Player().send(START, Command.TOGGLE_DEBUG_MODE)
        assert "DEBUG" not in Player().send(START)

    def test_a_server_can_forbid_it(self) -> None:
        player = Player(SessionConfig(debug_allowed=False))
        player.send(START)
        screen = player.send(Command.TOGGLE_DEBUG_MODE)
        assert "does not allow debug mode" in screen
        assert "B" not in "".join(player.lines[2:12])


class TestReject:
    def test_bad_bytes_get_a_last_screen_with_the_reason(self, player: Player) -> None:
        player.send(START)
        reply, effects = player.session.reject(ProtocolError("No packet has type 0."), 5)
        assert effects == (Close(),)
        assert "No packet has type 0." in player.show(reply)


class TestFarewell:
    def test_it_is_a_whole_screen_with_the_message(self, player: Player) -> None:
        player.send(START)
        screen = player.show(player.session.farewell("The server stops.", 5))
        assert "The server stops." in screen
        assert "?" not in screen


@pytest.mark.requirement("J:one reply")
def test_every_packet_but_quit_is_answered_once_in_every_state() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        session = Session(SessionConfig(), same_seed)
        for now_ms in range(0, 20_000, 100):
            packet: Packet = rng.choice(PACKETS)
            reply, _ = session.receive(packet, now_ms)
            (answer,) = PacketReader(Direction.FROM_SERVER).feed(reply)
            assert isinstance(answer, ScreenContent)
