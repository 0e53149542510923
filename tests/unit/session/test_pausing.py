"""Pauses: the board is hidden, the clock stops, and nothing can be done."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Jump, MoveTo, Packet, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command, JumpTo
from jminesweeper.session import messages
from tests.unit.session.backstage import ANSI, PLAIN, Backstage, seated
from tests.unit.session.player import Player

BOARD = "*..\n...\n...\n..*"


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Act(1, 0, Button.REVEAL))
    return player


def test_a_pause_hides_the_board_and_stops_the_clock(player: Player) -> None:
    player.send_after(3_000, Command.PAUSE)
    player.send_after(60_000, Command.REFRESH)
    assert (player.entry("state"), player.entry("clock")) == ("paused", "3 s")
    assert player.entry("message") == messages.PAUSED.text
    assert "field:" not in player.text


def test_only_keys_that_do_something_are_named() -> None:
    player, _ = seated(BOARD, hello=ANSI)
    player.send(Act(1, 0, Button.REVEAL), Command.PAUSE)
    last = [line.strip() for line in player.lines if line.strip()][-1]
    assert last == "p resume   ? help   m menu   x quit"


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
        Command.CHORD,
        Command.TOGGLE_DEBUG_MODE,
        Command.HINT,
        Command.MOVE_DOWN,
        Jump(JumpTo.BOTTOM),
        MoveTo(2, 2),
        Act(0, 3, Button.REVEAL),
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
    assert player.entry("message") == messages.PAUSED.text
    player.send(Save("two"))
    assert player.entry("message") == messages.saved("two")
    player.send(Command.MOVE_RIGHT)
    assert player.entry("message") == messages.PAUSED.text
    player.send(Command.PAUSE)
    assert player.entry("message") == ""


def test_what_is_over_is_not_paused(player: Player) -> None:
    player.send(Act(0, 0, Button.REVEAL), Command.PAUSE)
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
        player.send_after(1_000, Command.MENU)
        player.send_after(5_000, Command.HELP)
        player.send_after(5_000, Command.HELP)
        player.send_after(5_000, Command.MENU)
        assert (player.entry("state"), player.entry("clock")) == ("playing", "1 s")
        player.send_after(1_000, Command.REFRESH)
        assert player.entry("clock") == "2 s"

    def test_a_game_that_its_player_paused_stays_paused(self, player: Player) -> None:
        player.send(Command.PAUSE, Command.MENU, Command.HELP, Command.HELP, Command.MENU)
        assert player.entry("state") == "paused"
        player.send(Command.PAUSE, Command.MENU, Command.MENU)
        assert player.entry("state") == "playing"

    @pytest.mark.parametrize("label", ["Undo", "Hint"])
    def test_what_is_done_from_the_menu_ends_the_pause(self, label: str) -> None:
        player, backstage = seated(BOARD)
        backstage.hints.append(None)
        player.send(Act(1, 0, Button.REVEAL), Command.PAUSE, Command.MENU)
        player.choose(label)
        assert (player.entry("screen"), player.entry("state")) == ("game", "playing")

    def test_the_clock_of_a_game_that_has_not_begun_does_not_run(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.MENU)
        player.send_after(60_000, Command.MENU)
        player.send_after(60_000, Command.REFRESH)
        assert player.entry("clock") == "0 s"


class TestComingBack:
    """What the next connection finds."""

    def back(self, *packets: Packet) -> Player:
        """Play a game, leave it, and come back a minute later."""
        backstage = Backstage()
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, *packets)
        first.hang_up()
        second = backstage.player()
        second.now_ms = first.now_ms
        second.send_after(60_000, PLAIN)
        return second

    def test_a_paused_game_is_paused(self) -> None:
        player = self.back(Command.PAUSE)
        assert player.entry("state") == "paused"
        player.send_after(60_000, Command.PAUSE)
        assert player.entry("clock") == "0 s"

    @pytest.mark.parametrize(
        "packets", [(Command.MENU,), (Command.MENU, Command.HELP), (Command.HELP,)]
    )
    def test_a_game_left_from_within_a_menu_is_running(self, packets: tuple[Packet, ...]) -> None:
        player = self.back(*packets)
        assert (player.entry("screen"), player.entry("state")) == ("game", "playing")
        player.send_after(2_000, Command.REFRESH)
        assert player.entry("clock") == "2 s"

    def test_one_that_was_paused_below_the_menu_is_paused(self) -> None:
        player = self.back(Command.PAUSE, Command.MENU)
        assert (player.entry("screen"), player.entry("state")) == ("game", "paused")

    def test_a_game_quit_from_the_menu_is_running(self) -> None:
        backstage = Backstage()
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        first.choose("Quit")
        second = backstage.player()
        second.send(PLAIN)
        assert second.entry("state") == "playing"

    def test_a_save_made_from_a_menu_is_not_paused_by_it(self) -> None:
        player, backstage = seated(BOARD)
        player.send(MoveTo(1, 0), Command.REVEAL, Command.MENU)
        player.choose("Save")
        player.send(Command.REVEAL)
        kept = backstage.save("custom 3x4")
        assert (kept.is_paused, kept.cursor) == (False, Cell(1, 0))
