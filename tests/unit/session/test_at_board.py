"""What each packet of version 2 does at the board."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.painted import find_field
from jminesweeper.protocol.packets import (
    Act,
    Jump,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    Save,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, JumpTo, PatchFlag
from jminesweeper.session import messages
from tests.unit.session.backstage import ANONYMOUS, ANSI, seated
from tests.unit.session.player import Player

BOARD = "*....\n.....\n.....\n....*"


class TestWithoutHello:
    @pytest.fixture
    def player(self) -> Player:
        player = Player()
        player.send(Start(20, 10, 1))
        return player

    @pytest.mark.parametrize("packet", [Command.MENU, Command.HELP])
    def test_there_are_no_menus(self, player: Player, packet: Packet) -> None:
        assert messages.NO_HELLO in player.send(packet)

    @pytest.mark.parametrize("packet", [Save("one"), Load("one"), Load("")])
    def test_nothing_is_saved(self, player: Player, packet: Packet) -> None:
        assert messages.NO_KEY in player.send(packet)

    def test_a_pause_hides_the_board_on_version_1_too(self, player: Player) -> None:
        screen = player.send(Command.TOGGLE_BOMB_MARK, Command.PAUSE)
        assert messages.PAUSED.text in screen
        assert "?" not in screen
        assert "F" in player.send(Command.PAUSE)

    def test_new_games_undo_and_places_work(self, player: Player) -> None:
        player.send(NewGame(GameKind.BEGINNER), MoveTo(3, 4), Command.TOGGLE_BOMB_MARK)
        assert "mines left 9" in player.lines[0]
        assert player.terminal.cursor == (7, 6)
        player.send(Undo())
        assert "mines left 10" in player.lines[0]

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

    @pytest.mark.parametrize(
        ("direction", "goal"),
        [
            (JumpTo.ROW_START, "0 20"),
            (JumpTo.ROW_END, "39 20"),
            (JumpTo.TOP, "20 0"),
            (JumpTo.BOTTOM, "20 39"),
            (JumpTo.PAGE_UP, "20 10"),
            (JumpTo.PAGE_DOWN, "20 30"),
            (JumpTo.LEFT, "15 20"),
            (JumpTo.RIGHT, "25 20"),
            (JumpTo.UP, "20 15"),
            (JumpTo.DOWN, "20 25"),
        ],
    )
    def test_jumps_go_by_five_by_ten_or_to_the_edge(self, direction: JumpTo, goal: str) -> None:
        player, _ = seated(BOARD)
        player.send(Start(40, 40, 1), MoveTo(20, 20), Jump(direction))
        assert player.entry("cursor") == goal

    def test_an_unknown_jump_is_refused(self) -> None:
        player, _ = seated(BOARD)
        player.send(Jump(77))
        assert player.entry("message") == "There is no jump 77."
        assert player.entry("cursor") == "0 0"

    def test_a_place_off_the_board_is_refused(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(5, 0))
        assert player.entry("message") == "There is no cell at (5,0)."
        assert player.entry("cursor") == "0 0"


class TestPressingACell:
    def test_reveal_flag_and_chord_are_one_packet_each(self) -> None:
        player, _ = seated(BOARD)
        player.send(Act(1, 0, Button.REVEAL), Act(0, 0, Button.FLAG))
        assert player.board.splitlines()[0] == "F1???"
        player.send(Act(1, 0, Button.CHORD))
        assert player.board.splitlines()[0] == "F1..."
        assert player.entry("cursor") == "1 0"

    def test_a_press_is_one_write_with_its_cursor(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Act(3, 2, Button.FLAG))
        assert len(player.take_effects()[0].writes) == 1
        kept = backstage.claim().game
        assert kept is not None
        assert (len(kept.entries), kept.cursor) == (8, Cell(3, 2))

    @pytest.mark.parametrize(
        ("packet", "told"),
        [
            (Act(5, 0, Button.REVEAL), "There is no cell at (5,0)."),
            (Act(1, 0, 9), "There is no button 9."),
        ],
    )
    def test_what_is_not_there_is_refused(self, packet: Act, told: str) -> None:
        player, _ = seated(BOARD)
        before = player.board
        player.send(packet)
        assert player.entry("message") == told
        assert (player.board, player.entry("cursor")) == (before, "0 0")

    def test_nothing_is_pressed_on_a_board_that_is_hidden(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.PAUSE, Act(1, 0, Button.REVEAL), Command.PAUSE)
        assert player.board.splitlines()[0] == "?????"


class TestPointing:
    @pytest.fixture
    def player(self) -> Player:
        player, _ = seated(BOARD, hello=ANSI)
        return player

    def press(self, player: Player, cell: Cell, button: int) -> str:
        place = find_field(self.lines, Size(5, 4))
        assert place is not None, player.text
        column = place.left + place.across * cell.column
        return player.send(Pointer(column, place.top + cell.row, button))

    @pytest.fixture(autouse=True)
    def remember(self, player: Player) -> None:
        player.send(MoveTo(4, 0))
        self.lines = [line.replace("#", "?") for line in player.terminal.lines]

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

    def test_a_game_that_is_over_is_not_pressed_on(self, player: Player) -> None:
        self.press(player, Cell(0, 0), Button.REVEAL)
        player.take_effects()
        before = player.text
        assert self.press(player, Cell(2, 2), Button.FLAG) == before
        assert player.take_effects() == []

    def test_the_wheel_pans(self, player: Player) -> None:
        player.send(Pointer(0, 0, Button.WHEEL_DOWN), ANONYMOUS)
        assert player.entry("cursor") == "4 3"
        player.send(Pointer(0, 0, Button.WHEEL_UP))
        assert player.entry("cursor") == "4 0"

    def test_an_unknown_button_is_refused(self, player: Player) -> None:
        assert "There is no button 9" in player.send(Pointer(5, 5, 9))


class TestLookingAroundAfterTheEnd:
    """A board that is larger than the screen is seen whole, though there is no cursor any more."""

    @pytest.fixture
    def player(self) -> Player:
        rows = ["*" + "." * 15, *["." * 16] * 14, "." * 15 + "*"]
        player, _ = seated("\n".join(rows), hello=replace(ANSI, columns=40, rows=20))
        player.send(Command.REVEAL)
        return player

    @pytest.mark.parametrize(
        "packet", [Command.MOVE_DOWN, Jump(JumpTo.BOTTOM), Pointer(0, 0, Button.WHEEL_DOWN)]
    )
    def test_whatever_moves_the_cursor_moves_the_view(self, player: Player, packet: Packet) -> None:
        assert "B*1" in player.text
        assert "1 B" not in player.text
        assert "LOST" in player.send(packet)
        assert "B*1" not in player.text
        assert "1 B" in player.text
        player.send(Jump(JumpTo.TOP))
        assert "B*1" in player.text

    def test_nothing_is_done_to_the_game(self, player: Player) -> None:
        player.take_effects()
        player.send(Command.MOVE_DOWN, Command.REVEAL, Command.TOGGLE_BOMB_MARK)
        assert player.take_effects() == []

    def test_undo_leads_back_to_the_cursor(self, player: Player) -> None:
        player.send(Jump(JumpTo.BOTTOM), Undo(1))
        assert "0,0" in player.lines[0]
        assert "0,1" in player.send(Command.MOVE_DOWN)


class TestPlaying:
    def test_a_chord_opens_what_is_around_a_satisfied_number(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(1, 0), Command.REVEAL, Command.CHORD)
        assert player.board.splitlines()[0] == "F1..."

    def test_a_message_goes_with_the_next_action_and_not_with_a_move(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.MOVE_RIGHT)
        assert player.entry("message") == messages.RESUMED
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.entry("message") == ""

    def test_debug_mode_shows_the_mines_and_marks_the_stored_game(self) -> None:
        player, backstage = seated(BOARD)
        screen = player.send(Command.TOGGLE_DEBUG_MODE)
        assert screen.partition("field:")[2].partition("message")[0].count("b") == 2
        assert player.entry("remark") == "DEBUG assisted"
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 8

    def test_debug_mode_marks_a_game_once_and_for_good(self) -> None:
        player, backstage = seated(BOARD)
        player.send(*[Command.TOGGLE_DEBUG_MODE] * 4)
        assert player.entry("remark") == "assisted"
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 8

    def test_a_game_whose_mines_are_seen_from_the_start_is_assisted(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_DEBUG_MODE, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        player.send(Command.TOGGLE_BOMB_MARK, Start(3, 3, 1))
        assert [game.is_assisted for game in backstage.finished] == [True]

    def test_a_game_of_which_only_the_mines_were_seen_is_no_game(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_DEBUG_MODE, Start(9, 9, 1), Start(9, 9, 3))
        player.send(Command.TOGGLE_BOMB_MARK)
        assert backstage.finished == []

    def test_the_solved_part_is_the_visible_part_of_the_safe_cells(self) -> None:
        """It does not give away that the zero beside the number opens the rest of the board."""
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL)
        assert player.entry("solved") == "5 %"
        player.send(MoveTo(2, 0), Command.REVEAL)
        assert player.entry("solved") == "100 %"


class TestEnd:
    def test_it_shows_figures_and_other_keys(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        assert "play again" not in player.text
        player.send(Command.REVEAL)
        assert "time 0.000 s" in player.text
        assert "TAB play again" in player.text
        player.send(ANONYMOUS)
        assert (player.entry("state"), player.entry("figure")) == ("lost", "time 0.000 s")

    def test_undo_takes_the_figures_away(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.REVEAL, Undo(1))
        assert (player.entry("state"), player.entry("figure")) == ("playing", "")
        assert player.entry("remark") == "assisted"

    def test_nothing_of_a_mine_that_went_off_is_solved(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.REVEAL)
        assert player.entry("solved") == "0 %"


class TestLeaving:
    def test_quit_leaves_the_game_with_its_clock(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL)
        player.send_after(3_000, Command.QUIT)
        assert not player.is_connected
        kept = backstage.claim().game
        assert kept is not None
        assert kept.clock_ms == 3_000

    def test_a_last_screen_tells_whether_to_come_back(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        for is_final in (False, True):
            player.show(player.session.farewell("Bye.", 0, is_final=is_final))
            assert bool(player.patch.flags & PatchFlag.LAST_SCREEN) is is_final
            assert "Bye." in player.text

    def test_a_server_that_stops_leaves_the_board_to_look_at(self) -> None:
        player, _ = seated(BOARD)
        player.send(Act(1, 0, Button.REVEAL))
        board = player.board
        player.show(player.session.farewell("Bye.", 0))
        assert (player.entry("screen"), player.entry("message")) == ("game", "Bye.")
        assert player.board == board

    def test_and_promises_no_key_but_the_one_to_leave(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        player.show(player.session.farewell("Bye.", 0))
        assert [line.strip() for line in player.lines if line.strip()][-1] == "x quit"

    def test_a_menu_that_is_open_then_is_not_left_for_the_board(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.MENU)
        player.show(player.session.farewell("Bye.", 0))
        assert player.entry("screen") == "page"
