"""Version 1 from its first packet to its last: the welcome, one reply to each packet, the end."""

from __future__ import annotations

import pytest

from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet, Start, UnknownPacket
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command
from tests.unit.session.player import Player

START = Start(20, 10, 1)
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
PACKETS: list[Packet] = [*MOVES, *ACTIONS, Start(4, 3, 2), *BAD_STARTS, UnknownPacket(99, 0)]


@pytest.fixture
def player() -> Player:
    return Player()


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
        assert not player.is_connected
        assert (player.games_ended, player.writes, player.notes) == (0, [], [])

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

    def test_a_player_who_leaves_leaves_nothing(self, player: Player) -> None:
        player.send(Command.REVEAL)
        player.hang_up()
        assert player.effects == []


@pytest.mark.parametrize("packet", [START, Command.MOVE_LEFT, BAD_STARTS[0]])
def test_the_first_screen_announces_version_2_and_no_other_does(
    player: Player, packet: Packet
) -> None:
    player.send(packet, Command.MOVE_RIGHT, START, Command.REVEAL)
    assert [ANNOUNCEMENT in reply.text for reply in player.replies] == [True, *[False] * 3]
    assert player.replies[0].text.startswith(ANNOUNCEMENT)


class TestLeaving:
    def test_quit_within_a_game_gives_it_up(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.send(Command.QUIT)
        assert player.games_ended == 1
        assert not player.is_connected

    def test_who_hangs_up_after_quit_ends_nothing_twice(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK, Command.QUIT)
        player.take_effects()
        player.hang_up()
        assert player.take_effects() == []

    def test_who_hangs_up_within_a_game_gives_it_up(self, player: Player) -> None:
        player.send(START, Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        assert player.games_ended == 1

    def test_who_leaves_a_game_without_an_action_ends_none(self, player: Player) -> None:
        player.send(START, Command.MOVE_RIGHT)
        player.hang_up()
        assert player.games_ended == 0


class TestLastScreen:
    def test_bad_bytes_get_one_with_the_reason(self, player: Player) -> None:
        player.send(START)
        screen, effects = player.session.reject(ProtocolError("No packet has type 0."), 5)
        assert effects is not None
        assert effects.closes
        assert "No packet has type 0." in player.show(screen)

    def test_it_shows_the_message_and_no_field(self, player: Player) -> None:
        player.send(START)
        screen = player.show(player.session.farewell("The server stops.", 5))
        assert "The server stops." in screen
        assert "?" not in screen


class TestFrames:
    @pytest.fixture
    def player(self) -> Player:
        player = Player()
        player.send(Start(20, 10, 1), Command.REFRESH)
        return player

    def test_the_same_screen_is_the_same_frame(self, player: Player) -> None:
        before = player.frame
        player.send_after(999, Command.REFRESH)
        assert player.frame == before

    def test_a_frame_follows_cursor_clock_message_and_field(self, player: Player) -> None:
        frames = [player.frame]
        for packet in (Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK):
            player.send(packet)
            frames.append(player.frame)
        player.send_after(1_000, Command.REFRESH)
        frames.append(player.frame)
        player.send(Start(0, 0, 0))
        frames.append(player.frame)
        player.send(Start(5, 5, 1))
        frames.append(player.frame)
        assert len(set(frames)) == len(frames)

    def test_a_frame_does_not_depend_on_what_was_shown_before(self, player: Player) -> None:
        packets = (Start(5, 5, 2), Command.MOVE_DOWN, Command.TOGGLE_BOMB_MARK, Command.MOVE_DOWN)
        player.send(Command.REVEAL, Command.TOGGLE_BOMB_MARK, Start(9, 5, 1), *packets)
        other = Player()
        other.send(Command.REFRESH, *packets)
        assert player.frame == other.frame

    def test_the_default_game_fits_one_segment(self, player: Player) -> None:
        for _ in range(10):
            sideways = [Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK] * 20
            player.send(*sideways, *[Command.MOVE_LEFT] * 19, Command.MOVE_DOWN)
        assert max(len(reply.text) for reply in player.replies) < 1_400

    def test_a_paused_board_is_hidden(self, player: Player) -> None:
        player.send(Command.PAUSE)
        assert b"Paused" in player.frame
        assert player.frame.count(b"?") == 2, "only in the sequences that switch line wrapping"
