"""What each packet does in menus and pages."""

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import (
    Drop,
    Hello,
    Jump,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    Save,
    Start,
    Text,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, JumpTo, ScreenFormat
from jminesweeper.session import messages
from jminesweeper.session.handlers import KEYS
from tests.unit.session.backstage import ANONYMOUS, ANSI, seated
from tests.unit.session.player import Player

BOARD = "*..\n...\n..."
TAB = NewGame(GameKind.SAME_SETTINGS)


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    return player


def test_up_and_down_move_the_selection(player: Player) -> None:
    assert player.selected.startswith("1. Continue")
    player.send(Command.MOVE_DOWN, Command.MOVE_DOWN, Command.MOVE_UP)
    assert player.selected.startswith("2. New game")
    player.send(Command.MOVE_UP, Command.MOVE_UP)
    assert player.selected.startswith("18. Quit")


@pytest.mark.requirement("C:Difficulty Selection")
def test_left_and_right_change_a_value(player: Player) -> None:
    player.send(Command.MOVE_DOWN, Command.MOVE_RIGHT)
    assert "intermediate 16x16, 40 mines" in player.selected
    player.send(Command.MOVE_LEFT, Command.MOVE_LEFT)
    assert "custom" in player.selected


@pytest.mark.parametrize("packet", [Command.REVEAL, Command.TOGGLE_BOMB_MARK])
def test_return_and_space_choose(player: Player, packet: Packet) -> None:
    player.send(packet)
    assert player.entry("screen") == "game"


@pytest.mark.parametrize("packet", [Command.MENU, TAB])
def test_esc_and_tab_go_back(player: Player, packet: Packet) -> None:
    player.send(Command.HELP)
    assert player.entry("screen") == "page"
    player.send(packet)
    assert player.entry("screen") == "menu"
    player.send(packet)
    assert player.entry("screen") == "game"
    assert player.board.splitlines()[0] == "F??"


def test_without_a_game_esc_stays_and_tab_plays() -> None:
    player = Player()
    player.send(ANONYMOUS, Command.MENU)
    assert player.entry("screen") == "menu"
    player.send(TAB)
    assert (player.entry("screen"), player.entry("size")) == ("game", "9x9")


def test_help_opens_and_closes(player: Player) -> None:
    player.send(Command.HELP)
    assert "RETURN" in player.text
    player.send(Command.HELP)
    assert player.entry("screen") == "menu"
    player.send(Command.MENU, Command.HELP)
    assert player.entry("state") == ""
    player.send(Command.HELP)
    assert player.entry("screen") == "game"


@pytest.mark.parametrize("packet", [Start(5, 5, 1), NewGame(GameKind.OWN, 5, 5, 3)])
def test_another_game_leaves_the_menus(player: Player, packet: Packet) -> None:
    player.send(packet)
    assert (player.entry("screen"), player.entry("size")) == ("game", "5x5")


@pytest.mark.parametrize("packet", [Start(0, 5, 1), NewGame(GameKind.OWN, 0, 5, 3)])
def test_an_impossible_one_is_refused_in_the_menu(player: Player, packet: Packet) -> None:
    player.send(packet)
    assert player.entry("screen") == "menu"
    assert player.entry("message").startswith("No ")
    player.send(Command.MOVE_DOWN)
    assert player.entry("message") == ""


@pytest.mark.parametrize(
    "packet",
    [
        MoveTo(1, 1),
        Undo(1),
        Save("one"),
        Load(""),
        Text("one"),
        Command.ERASE,
        Command.CHORD,
        Command.HINT,
        Command.PAUSE,
        Command.REFRESH,
        Command.TOGGLE_DEBUG_MODE,
        Jump(99),
        UnknownPacket(99, 2),
    ],
)
def test_what_is_for_the_table_changes_nothing(player: Player, packet: Packet) -> None:
    before = player.text
    assert player.send(packet) == before
    player.send(Command.MENU)
    assert (player.board.splitlines()[0], player.entry("cursor")) == ("F??", "0 0")


def test_jumps_turn_by_a_lot(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, Jump(JumpTo.RIGHT))
    assert "40" in player.selected


def test_digits_are_typed_into_numbers(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, Text("4"), Text("5"))
    assert "45" in player.selected
    player.send(Command.ERASE)
    assert "< 4 >" in player.selected


def test_typing_takes_the_last_message_away(player: Player) -> None:
    for packet in (Text("1"), Command.ERASE):
        player.send(Start(0, 5, 1))
        assert player.entry("message")
        player.send(packet)
        assert player.entry("message") == ""


def test_a_save_that_is_named_is_loaded_or_forgotten_from_everywhere(player: Player) -> None:
    player.send(Command.MENU, Save("one"), Command.MENU, Load("one"))
    assert player.entry("message") == messages.LOADED
    player.send(Command.MENU, Drop("one"))
    assert player.entry("message") == messages.dropped("one")


def test_the_clock_does_not_run(player: Player) -> None:
    player.send_after(60_000, Command.MENU)
    assert player.entry("clock") == "0 s"


class TestPointer:
    @pytest.fixture
    def player(self) -> Player:
        player, _ = seated(BOARD, hello=ANSI)
        player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
        return player

    def find(self, player: Player, label: str) -> Pointer:
        for row, line in enumerate(player.terminal.lines):
            if label in line:
                return Pointer(line.index(label) + 1, row, Button.REVEAL)
        raise AssertionError(player.text)

    @pytest.mark.requirement("C:Mobile Support")
    def test_a_tap_chooses_an_item(self, player: Player) -> None:
        assert "Custom columns" in player.send(self.find(player, "Settings"))

    @pytest.mark.parametrize(
        ("label", "shown"),
        [("RETURN choose", "SPACE flag"), ("ESC back", "SPACE flag"), ("x quit", "Goodbye")],
    )
    def test_a_tap_on_the_label_of_a_key_presses_it(
        self, player: Player, label: str, shown: str
    ) -> None:
        player.send(Command.REVEAL, Command.MENU)
        assert shown in player.send(self.find(player, label))

    def test_at_the_board_as_well(self, player: Player) -> None:
        player.send(Command.MENU)
        assert "Custom columns" not in player.text
        assert "Continue" in player.send(self.find(player, "m menu"))
        player.send(Command.MENU)
        assert "Paused" in player.send(self.find(player, "p pause"))
        assert "Goodbye" in player.send(self.find(player, "x quit"))
        assert not player.is_connected

    @pytest.mark.parametrize(
        ("label", "shown"), [("e figures", "Figures"), ("b replay", "Before the first action")]
    )
    def test_once_a_game_is_over_as_well(self, player: Player, label: str, shown: str) -> None:
        player.send(Command.MENU, Undo(1), Command.REVEAL)
        assert shown in player.send(self.find(player, label))

    def test_in_an_overview_as_well(self, player: Player) -> None:
        player.send(Start(99, 99, 1))
        assert "RETURN play there" in player.send(Jump(JumpTo.OVERVIEW))
        assert "RETURN reveal" in player.send(self.find(player, "v back"))

    @pytest.mark.parametrize("keys", [each for each in vars(messages) if each.startswith("KEYS_")])
    def test_every_key_that_is_named_can_be_tapped(self, keys: str) -> None:
        named = {key for key, _ in getattr(messages, keys)}
        assert named <= KEYS.keys() | {"0-9", "arrows"}

    def test_what_is_typed_cannot_be_tapped(self, player: Player) -> None:
        player.send(self.find(player, "Settings"), Command.MOVE_DOWN)
        before = player.text
        assert player.send(self.find(player, "0-9 type")) == before

    def test_a_tap_on_what_is_no_longer_there_does_nothing(self, player: Player) -> None:
        label = self.find(player, "x quit")
        player.send(Command.MENU, Hello(80, 24, format=ScreenFormat.PLAIN))
        player.send(label)
        assert player.is_connected

    def test_the_right_button_selects_an_item(self, player: Player) -> None:
        place = self.find(player, "Settings")
        assert "Custom columns" not in player.send(replace(place, button=Button.FLAG))
        assert "Custom columns" in player.send(Command.REVEAL)

    def test_a_tap_elsewhere_does_nothing(self, player: Player) -> None:
        before = player.text
        assert player.send(Pointer(0, 0, Button.REVEAL)) == before

    def test_the_wheel_moves_the_selection(self, player: Player) -> None:
        player.send(Pointer(0, 0, Button.WHEEL_DOWN), ANONYMOUS)
        assert player.selected.startswith("2. New game")
        player.send(Pointer(0, 0, Button.WHEEL_UP))
        assert player.selected.startswith("1. Continue")

    @pytest.mark.parametrize("button", [Button.WHEEL_DOWN, Button.REVEAL])
    def test_what_was_said_about_the_last_step_goes(self, player: Player, button: Button) -> None:
        player.send(self.find(player, "Best times"))
        assert messages.NO_SCORES in player.text
        player.send(Pointer(0, 0, button))
        assert messages.NO_SCORES not in player.text
