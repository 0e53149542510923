"""The menus a player meets, and what their rows do."""

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.core.rules import Level
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import level_variant
from jminesweeper.protocol.packets import Act, Code, NewGame, OpenMenu, Save, Start
from jminesweeper.protocol.vocabulary import Button, Command, GameKind
from jminesweeper.session.config import SessionConfig
from tests.unit.session.backstage import ANONYMOUS, UNDECIDED, seated
from tests.unit.session.player import BACK, SEED, SEEN, Player

BOARD = "*..\n...\n..."
FLAG = Act(0, 0, Button.FLAG, SEEN)
OPEN = Act(1, 0, Button.OPEN, SEEN)
CODE = format_seed_code(Setup.of("intermediate", seed=5))


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(FLAG, BACK)
    return player


@pytest.mark.requirement("C:Standard Controls")
def test_everything_can_be_chosen_while_a_game_runs(player: Player) -> None:
    assert player.items == [
        "Continue",
        "New game",
        "Board of the day",
        "Seed code",
        "Play together",
        "Saves",
        "Records",
        "Settings",
        "Help",
        "Quit",
    ]


def test_what_cannot_be_chosen_says_why() -> None:
    player = Player(SessionConfig())
    player.send(ANONYMOUS)
    assert player.row("Continue")["disabled"] == "No game has begun."
    assert player.row("Saves")["disabled"] == "The server does not know you."
    player.choose("Records")
    assert player.row("Best times")["disabled"] == "This server keeps no records."
    assert player.row("Replay")["disabled"] == "Finish a game first."


@pytest.mark.requirement("C:Difficulty Selection", "C:Difficulty Levels")
@pytest.mark.parametrize(
    ("label", "size", "mines"),
    [
        ("Beginner", "9x9", "10"),
        ("Intermediate", "16x16", "40"),
        ("Expert", "30x16", "99"),
        ("Small and easy", "20x10", "10"),
        ("Hard", "30x20", "270"),
    ],
)
def test_a_board_is_chosen_and_begun(player: Player, label: str, size: str, mines: str) -> None:
    player.choose("New game")
    player.choose(label)
    assert (player.entry("size"), player.entry("mines")) == (size, mines)
    assert player.entry("state") == "playing"


def test_a_list_of_boards_says_what_wins(player: Player) -> None:
    player.choose("New game")
    assert player.row("Medium")["value"] == "30x20, 150 mines, opening wins"
    assert player.row("Small and easy")["value"] == "20x10, 10 mines, flags win"


def test_the_board_chosen_last_is_the_one_offered_first(player: Player) -> None:
    player.choose("New game")
    player.choose("Expert")
    player.send(OpenMenu("boards"))
    assert player.members["menu"]["selected"] == "expert"


@pytest.mark.parametrize("label", ["Beginner", "Intermediate", "Expert"])
def test_the_board_of_the_day_is_chosen_on_its_own_row(player: Player, label: str) -> None:
    player.choose("Board of the day")
    player.choose(label)
    assert player.entry("label").startswith(f"daily {label.lower()} 2001-09-09")


def test_the_board_of_a_code_is_begun(player: Player) -> None:
    player.send(Start(9, 9, 1), BACK)
    player.walk("Seed code")
    player.choose("Play a code", CODE)
    assert (player.entry("size"), player.entry("mines")) == ("16x16", "40")
    assert player.message == "From a code, so not ranked."
    assert player.entry("remark") == "repeat"


@pytest.mark.parametrize("typed", ["", "no code"])
def test_an_invalid_code_is_reported_where_it_was_typed(player: Player, typed: str) -> None:
    player.choose("Seed code")
    player.choose("Play a code", typed)
    assert (player.screen, player.message) == ("code", "Invalid seed code; check for typos.")


def test_a_code_asks_before_it_ends_a_game(player: Player) -> None:
    player.send(BACK, OPEN, Code(CODE))
    assert player.screen == "give_up"
    player.send(OpenMenu("code"))
    player.choose("Play a code", CODE)
    assert player.screen == "give_up"
    player.send(BACK)
    assert player.screen == "code"


@pytest.mark.parametrize("label", ["Seed code", "New game", "Settings", "Saves", "Records"])
def test_one_goes_back_to_the_menu_and_from_there_to_the_game(player: Player, label: str) -> None:
    player.choose(label)
    assert label not in player.items
    player.send(BACK)
    assert label in player.items
    player.send(BACK)
    assert player.board.splitlines()[0] == "F??"


def test_the_same_board_is_a_repeat(player: Player) -> None:
    player.choose("New game")
    player.choose("Same board again")
    assert player.entry("size") == "3x3"
    player.send(Act(0, 0, Button.REVEAL, SEEN))
    assert "not ranked: board known before" in player.entry("figures")
    player.send(NewGame(GameKind.SAME_BOARD))
    assert player.message == "Seen before, so not ranked."


def test_the_help_explains_the_game_and_names_no_key(player: Player) -> None:
    assert "This game: Open every safe cell." in player.choose("Help")
    assert "RETURN" not in player.text


def test_quit_says_goodbye_and_closes() -> None:
    player, _ = seated(BOARD)
    player.send(FLAG, BACK)
    player.choose("Quit")
    assert not player.is_connected
    assert (player.members["last"], player.message) == (True, "Goodbye.")
    assert player.members["menu"] is None
    player.take_effects()
    player.hang_up()
    assert player.take_effects() == []


def test_one_goes_back_from_a_custom_board_to_the_list(player: Player) -> None:
    player.choose("New game")
    player.choose("Custom")
    player.send(BACK)
    assert player.screen == "boards"


class TestLastBoard:
    def test_what_was_played_last_is_offered_first_however_it_was_begun(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(40, 12, 2), Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        player = backstage.player()
        player.send(UNDECIDED)
        player.choose("New game")
        player.send(OpenMenu("boards"))
        assert player.members["menu"]["selected"] == "last"
        assert player.row("Last board")["value"].startswith("medium 40x12, 120 mines")
        player.choose("Last board")
        assert player.entry("label") == "medium 40x12"

    def test_one_that_is_listed_anyway_is_selected_there(self, player: Player) -> None:
        player.send(Start(20, 10, 1), OpenMenu("boards"))
        assert player.members["menu"]["selected"] == "default"

    def test_the_menu_names_it_before_it_is_asked_for(self, player: Player) -> None:
        player.send(Start(40, 12, 2), BACK)
        assert player.row("New game")["value"] == "medium 40x12, 120 mines, flags win"

    def test_a_board_that_was_not_played_is_not_remembered(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(40, 12, 2), Command.MOVE_RIGHT)
        assert backstage.held().document.settings["last_board"] == "custom 3x3 1 classic"


class TestSeedCode:
    CODE = format_seed_code(Setup(level_variant(Size(9, 9), Level.EASY), seed=SEED))

    def show(self, player: Player) -> str:
        player.send(OpenMenu("code"))
        return player.choose("Code of this board")

    def test_it_is_shown_once_the_game_is_over(self, player: Player) -> None:
        player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK)
        self.show(player)
        assert player.members["page"]["id"] == "code"

    def test_before_that_its_price_is_named(self, player: Player) -> None:
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert self.CODE not in self.show(player)
        player.choose("Show it")
        assert self.CODE in player.text

    def test_who_does_not_pay_it_does_not_see_the_code(self, player: Player) -> None:
        player.send(Start(9, 9, 1))
        self.show(player)
        player.choose("Not now")
        assert player.screen == "code"

    def test_the_game_is_stored_as_the_repeat_that_it_has_become(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        self.show(player)
        player.choose("Show it")
        kept = backstage.running
        assert kept.setup.variant.is_repeat

    def test_a_board_that_follows_from_no_seed_has_none(self, player: Player) -> None:
        self.show(player)
        assert player.message == "This board was laid for you and has no seed code."


def test_a_save_can_be_made_and_loaded_from_one_list(player: Player) -> None:
    player.send(BACK, Save("one"))
    player.open("Saves")
    assert player.items == ["Save this game", "one"]
