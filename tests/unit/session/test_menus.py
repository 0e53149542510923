"""The menus a player meets: what each packet does in them, and what their rows do."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import Level
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import level_variant
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
from jminesweeper.protocol.vocabulary import Button, Command, NewGameFlag
from jminesweeper.session.config import SessionConfig
from tests.world.player import BACK, SEED, SEEN, Player, Step, case, table
from tests.world.server import ANONYMOUS, LIVE, UNDECIDED, World, alone, seated

BOARD = "*..\n...\n..."
FLAG, OPEN = Act(0, 0, Button.FLAG, SEEN), Act(1, 0, Button.OPEN, SEEN)
TAB, IF_NONE = NewGame(), NewGame("", NewGameFlag.IF_NONE)
CODE = format_seed_code(Setup.of("intermediate", seed=5))
BAD_CODE = "Invalid seed code; check for typos."
WIDE = Start(40, 12, 2)


@pytest.fixture
def player() -> Player:
    """Somebody before the menu, whose game has been begun."""
    player, _ = seated(BOARD)
    return player.do(FLAG, BACK)


@table(
    [
        case("a row is picked by its id", Pick("main", "settings"), screen="settings"),
        case("help covers the menu", OpenMenu("help"), screen="help"),
        case("one goes back to the menu", OpenMenu("help"), BACK, screen="main"),
        case("and to the game", OpenMenu("help"), BACK, BACK, screen="game", top="F??"),
        case(
            "another menu takes the place of all",
            *[OpenMenu("settings"), OpenMenu("records"), OpenMenu("help")] * 50,
            *(BACK, BACK),
            screen="game",
        ),
        case(
            "a menu that there is not",
            *(BACK, OpenMenu("kitchen")),
            message="There is no menu kitchen.",
        ),
        case("another game leaves the menus", Start(5, 5, 1), screen="game", size="5x5"),
        case("so does one of its own", NewGame("5x5/3 jminesweeper"), screen="game", size="5x5"),
        case(
            "an impossible one is refused",
            NewGame("0x5/3 jminesweeper"),
            screen="main",
            message="No such game: columns must be 1 to 255, not 0.",
        ),
        case("until the next step", Start(0, 5, 1), BACK, screen="game", message=""),
        case(
            "a save is dropped from any menu",
            *(BACK, Save("one"), Save("two"), BACK, Drop("one")),
            message="one is deleted.",
            screen="main",
        ),
        case(
            "and loaded",
            *(BACK, Save("two"), BACK, Load("two")),
            message="Loaded. A loaded game is not ranked.",
            screen="game",
        ),
        case("a wrong code", Code("no code"), screen="main", message=BAD_CODE),
        case("one typed", "Seed code", ("Play a code", "no"), screen="code", message=BAD_CODE),
        case("none typed", "Seed code", ("Play a code", ""), screen="code", message=BAD_CODE),
        case(
            "the board of a code",
            *(Start(9, 9, 1), BACK, "Seed code", ("Play a code", CODE)),
            size="16x16",
            mines="40",
            message="From a code, so not ranked.",
            remark="repeat",
        ),
        case("a code asks before it ends a game", BACK, OPEN, Code(CODE), screen="give_up"),
        case(
            "one that was typed, too",
            *(BACK, OPEN, OpenMenu("code"), ("Play a code", CODE)),
            screen="give_up",
        ),
        case("a custom board leads back to the list", "New game", "Custom", BACK, screen="boards"),
        case("saves are made and loaded in one list", "Saves", items=["Save this game"]),
        case("the same board again", "New game", "Same board again", size="3x3", remark="repeat"),
        case(
            "the day's board",
            *("Board of the day", "Expert"),
            label="daily expert 2001-09-09 30x16",
        ),
    ]
)
@pytest.mark.requirement("C:Mobile Support")
def test_in_menus(player: Player, steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player.do(*steps).sees(seen)


class TestWithoutAGame:
    @pytest.mark.parametrize("packets", [(BACK,), (OpenMenu("settings"), OpenMenu("boards"), BACK)])
    def test_the_main_menu_is_below_every_other(self, packets: tuple[Packet, ...]) -> None:
        player = alone().do(ANONYMOUS, *packets)
        assert player.screen == "main"
        player.do(TAB).sees({"screen": "game", "size": "9x9"})

    def test_what_cannot_be_chosen_says_why(self) -> None:
        player = alone(SessionConfig()).do(ANONYMOUS)
        assert player.row("Continue")["disabled"] == "No game has begun."
        assert (
            player.row("Saves")["disabled"]
            == "Nothing is saved here: the server does not know you."
        )
        player.choose("Records")
        assert player.row("Best times")["disabled"] == "This server keeps no records."
        assert player.row("Replay")["disabled"] == "Finish the game first."


@pytest.mark.parametrize("name", ["boards", "daily", "code", "saves", "records", "settings"])
def test_a_menu_is_opened_by_name_and_closed_by_it(player: Player, name: str) -> None:
    player.do(BACK, OpenMenu(name)).sees({"screen": name})
    player.do(OpenMenu(name)).sees({"screen": "game"})


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
    told = "That menu has changed; nothing was done."
    player.do(pick).sees({"screen": "main", "message": told})


@pytest.mark.parametrize(
    "pick",
    [
        Pick("settings", "pace", "maybe"),
        Pick("settings", "heading.boards"),
        Pick("settings", "pace", "on", what=1),
        Pick("settings", "pace"),
    ],
)
def test_a_value_that_a_row_does_not_take_changes_nothing(player: Player, pick: Pick) -> None:
    before = player.choose("Settings").text
    assert player.send(pick).text == before


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
def test_what_is_for_the_board_changes_nothing(player: Player, packet: Packet) -> None:
    before = player.text
    assert player.send(packet).text == before
    player.do(BACK).sees({"top": "F??"})


class TestIfNone:
    """NEW_GAME can be sent in advance, for when there is no game."""

    def test_it_begins_where_there_is_no_game(self) -> None:
        World().player().do(LIVE, IF_NONE).sees({"screen": "game", "size": "9x9"})

    def test_it_leaves_a_game_alone(self) -> None:
        player, _ = seated(BOARD, hello=LIVE)
        player.do(IF_NONE).sees({"size": "3x3"})

    def test_it_leaves_a_question_about_one_alone(self) -> None:
        player, world = seated(BOARD)
        player.send(FLAG)
        player.hang_up()
        world.player().do(UNDECIDED, IF_NONE).sees({"screen": "resume"})


@pytest.mark.requirement("C:Standard Controls")
def test_everything_can_be_chosen_while_a_game_runs(player: Player) -> None:
    first = ["Continue", "New game", "Board of the day", "Puzzles", "Seed code"]
    assert player.items == [*first, "Play together", "Saves", "Records", "Settings", "Help", "Quit"]


@pytest.mark.requirement("C:Difficulty Selection", "C:Difficulty Levels")
@pytest.mark.parametrize(
    ("label", "size", "mines"),
    [
        ("Beginner", "9x9", "10"),
        ("Intermediate", "16x16", "40"),
        ("Expert", "30x16", "99"),
        ("Easy", "20x10", "10"),
        ("Hard", "20x10", "90"),
    ],
)
def test_a_board_is_chosen_and_begun(player: Player, label: str, size: str, mines: str) -> None:
    player.do("New game", label).sees({"size": size, "mines": mines, "state": "playing"})


def test_a_list_of_boards_says_what_wins(player: Player) -> None:
    player.choose("New game")
    assert player.row("Beginner")["value"] == "9x9, 10 mines"
    assert player.row("Medium")["value"] == "20x10, 50 mines, flag every mine"


def test_a_custom_board_changes_no_other_row_of_the_list(player: Player) -> None:
    def rows() -> list[str]:
        player.do("New game")
        values = [player.row(label)["value"] for label in ("Easy", "Medium", "Hard")]
        player.send(BACK)
        return values

    before = rows()
    player.do("New game", "Custom", Pick("custom", "columns", "255"), BACK, BACK)
    assert rows() == before


def test_the_same_board_is_a_repeat(player: Player) -> None:
    player.do("New game", "Same board again", Act(0, 0, Button.REVEAL, SEEN))
    assert "not ranked: board known before" in player.entry("figures")
    player.do(NewGame("again")).sees({"message": "Seen before, so not ranked."})


def test_the_help_explains_the_game_and_names_no_key(player: Player) -> None:
    assert "This game: Open every safe cell." in player.choose("Help").text
    assert "RETURN" not in player.text


def test_quit_says_goodbye_and_closes(player: Player) -> None:
    player.choose("Quit")
    assert not player.is_connected
    assert (player.members["last"], player.message) == (True, "Goodbye.")
    assert player.members["menu"] is None
    player.start_counting()
    player.hang_up()
    assert player.world.operations == []


class TestLastBoard:
    def test_what_was_played_last_is_offered_first_however_it_was_begun(self) -> None:
        player, world = seated(BOARD)
        player.send(WIDE, Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        player = world.player().do(UNDECIDED, "New game", OpenMenu("boards"))
        assert player.members["menu"]["selected"] == "last"
        assert player.row("Last board")["value"].startswith("medium 40x12, 120 mines")
        player.do("Last board").sees({"label": "medium 40x12"})

    @pytest.mark.parametrize(
        ("steps", "selected"),
        [((BACK, Start(20, 10, 1)), "easy"), (("New game", "Expert"), "expert")],
    )
    def test_one_that_is_listed_anyway_is_selected_there(
        self, player: Player, steps: tuple[Step, ...], selected: str
    ) -> None:
        player.do(*steps, OpenMenu("boards"))
        assert player.members["menu"]["selected"] == selected

    def test_the_menu_names_it_before_it_is_asked_for(self, player: Player) -> None:
        player.send(WIDE, BACK)
        assert player.row("New game")["value"] == "medium 40x12, 120 mines, flag every mine"

    def test_a_board_that_was_not_played_is_not_remembered(self) -> None:
        player, world = seated(BOARD)
        player.send(WIDE, Command.MOVE_RIGHT)
        assert world.held().document.settings["last_board"] == "custom 3x3/1 classic"


class TestSeedCode:
    OWN = format_seed_code(Setup(level_variant(Size(9, 9), Level.EASY), seed=SEED))
    SHOW = (OpenMenu("code"), "Code of this board")

    def test_it_is_shown_once_the_game_is_over(self, player: Player) -> None:
        player.do(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK, *self.SHOW)
        assert player.members["page"]["id"] == "code"

    def test_before_that_its_price_is_named(self) -> None:
        player, world = seated(BOARD)
        player.do(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, *self.SHOW)
        assert self.OWN not in player.text
        player.choose("Show it")
        assert self.OWN in player.text
        assert world.running.setup.variant.is_repeat

    def test_who_does_not_pay_it_does_not_see_the_code(self, player: Player) -> None:
        player.do(Start(9, 9, 1), *self.SHOW, "Not now").sees({"screen": "code"})

    def test_a_board_that_follows_from_no_seed_has_none(self, player: Player) -> None:
        told = "This board was laid for you and has no seed code."
        player.do(*self.SHOW).sees({"message": told})
