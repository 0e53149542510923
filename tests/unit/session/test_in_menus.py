"""What each packet does in menus and pages."""

import pytest

from jminesweeper.protocol.packets import (
    Act,
    Code,
    Drop,
    Hint,
    Load,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Replay,
    Save,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, NewGameFlag
from tests.unit.session.backstage import ANONYMOUS, LIVE, UNDECIDED, Backstage, seated
from tests.unit.session.player import BACK, SEEN, Player

BOARD = "*..\n...\n..."
FLAG = Act(0, 0, Button.FLAG, SEEN)


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(FLAG, BACK)
    return player


@pytest.mark.requirement("C:Mobile Support")
def test_a_row_is_picked_by_its_name(player: Player) -> None:
    player.send(Pick("main", "settings"))
    assert player.screen == "settings"


def test_one_goes_back_menu_by_menu(player: Player) -> None:
    player.send(OpenMenu("help"))
    assert player.screen == "help"
    player.send(BACK)
    assert player.screen == "main"
    player.send(BACK)
    assert player.screen == "game"
    assert player.board.splitlines()[0] == "F??"


def test_without_a_game_the_main_menu_stays() -> None:
    player = Player()
    player.send(ANONYMOUS, BACK)
    assert player.screen == "main"
    player.send(NewGame(GameKind.SAME_SETTINGS))
    assert (player.screen, player.entry("size")) == ("game", "9x9")


@pytest.mark.parametrize("name", ["boards", "daily", "code", "saves", "records", "settings"])
def test_a_menu_is_opened_by_name_and_closed_by_it(player: Player, name: str) -> None:
    player.send(BACK, OpenMenu(name))
    assert player.screen == name
    player.send(OpenMenu(name))
    assert player.screen == "game"


def test_another_menu_takes_the_place_of_all(player: Player) -> None:
    for _ in range(50):
        player.send(OpenMenu("settings"), OpenMenu("records"), OpenMenu("help"))
    player.send(BACK, BACK)
    assert player.screen == "game"


def test_without_a_game_the_main_menu_is_below_every_other() -> None:
    player = Player()
    player.send(ANONYMOUS, OpenMenu("settings"), OpenMenu("boards"), BACK)
    assert player.screen == "main"


def test_a_menu_that_there_is_not_is_refused(player: Player) -> None:
    player.send(BACK, OpenMenu("kitchen"))
    assert player.message == "There is no menu kitchen."


@pytest.mark.parametrize(
    "pick",
    [
        Pick("settings", "pace", "on"),
        Pick("main", "kitchen"),
        Pick("", ""),
        Pick("main", "continue ", "x"),
    ],
)
def test_a_menu_or_a_row_that_is_not_there_is_not_picked(player: Player, pick: Pick) -> None:
    player.send(pick)
    assert (player.screen, player.members["message"]["id"]) == ("main", "changed.menu")


@pytest.mark.parametrize(
    "pick",
    [
        Pick("settings", "pace", "maybe"),
        Pick("settings", "heading.rules"),
        Pick("settings", "pace", "on", what=1),
        Pick("settings", "pace"),
    ],
)
def test_a_value_that_a_row_does_not_take_changes_nothing(player: Player, pick: Pick) -> None:
    player.choose("Settings")
    before = player.text
    assert player.send(pick) == before


@pytest.mark.parametrize("packet", [Start(5, 5, 1), NewGame(GameKind.OWN, 5, 5, 3)])
def test_another_game_leaves_the_menus(player: Player, packet: Packet) -> None:
    player.send(packet)
    assert (player.screen, player.entry("size")) == ("game", "5x5")


@pytest.mark.parametrize("packet", [Start(0, 5, 1), NewGame(GameKind.OWN, 0, 5, 3)])
def test_an_impossible_one_is_refused_in_the_menu(player: Player, packet: Packet) -> None:
    player.send(packet)
    assert player.screen == "main"
    assert player.message.startswith("No ")
    player.send(BACK)
    assert player.message == ""


@pytest.mark.parametrize(
    "packet",
    [
        MoveTo(1, 1),
        FLAG,
        Undo(1),
        Save("one"),
        Hint(0, 0),
        Replay(3),
        Command.PAUSE,
        Command.REFRESH,
        Command.MOVE_DOWN,
        Command.REVEAL,
        Command.TOGGLE_DEBUG_MODE,
        UnknownPacket(99, 2),
    ],
)
def test_what_is_for_the_table_changes_nothing(player: Player, packet: Packet) -> None:
    before = player.text
    assert player.send(packet) == before
    player.send(BACK)
    assert player.board.splitlines()[0] == "F??"


def test_a_save_is_loaded_and_dropped_from_any_menu(player: Player) -> None:
    player.send(BACK, Save("one"), Save("two"), BACK, Drop("one"))
    assert player.message == "one is deleted."
    player.send(Load("two"))
    assert (player.screen, player.message) == ("game", "Loaded. A loaded game is not ranked.")


def test_a_code_is_played_from_any_menu(player: Player) -> None:
    player.send(Code("no code"))
    assert (player.screen, player.message) == ("main", "Invalid seed code; check for typos.")


class TestIfNone:
    """NEW_GAME can be sent in advance, for when there is no game."""

    ASKED = NewGame(GameKind.SAME_SETTINGS, flags=NewGameFlag.IF_NONE)

    def test_it_begins_where_there_is_no_game(self) -> None:
        player = Backstage().player()
        player.send(LIVE, self.ASKED)
        assert (player.screen, player.entry("size")) == ("game", "9x9")

    def test_it_leaves_a_game_alone(self) -> None:
        player, _ = seated(BOARD, hello=LIVE)
        player.send(self.ASKED)
        assert player.entry("size") == "3x3"

    def test_it_leaves_a_question_about_one_alone(self) -> None:
        player, backstage = seated(BOARD)
        player.send(FLAG)
        player.hang_up()
        player = backstage.player()
        player.send(UNDECIDED, self.ASKED)
        assert player.screen == "resume"
