"""What each packet of version 2 does at the board."""

import pytest

from jminesweeper.core.faces import MINED
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    Load,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Save,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind
from tests.unit.session.backstage import ANONYMOUS, seated
from tests.unit.session.player import BACK, SEEN, Player

OPEN = Act(1, 0, Button.OPEN, SEEN)
BOARD = "*....\n.....\n.....\n....*"


class TestWithoutHello:
    @pytest.fixture
    def player(self) -> Player:
        player = Player()
        player.send(Start(20, 10, 1))
        return player

    @pytest.mark.parametrize("packet", [BACK, OpenMenu("help")])
    def test_there_are_no_menus(self, player: Player, packet: Packet) -> None:
        assert "Menus need a HELLO first." in player.send(packet)

    @pytest.mark.parametrize("packet", [Save("one"), Load("one"), Load("")])
    def test_nothing_is_saved(self, player: Player, packet: Packet) -> None:
        assert "the server does not know you" in player.send(packet)

    def test_a_pause_hides_the_board_on_version_1_too(self, player: Player) -> None:
        screen = player.send(Command.TOGGLE_BOMB_MARK, Command.PAUSE)
        assert "Paused." in screen
        assert "?" not in screen
        assert "F" in player.send(Command.PAUSE)

    def test_new_games_undo_and_places_work(self, player: Player) -> None:
        player.send(NewGame(GameKind.BEGINNER), MoveTo(3, 4), Command.TOGGLE_BOMB_MARK)
        assert "mines left 9" in player.lines[0]
        assert player.terminal.cursor == (7, 6)
        player.send(Undo())
        assert "mines left 10" in player.lines[0]

    @pytest.mark.parametrize(
        "packet", [Hint(0, 0), Command.REFRESH, UnknownPacket(22, 5), UnknownPacket(99, 2)]
    )
    def test_every_packet_is_answered(self, player: Player, packet: Packet) -> None:
        count = len(player.replies)
        player.send(packet)
        assert len(player.replies) == count + 1


class TestMoving:
    def test_a_place_off_the_board_is_refused(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(5, 0))
        assert player.message == "There is no cell at (5,0)."


class TestPressingACell:
    @pytest.mark.requirement("C:Mobile Support")
    def test_reveal_flag_and_chord_are_one_packet_each(self) -> None:
        player, _ = seated(BOARD)
        player.send(Act(1, 0, Button.REVEAL, SEEN), Act(0, 0, Button.FLAG, SEEN))
        assert player.board.splitlines()[0] == "F1???"
        player.send(Act(1, 0, Button.CHORD, 1))
        assert player.board.splitlines()[0] == "F1..."

    def test_a_press_is_one_write_with_its_cursor(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Act(3, 2, Button.FLAG, SEEN))
        assert len(player.writes) == 1
        kept = backstage.running
        assert (len(kept.entries), kept.cursor) == (8, Cell(3, 2))

    @pytest.mark.parametrize(
        ("packet", "told"),
        [
            (Act(5, 0, Button.REVEAL, SEEN), "There is no cell at (5,0)."),
            (Act(1, 0, 9, SEEN), "There is no button 9."),
        ],
    )
    def test_what_is_not_there_is_refused(self, packet: Act, told: str) -> None:
        player, _ = seated(BOARD)
        before = player.board
        player.send(packet)
        assert player.message == told
        assert player.board == before

    def test_nothing_is_pressed_on_a_board_that_is_hidden(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.PAUSE, Act(1, 0, Button.REVEAL, SEEN), Command.PAUSE)
        assert player.board.splitlines()[0] == "?????"


class TestPlaying:
    def test_a_message_goes_with_the_next_action_and_not_with_a_move(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.MOVE_RIGHT)
        assert player.message == "Welcome back. Your game continues where you left it."
        player.send(Command.TOGGLE_BOMB_MARK)
        assert player.message == ""

    def test_debug_mode_shows_the_mines_and_marks_the_stored_game(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_DEBUG_MODE)
        assert sum(bool(face & MINED) for face in player.faces) == 2
        assert player.entry("remark") == "debug assisted"
        kept = backstage.running
        assert len(kept.entries) == 8

    def test_debug_mode_marks_a_game_once_and_for_good(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_DEBUG_MODE)
        player.send(*[Command.TOGGLE_DEBUG_MODE] * 3)
        assert player.entry("remark") == "assisted"
        kept = backstage.running
        assert len(kept.entries) == 8

    def test_a_game_of_which_only_the_mines_were_seen_is_no_game(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_DEBUG_MODE)
        player.send(Start(9, 9, 1), Start(9, 9, 3))
        player.send(Command.TOGGLE_BOMB_MARK)
        assert backstage.finished == []


class TestHelp:
    """The first help in a ranked game is asked about: a slip of a key must not cost the rank."""

    def test_who_declines_stays_ranked(self) -> None:
        player, _ = seated(BOARD)
        player.agrees_to_help = False
        player.send(OPEN, Undo(1))
        assert player.screen == "assist"
        player.choose("No help")
        assert (player.entry("remark"), player.board.splitlines()[0]) == ("", "?1???")

    def test_who_agrees_is_asked_once(self) -> None:
        player, _ = seated(BOARD)
        player.agrees_to_help = False
        player.send(OPEN, Undo(1))
        player.choose("Help")
        assert (player.entry("remark"), player.board.splitlines()[0]) == ("assisted", "?????")
        player.send(OPEN, Undo(1))
        assert (player.screen, player.board.splitlines()[0]) == ("game", "?????")

    def test_to_undo_a_flag_is_no_help(self) -> None:
        player, _ = seated(BOARD)
        player.send(Act(0, 0, Button.FLAG, SEEN), Undo(1))
        assert (player.entry("remark"), player.board.splitlines()[0]) == ("", "?????")

    def test_a_game_that_ranks_nowhere_is_helped_at_once(self) -> None:
        player = Player()
        player.send(ANONYMOUS, NewGame(GameKind.BEGINNER), Act(4, 4, Button.REVEAL, SEEN), Undo(1))
        assert (player.screen, player.entry("remark")) == ("game", "assisted")


class TestEnd:
    def test_it_shows_figures_and_other_keys(self) -> None:
        player, _ = seated(BOARD)
        assert "new" not in player.members["keys"]
        player.send(Command.REVEAL)
        assert player.members["figures"][0] == ["time", "0.000 s"]
        assert player.members["keys"][0] == "new"
        assert player.entry("state") == "lost"

    def test_undo_takes_the_figures_away(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.REVEAL, Undo(1))
        assert (player.entry("state"), player.entry("figures")) == ("playing", "")
        assert player.entry("remark") == "assisted"

    def test_a_first_cell_that_nothing_protects_says_so_and_offers_another_game(self) -> None:
        player = Player()
        player.send(ANONYMOUS, Start(1, 1, 1), Command.REVEAL)
        assert player.message == "You lost. These rules do not protect the first cell."
        assert player.members["keys"][0] == "classic"


class TestLeaving:
    def test_quit_leaves_the_game_with_its_clock(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL)
        player.send_after(3_000, Command.QUIT)
        assert not player.is_connected
        kept = backstage.running
        assert kept.clock_ms == 3_000

    def test_a_last_view_tells_whether_to_come_back(self) -> None:
        player, _ = seated(BOARD)
        for is_final in (False, True):
            player.show(player.session.farewell("Bye.", 0, is_final=is_final))
            assert player.members.get("last", False) is is_final
            assert player.message == "Bye."

    def test_a_server_that_stops_leaves_the_board_to_look_at(self) -> None:
        player, _ = seated(BOARD)
        player.send(OPEN)
        board = player.board
        player.send(BACK)
        player.show(player.session.farewell("Bye.", 0))
        assert (player.screen, player.message, player.board) == ("game", "Bye.", board)
        assert player.members["keys"] == ["quit"]
        assert player.members["clock_runs"] is False
