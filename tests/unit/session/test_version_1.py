"""Version 1 from its first packet to its last: the screens of a game, and one for each packet."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import MoveTo, Packet, Start, UnknownPacket
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command
from jminesweeper.session.config import SessionConfig
from tests.world.player import Player, Step, case, cells_of, minefield_of, table
from tests.world.server import alone

START, SMALL = Start(20, 10, 1), Start(4, 3, 2)
RIGHT, DOWN, LEFT = Command.MOVE_RIGHT, Command.MOVE_DOWN, Command.MOVE_LEFT
REVEAL, MARK, DEBUG = Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.TOGGLE_DEBUG_MODE
KEYS = [LEFT, RIGHT, Command.MOVE_UP, DOWN, REVEAL, MARK, DEBUG]
BAD_STARTS = [
    Start(0, 10, 1),
    Start(20, 0, 1),
    Start(20, 10, 0),
    Start(20, 10, 4),
    Start(0, 0, 0),
    Start(255, 255, 255),
]
FIELD = minefield_of(SMALL)
BOMBS, SAFE = cells_of(FIELD, FIELD.mines), cells_of(FIELD, FIELD.safe)
NO_BOMBS = cells_of(minefield_of(Start(3, 2, 1)), minefield_of(Start(3, 2, 1)).safe)
AIM = "Flag every mine and nothing else."


@pytest.fixture
def player() -> Player:
    return alone()


def at(then: Command, *cells: Cell) -> list[Packet]:
    """Do the same at each of these cells."""
    return [packet for cell in cells for packet in (MoveTo(*cell), then)]


WIN = [SMALL, *at(MARK, *BOMBS)]
LOSE = [SMALL, *at(REVEAL, BOMBS[0])]


class TestWelcome:
    @pytest.mark.requirement("J:one reply", "J:incompatible command")
    @pytest.mark.parametrize("packet", KEYS)
    def test_every_packet_is_answered_with_how_to_start(
        self, player: Player, packet: Packet
    ) -> None:
        assert "Start a game to play: TAB" in player.send(packet).text
        player.hang_up()
        assert player.world.operations == []

    @pytest.mark.requirement("J:packet QUIT")
    def test_quit_closes_without_a_reply(self, player: Player) -> None:
        player.send(Command.QUIT)
        assert (player.replies, player.is_connected) == ([], False)
        assert (player.games_ended, player.writes, player.notes) == (0, [], [])

    @pytest.mark.parametrize("packet", BAD_STARTS)
    def test_a_start_out_of_range_says_what_is_in_range_until_the_next_key(
        self, player: Player, packet: Start
    ) -> None:
        screen = player.send(packet).text
        assert f"No game of {packet.columns}x{packet.rows} at level {packet.level}" in screen
        assert "columns and rows are 1 to 255, levels 1 to 3" in screen
        assert "Start a game to play" in player.send(DOWN).text


@pytest.mark.parametrize("packet", [START, LEFT, BAD_STARTS[0]])
def test_the_first_screen_announces_version_2_and_no_other_does(
    player: Player, packet: Packet
) -> None:
    player.send(packet, RIGHT, START, REVEAL)
    assert [ANNOUNCEMENT in reply.text for reply in player.replies] == [True, *[False] * 3]
    assert player.replies[0].text.startswith(ANNOUNCEMENT)


@table(
    [
        case("an easy game", START, status="easy 20x10  mines left 10  0:00", line=AIM),
        case("a medium game", Start(20, 10, 2), status="medium 20x10  mines left 50  0:00"),
        case("a hard game", Start(20, 10, 3), status="hard 20x10  mines left 90  0:00"),
        case(
            "a second one of another size",
            *(START, MARK, 5_000, Start(30, 16, 3)),
            status="hard 30x16  mines left 216  0:00",
        ),
        case(
            "more marks than mines",
            *(Start(3, 2, 1), *at(MARK, *NO_BOMBS[:2])),
            status="easy 3x2  mines left -1  0:00",
        ),
        case("a move leaves the message", START, RIGHT, line=AIM),
        case("no action, no time", START, 60_000, RIGHT, status="easy 20x10  mines left 10  0:00"),
        case(
            "time between keys",
            *(START, 60_000, MARK, 61_999, RIGHT),
            status="easy 20x10  mines left 9  1:01",
        ),
        case(
            "a look at the mines takes no time",
            *(START, DEBUG, 60_000, RIGHT),
            status="easy 20x10  mines left 10  0:00  DEBUG",
        ),
        case(
            "time stops at the end",
            *(SMALL, *at(MARK, SAFE[0]), 7_500, *at(REVEAL, BOMBS[0]), 90_000, LEFT),
            status="medium 4x3  mines left 2  0:07  LOST",
            games_ended=1,
        ),
        case(
            "time never goes back",
            START,
            MARK,
            -500,
            RIGHT,
            status="easy 20x10  mines left 9  0:00",
        ),
        case("the next game begins without debug mode", START, DEBUG, START, line=AIM),
        case("a game without an action is none", START, DOWN, START, SMALL, games_ended=0),
        case("quit gives a game up", START, MARK, Command.QUIT, games_ended=1),
    ]
)
@pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
def test_what_the_screen_says(
    player: Player, steps: tuple[Step, ...], seen: dict[str, Any]
) -> None:
    player.do(*steps).sees(seen)


@pytest.mark.requirement("F:V.Game.only_one_uncompleted_game", "F:terminate_game", "F:start_game")
def test_a_start_within_a_game_ends_that_one(player: Player) -> None:
    player.do(START, MARK).sees({"games_ended": 0})
    player.do(2_000, START).sees({"games_ended": 1})
    assert player.field(Size(20, 10)) == ["?" * 20] * 10


class TestEnd:
    @pytest.mark.requirement("J:win", "C:Visual Feedback")
    def test_marking_exactly_the_mines_wins(self, player: Player) -> None:
        player.do(SMALL, *at(MARK, SAFE[0], *BOMBS)).sees({"games_ended": 0})
        player.do(*at(MARK, SAFE[0])).sees({"games_ended": 1})
        assert "You won! Press TAB to play again." in player.text
        assert "WON" in player.lines[0]

    @pytest.mark.requirement("J:lose", "J:reveal bomb", "C:Visual Feedback")
    def test_revealing_a_mine_loses_and_shows_the_whole_field(self, player: Player) -> None:
        assert "You lost: B* went off" in player.send(*LOSE).text
        assert "LOST" in player.lines[0]
        field = "".join(player.field(Size(4, 3)))
        assert ("?" in field, field.count("B")) == (False, FIELD.mine_count)

    @pytest.mark.requirement("J:terminal state", "J:incompatible command")
    @pytest.mark.parametrize("game", [WIN, LOSE])
    @pytest.mark.parametrize("packet", [*KEYS, UnknownPacket(99, 1)])
    def test_nothing_but_start_and_quit_does_anything(
        self, player: Player, game: list[Packet], packet: Packet
    ) -> None:
        player.send(*game, MoveTo(0, 0))
        before = player.frame
        player.start_counting()
        player.send_after(5_000, packet)
        assert (player.frame, player.writes) == (before, [])
        player.send(Command.QUIT)
        assert (player.games_ended, player.is_connected) == (0, False)


class TestDebugMode:
    @pytest.mark.requirement("J:packet TOGGLE_DEBUG_MODE")
    def test_it_shows_every_mine_beside_what_the_player_sees(self, player: Player) -> None:
        player.send(START, MARK, DEBUG)
        field = minefield_of(START)
        for cell in cells_of(field, field.mines | field.safe):
            look = player.terminal.lines[2 + cell.row].ljust(80)[1 + 2 * cell.column :][:2]
            assert look[0] == ("F" if cell == Cell(0, 0) else "?")
            assert (look[1] == "B") == bool(field.mines & (1 << cell.row * 21 + cell.column))
        assert "DEBUG" in player.lines[0]

    def test_it_never_outlives_its_session(self) -> None:
        alone().send(START, DEBUG)
        assert "DEBUG" not in alone().send(START).text

    def test_a_server_can_forbid_it(self) -> None:
        player = alone(SessionConfig(debug_allowed=False))
        player.send(START)
        assert "This server does not allow debug mode." in player.send(DEBUG).text
        assert "B" not in "".join(player.lines[2:12])


class TestLeaving:
    @pytest.mark.parametrize(("packets", "ended"), [((MARK,), 1), ((RIGHT,), 0)])
    def test_who_hangs_up_within_a_game_gives_it_up(
        self, player: Player, packets: tuple[Packet, ...], ended: int
    ) -> None:
        player.send(START, *packets)
        player.hang_up()
        assert player.games_ended == ended

    def test_who_hangs_up_after_quit_ends_nothing_twice(self, player: Player) -> None:
        player.send(START, MARK, Command.QUIT)
        player.start_counting()
        player.hang_up()
        assert player.world.operations == []


class TestLastScreen:
    def test_bad_bytes_get_one_with_the_reason(self, player: Player) -> None:
        player.send(START)
        player.hear(b"\0")
        assert "There is no packet of type 0." in player.text
        assert not player.is_connected

    def test_it_shows_the_message_and_no_field(self, player: Player) -> None:
        player.send(START)
        player.disconnect("The server stops.")
        assert ("The server stops." in player.text, "?" in player.text) == (True, False)


class TestFrames:
    @pytest.fixture
    def player(self) -> Player:
        return alone().do(START, Command.REFRESH)

    def test_the_same_screen_is_the_same_frame(self, player: Player) -> None:
        before = player.frame
        player.send_after(999, Command.REFRESH)
        assert player.frame == before

    def test_a_frame_follows_cursor_clock_message_and_field(self, player: Player) -> None:
        steps: tuple[Step, ...] = (
            RIGHT,
            MARK,
            1_000,
            Command.REFRESH,
            Start(0, 0, 0),
            Start(5, 5, 1),
        )
        for step in steps:
            player.do(step)
        assert len({reply.text for reply in player.replies[1:]}) == len(player.replies) - 1

    def test_a_frame_does_not_depend_on_what_was_shown_before(self, player: Player) -> None:
        packets = (Start(5, 5, 2), DOWN, MARK, DOWN)
        player.send(REVEAL, MARK, Start(9, 5, 1), *packets)
        assert player.frame == alone().do(Command.REFRESH, *packets).frame

    def test_the_default_game_fits_one_segment(self, player: Player) -> None:
        for _ in range(10):
            player.send(*[RIGHT, MARK] * 20, *[LEFT] * 19, DOWN)
        assert max(len(reply.text) for reply in player.replies) < 1_400

    def test_a_paused_board_is_hidden(self, player: Player) -> None:
        player.send(Command.PAUSE)
        assert b"Paused" in player.frame
        assert player.frame.count(b"?") == 2, "only in the sequences that switch line wrapping"
