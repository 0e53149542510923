"""Pauses: the board is hidden, the clock stops, and nothing can be done."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Hint, MoveTo, OpenMenu, Packet, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from tests.unit.session.backstage import KNOWN, Backstage, seated
from tests.unit.session.player import BACK, SEEN, Player

BOARD = "*..\n...\n...\n..*"


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Act(1, 0, Button.REVEAL, SEEN))
    return player


def test_a_pause_hides_the_board_and_stops_the_clock(player: Player) -> None:
    player.send_after(3_000, Command.PAUSE)
    player.send_after(60_000, Command.REFRESH)
    assert (player.entry("state"), player.entry("clock")) == ("paused", "3 s")
    assert player.message == "Paused."


def test_only_keys_that_do_something_are_named() -> None:
    player, _ = seated(BOARD, hello=KNOWN)
    player.send(Act(1, 0, Button.REVEAL, SEEN), Command.PAUSE)
    assert player.members["keys"] == ["resume", "help", "menu", "quit"]


def test_the_game_continues_where_it_was(player: Player) -> None:
    before = player.board
    player.send_after(3_000, Command.PAUSE)
    player.send_after(60_000, Command.PAUSE)
    player.send_after(1_000, Command.REFRESH)
    assert (player.entry("state"), player.entry("clock")) == ("playing", "4 s")
    assert player.board == before


@pytest.mark.parametrize(
    "packet",
    [
        Command.REVEAL,
        Command.TOGGLE_BOMB_MARK,
        Command.TOGGLE_DEBUG_MODE,
        Hint(0, 0),
        Command.MOVE_DOWN,
        MoveTo(2, 2),
        Act(0, 3, Button.REVEAL, SEEN),
        Undo(1),
    ],
)
def test_nothing_can_be_done_meanwhile(player: Player, packet: Packet) -> None:
    before = player.text
    player.send(Command.PAUSE)
    player.take_effects()
    player.send(packet)
    assert player.writes == []
    assert player.send(Command.PAUSE) == before


def test_news_are_shown_until_the_next_key(player: Player) -> None:
    player.send(Save("one"), Command.PAUSE)
    assert player.message == "Paused."
    player.send(Save("two"))
    assert player.message == "Saved as two."
    player.send(Command.MOVE_RIGHT)
    assert player.message == "Paused."
    player.send(Command.PAUSE)
    assert player.message == ""


def test_what_is_over_is_not_paused(player: Player) -> None:
    player.send(Act(0, 0, Button.REVEAL, SEEN), Command.PAUSE)
    assert player.entry("state") == "lost"


def test_without_a_game_there_is_nothing_to_pause() -> None:
    player = Player()
    before = player.send(Command.MOVE_LEFT)
    assert player.send(Command.PAUSE) == before


def test_a_new_game_is_not_paused(player: Player) -> None:
    player.send(Command.PAUSE, Start(9, 9, 1))
    assert player.entry("state") == "playing"


class TestBelowMenus:
    def test_the_clock_stops_below_the_first_layer_and_runs_after_the_last(
        self, player: Player
    ) -> None:
        player.send_after(1_000, BACK)
        player.send_after(5_000, OpenMenu("help"))
        player.send_after(5_000, OpenMenu("help"))
        player.send_after(5_000, BACK)
        assert (player.entry("state"), player.entry("clock")) == ("playing", "1 s")
        player.send_after(1_000, Command.REFRESH)
        assert player.entry("clock") == "2 s"

    def test_a_game_that_its_player_paused_stays_paused(self, player: Player) -> None:
        player.send(Command.PAUSE, BACK, OpenMenu("help"), OpenMenu("help"), BACK)
        assert player.entry("state") == "paused"
        player.send(Command.PAUSE, BACK, BACK)
        assert player.entry("state") == "playing"

    def test_the_clock_of_a_game_that_has_not_begun_does_not_run(self) -> None:
        player, _ = seated(BOARD)
        player.send(BACK)
        player.send_after(60_000, BACK)
        player.send_after(60_000, Command.REFRESH)
        assert player.entry("clock") == "0 s"


class TestComingBack:
    """What the next connection finds."""

    def back(self, *packets: Packet) -> Player:
        """Play a game, leave it, and come back a minute later."""
        backstage = Backstage()
        first = backstage.player()
        first.send(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, *packets)
        first.hang_up()
        second = backstage.player()
        second.now_ms = first.now_ms
        second.send_after(60_000, KNOWN)
        return second

    def test_a_paused_game_is_paused(self) -> None:
        player = self.back(Command.PAUSE)
        assert player.entry("state") == "paused"
        player.send_after(60_000, Command.PAUSE)
        assert player.entry("clock") == "0 s"

    @pytest.mark.parametrize("packets", [(BACK,), (BACK, OpenMenu("help")), (OpenMenu("help"),)])
    def test_a_game_left_from_within_a_menu_is_running(self, packets: tuple[Packet, ...]) -> None:
        player = self.back(*packets)
        assert (player.screen, player.entry("state")) == ("game", "playing")
        player.send_after(2_000, Command.REFRESH)
        assert player.entry("clock") == "2 s"

    def test_one_that_was_paused_below_the_menu_is_paused(self) -> None:
        player = self.back(Command.PAUSE, BACK)
        assert (player.screen, player.entry("state")) == ("game", "paused")

    def test_a_game_quit_from_the_menu_is_running(self) -> None:
        backstage = Backstage()
        first = backstage.player()
        first.send(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, BACK)
        first.choose("Quit")
        second = backstage.player()
        second.send(KNOWN)
        assert second.entry("state") == "playing"

    def test_a_save_made_from_a_menu_is_not_paused_by_it(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL, BACK)
        player.walk("Saves", "Save this game")
        player.choose("Name", "custom 3x4")
        kept = backstage.save("custom 3x4")
        assert (kept.is_paused, kept.cursor) == (False, Cell(1, 0))
