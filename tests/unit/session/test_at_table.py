"""What each packet of version 2 does at the table."""

import pytest

from jminesweeper.core import Cell
from jminesweeper.protocol import (
    Button,
    Command,
    GameKind,
    Jump,
    JumpTo,
    Load,
    MoveTo,
    NewGame,
    Packet,
    PatchFlag,
    Pointer,
    Save,
    ScreenPatch,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.session import Close, Commit, Jot, Tip
from tests.conformance.terminal import find_hidden_field
from tests.unit.session.backstage import ANONYMOUS, ANSI, seated
from tests.unit.session.player import Player

BOARD = "*....\n.....\n.....\n....*"
ACTING = [Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.CHORD]


class TestWithoutHello:
    @pytest.fixture
    def player(self) -> Player:
        player = Player()
        player.send(Start(20, 10, 1))
        return player

    @pytest.mark.parametrize("packet", [Command.MENU, Command.HELP])
    def test_there_are_no_menus(self, player: Player, packet: Packet) -> None:
        assert "Menus need a HELLO first" in player.send(packet)

    @pytest.mark.parametrize("packet", [Save("one"), Load("one"), Load("")])
    def test_nothing_is_saved(self, player: Player, packet: Packet) -> None:
        assert "Nothing is saved here" in player.send(packet)

    def test_a_pause_hides_the_board_on_version_1_too(self, player: Player) -> None:
        screen = player.send(Command.TOGGLE_BOMB_MARK, Command.PAUSE)
        assert "Paused" in screen
        assert "?" not in screen
        assert "F" in player.send(Command.PAUSE)

    def test_new_games_undo_and_places_work(self, player: Player) -> None:
        player.send(NewGame(GameKind.BEGINNER), MoveTo(3, 4), Command.TOGGLE_BOMB_MARK)
        assert "bombs left 9" in player.lines[0]
        assert player.terminal.cursor == (7, 6)
        player.send(Undo())
        assert "bombs left 10" in player.lines[0]

    def test_there_is_nothing_to_point_at(self, player: Player) -> None:
        before = player.text
        assert player.send(Pointer(5, 5, Button.REVEAL)) == before

    @pytest.mark.parametrize(
        "packet", [Command.HINT, Command.REFRESH, Command.CHORD, UnknownPacket(99, 2)]
    )
    def test_every_packet_is_answered(self, player: Player, packet: Packet) -> None:
        count = len(player.replies)
        player.send(packet)
        assert len(player.replies) == count + 1


class TestMoving:
    @pytest.mark.parametrize(
        ("direction", "goal"),
        [
            (JumpTo.ROW_START, "0 2"),
            (JumpTo.ROW_END, "4 2"),
            (JumpTo.TOP, "2 0"),
            (JumpTo.BOTTOM, "2 3"),
            (JumpTo.PAGE_UP, "2 0"),
            (JumpTo.PAGE_DOWN, "2 3"),
            (JumpTo.LEFT, "0 2"),
            (JumpTo.RIGHT, "4 2"),
            (JumpTo.UP, "2 0"),
            (JumpTo.DOWN, "2 3"),
        ],
    )
    def test_jumps_go_as_far_as_the_board(self, direction: JumpTo, goal: str) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(2, 2), Jump(direction))
        assert player.entry("cursor") == goal

    def test_a_jump_that_is_none_is_told(self) -> None:
        player, _ = seated(BOARD)
        player.send(Jump(77))
        assert player.entry("message") == "There is no jump 77."
        assert player.entry("cursor") == "0 0"

    def test_a_place_off_the_board_is_told(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(5, 0))
        assert player.entry("message") == "There is no cell at (5,0)."

    def test_the_cursor_of_a_known_player_is_jotted(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK)
        player.take_effects()
        player.send(MoveTo(2, 2), Jump(JumpTo.TOP), Command.MOVE_DOWN)
        assert [type(effect) for effect in player.take_effects()] == [Jot, Jot, Jot]


class TestPointing:
    @pytest.fixture
    def player(self) -> Player:
        player, _ = seated(BOARD, hello=ANSI)
        return player

    def press(self, player: Player, cell: Cell, button: int) -> str:
        lattice = find_hidden_field(self.lines, 5, 4)
        assert lattice is not None, player.text
        column = lattice.left + lattice.column_step * cell.column
        return player.send(Pointer(column, lattice.top + cell.row, button))

    @pytest.fixture(autouse=True)
    def remember(self, player: Player) -> None:
        player.send(MoveTo(4, 0))
        self.lines = player.terminal.lines

    @pytest.mark.requirement("C:Mobile Support")
    def test_a_short_press_reveals_and_a_long_one_flags(self, player: Player) -> None:
        self.press(player, Cell(1, 0), Button.REVEAL)
        self.press(player, Cell(0, 0), Button.FLAG)
        player.send(ANONYMOUS)
        assert player.board.splitlines()[0] == "F1???"
        assert player.entry("cursor") == "0 0"

    def test_the_middle_button_chords(self, player: Player) -> None:
        self.press(player, Cell(1, 0), Button.REVEAL)
        self.press(player, Cell(0, 0), Button.FLAG)
        self.press(player, Cell(1, 0), Button.CHORD)
        player.send(ANONYMOUS)
        assert player.board.splitlines()[0] == "F1..."

    @pytest.mark.requirement("C:Mobile Support")
    def test_taps_beside_the_board_do_nothing(self, player: Player) -> None:
        player.take_effects()
        player.send(Pointer(0, 0, Button.REVEAL), Pointer(65_535, 65_535, Button.FLAG))
        assert player.take_effects() == []

    def test_the_wheel_pans(self, player: Player) -> None:
        player.send(Pointer(0, 0, Button.WHEEL_DOWN), ANONYMOUS)
        assert player.entry("cursor") == "4 3"
        player.send(Pointer(0, 0, Button.WHEEL_UP))
        assert player.entry("cursor") == "4 0"

    def test_a_button_that_is_none_is_told(self, player: Player) -> None:
        assert "There is no button 9" in player.send(Pointer(5, 5, 9))


class TestPlaying:
    @pytest.mark.parametrize("packet", ACTING)
    def test_an_action_is_answered_when_it_is_stored(self, packet: Packet) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 0))
        player.take_effects()
        player.send(packet)
        assert [type(effect) for effect in player.take_effects()] == [Commit]

    def test_a_chord_opens_what_is_around_a_satisfied_number(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(1, 0), Command.REVEAL, Command.CHORD)
        assert player.board.splitlines()[0] == "F1..."

    def test_a_hint_is_highlighted(self) -> None:
        player, backstage = seated(BOARD)
        backstage.tips.append(Tip("It is safe there.", Cell(2, 1), 1 << 8))
        player.send(Command.HINT)
        assert player.entry("message") == "It is safe there."
        assert player.entry("cursor") == "2 1"
        assert player.entry("hint")

    def test_the_end_is_looked_back_at(self) -> None:
        player, backstage = seated(BOARD)
        backstage.reviews.append(("guesses 1", "chance to survive them 50 %"))
        player.send(Command.REVEAL)
        screen = player.send(Command.REFRESH)
        assert "figure: guesses 1" in screen
        assert player.entry("busy") == ""

    def test_debug_mode_shows_the_mines_and_marks_the_stored_game(self) -> None:
        player, backstage = seated(BOARD)
        screen = player.send(Command.TOGGLE_DEBUG_MODE)
        assert screen.partition("field:")[2].partition("message")[0].count("b") == 2
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 8


class TestLeaving:
    def test_quit_leaves_the_game_with_its_clock(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL)
        player.send_after(3_000, Command.QUIT)
        assert not player.is_connected
        assert player.take_effects()[-1] == Close()
        kept = backstage.claim().game
        assert kept is not None
        assert kept.clock_ms == 3_000

    def test_a_last_screen_tells_whether_to_come_back(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        for is_final in (False, True):
            player.show(player.session.farewell("Bye.", 0, is_final=is_final))
            patch = player.replies[-1]
            assert isinstance(patch, ScreenPatch)
            assert bool(patch.flags & PatchFlag.LAST_SCREEN) is is_final
            assert "Bye." in player.text
