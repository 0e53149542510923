"""The menus a player meets, and what their items do."""

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import Level
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import level_variant
from jminesweeper.protocol.packets import Hello, Jump, MoveTo, Save, Start, Text, Undo
from jminesweeper.protocol.vocabulary import Command, JumpTo, PatchFlag
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FoundHint
from jminesweeper.store import FindPlayer
from tests.unit.session.backstage import ADA, ANONYMOUS, UNDECIDED, seated
from tests.unit.session.player import SEED, Player

BOARD = "*..\n...\n..."


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    return player


@pytest.mark.requirement("C:Standard Controls")
def test_everything_can_be_chosen_while_a_game_runs(player: Player) -> None:
    assert player.items == [
        "Continue",
        "New game",
        "Board of the day",
        "Enter a seed code",
        "Same board again",
        "Undo",
        "Hint",
        "Save",
        "Load",
        "Statistics",
        "Best times",
        "Seed code of this board",
        "Settings",
        "Play this game elsewhere",
        "Bring a game here",
        "Help",
        "Quit",
    ]


def test_before_the_first_game_of_somebody_without_a_key_there_is_less() -> None:
    player = Player(SessionConfig())
    player.send(ANONYMOUS)
    assert player.items == [
        "New game",
        "Board of the day",
        "Enter a seed code",
        "Settings",
        "Help",
        "Quit",
    ]
    assert player.text.count("\n>  2. New game") == 1


@pytest.mark.requirement("C:Difficulty Selection", "C:Difficulty Levels")
@pytest.mark.parametrize(
    ("label", "size", "mines"),
    [
        ("Beginner", "9x9", "10"),
        ("Intermediate", "16x16", "40"),
        ("Expert", "30x16", "99"),
        ("Default", "20x10", "10"),
        ("Hard", "30x20", "270"),
    ],
)
def test_a_board_is_chosen_and_begun(player: Player, label: str, size: str, mines: str) -> None:
    player.choose("New game")
    player.choose(label)
    assert (player.entry("size"), player.entry("mines")) == (size, mines)
    assert player.entry("state") == "playing"


def test_the_board_chosen_last_is_the_one_offered_first(player: Player) -> None:
    player.choose("New game")
    player.choose("Expert")
    player.send(Command.MENU)
    player.choose("New game")
    assert ">  3. Expert" in player.text


def test_the_board_of_the_day_is_begun(player: Player) -> None:
    player.choose("Board of the day")
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")


def test_the_board_of_a_code_is_begun(player: Player) -> None:
    player.choose("Enter a seed code")
    code = format_seed_code(Setup.of("intermediate", seed=5))
    player.send(Text(code), Command.REVEAL)
    assert (player.entry("size"), player.entry("mines")) == ("16x16", "40")
    assert player.entry("aim").endswith("Seen before, so not ranked.")


@pytest.mark.parametrize("typed", ["", "no code"])
def test_an_invalid_code_is_reported_where_it_was_typed(player: Player, typed: str) -> None:
    player.choose("Enter a seed code")
    player.send(Text(typed), Command.REVEAL)
    assert player.entry("message") == "Invalid seed code; check for typos."
    assert f"Seed code  [{typed}]" in player.text


def test_a_code_that_comes_without_a_menu_is_played(player: Player) -> None:
    code = format_seed_code(Setup.of(Size(7, 5), 6, "formal", seed=99))
    player.send(Command.MENU, Text(code))
    assert player.entry("size") == "7x5"


def test_a_code_asks_before_it_ends_a_game(player: Player) -> None:
    code = format_seed_code(Setup.of(Size(7, 5), 6, "formal", seed=99))
    player.send(Command.MENU, MoveTo(1, 0), Command.REVEAL, Text(code))
    assert "Give up this game?" in player.text


def test_what_is_no_code_and_no_key_says_so(player: Player) -> None:
    player.send(Command.MENU, Text("ab"))
    assert player.entry("message") == "Invalid seed code; check for typos."


def test_a_single_character_without_a_menu_does_nothing(player: Player) -> None:
    before = player.send(Command.MENU)
    assert player.send(Text("7")) == before


@pytest.mark.parametrize("label", ["Enter a seed code", "New game", "Settings", "Load", "Save"])
def test_esc_leads_back_to_the_menu_and_from_there_to_the_game(player: Player, label: str) -> None:
    if label == "Load":
        player.send(Command.MENU, Save("one"), Command.MENU)
    player.choose(label)
    assert label not in player.items
    player.send(Command.MENU)
    assert label in player.items
    player.send(Command.MENU)
    assert player.board.splitlines()[0] == "F??"


def test_a_code_waits_for_who_does_not_give_the_game_up(player: Player) -> None:
    player.send(Command.MENU, MoveTo(2, 1), Command.REVEAL, Command.TOGGLE_BOMB_MARK)
    player.send(Undo(1), MoveTo(1, 0), Command.REVEAL, Command.MENU)
    player.choose("Enter a seed code")
    player.send(Text(format_seed_code(Setup.of("intermediate", seed=5))), Command.REVEAL)
    assert player.text.startswith("JMinesweeper Give up this game?\n")
    player.send(Command.MENU)
    assert player.text.startswith("JMinesweeper Enter a seed code\n")


def test_the_same_board_is_a_repeat(player: Player) -> None:
    player.choose("Same board again")
    assert player.entry("aim").endswith("Seen before, so not ranked.")
    assert player.entry("size") == "3x3"


def test_undo_closes_the_menu_and_takes_back(player: Player) -> None:
    player.choose("Undo")
    assert player.board.splitlines()[0] == "???"


def test_a_hint_closes_the_menu_and_is_shown() -> None:
    player, backstage = seated(BOARD)
    backstage.hints.append(FoundHint("Here.", Cell(1, 1), 1))
    player.send(Command.MENU)
    player.choose("Hint")
    assert player.entry("message") == "Here."


def test_the_help_is_opened(player: Player) -> None:
    assert "move the cursor" in player.choose("Help")


def test_the_help_is_read_to_its_end_on_a_small_screen(player: Player) -> None:
    player.send(Hello(40, 12))
    assert "not ranked" not in player.send(Command.HELP)
    player.send(Jump(JumpTo.BOTTOM))
    assert "not ranked" in player.text
    assert "not ranked" not in player.send(Command.MOVE_UP, Command.MOVE_UP)


def test_quit_says_goodbye_and_closes() -> None:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    player.choose("Quit")
    assert not player.is_connected
    assert player.patch.flags & PatchFlag.LAST_SCREEN
    assert b"Goodbye." in player.patch.text
    player.take_effects()
    player.hang_up()
    assert player.take_effects() == []


def test_a_custom_board_is_asked_for_on_the_spot_and_nothing_begins_before(player: Player) -> None:
    player.choose("New game")
    player.choose("Custom")
    assert player.text.startswith("JMinesweeper Custom board")
    player.send(Command.MOVE_DOWN, Text("7"), Command.MOVE_DOWN, Text("6"))
    player.send(Command.MOVE_DOWN, Text("5"))
    assert "Begin  custom 7x6, 5 mines" in player.text
    player.choose("Begin")
    assert (player.entry("size"), player.entry("mines")) == ("7x6", "5")


def test_esc_leads_from_a_custom_board_back_to_the_list(player: Player) -> None:
    player.choose("New game")
    player.choose("Custom")
    assert player.send(Command.MENU).startswith("JMinesweeper New game")


class TestLastBoard:
    def test_what_was_played_last_is_offered_first_however_it_was_begun(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(40, 12, 2), Command.TOGGLE_BOMB_MARK)
        player.hang_up()
        player = backstage.player()
        player.send(UNDECIDED, Command.MOVE_DOWN, Command.REVEAL)
        player.choose("New game")
        assert player.selected == "1. Last board  medium 40x12, 120 mines"
        player.send(Command.REVEAL)
        assert player.text.startswith("JMinesweeper medium 40x12\n")

    def test_one_that_is_listed_anyway_is_selected_there(self, player: Player) -> None:
        player.send(Start(20, 10, 1), Command.MENU)
        player.choose("New game")
        assert player.selected.startswith("4. Default")

    def test_the_menu_names_it_before_it_is_asked_for(self, player: Player) -> None:
        player.send(Start(40, 12, 2), Command.MENU)
        assert "New game  < medium 40x12, 120 mines >" in player.text
        player.send(Command.MOVE_DOWN, Command.MOVE_RIGHT)
        assert "New game  < intermediate 16x16, 40 mines >" in player.text

    def test_one_that_the_menu_was_turned_to_comes_before_it(self, player: Player) -> None:
        player.send(Start(20, 10, 1), Command.MENU, Command.MOVE_DOWN, Command.MOVE_RIGHT)
        player.send(Command.REVEAL)
        assert player.selected.startswith("2. Intermediate")

    def test_a_board_that_was_not_played_is_not_remembered(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(40, 12, 2), Command.MOVE_RIGHT)
        assert backstage.look(FindPlayer(ADA)).settings["last_board"] == "custom 3x3 1 classic"


class TestSeedCode:
    CODE = format_seed_code(Setup(level_variant(Size(9, 9), Level.EASY), seed=SEED))

    def test_it_is_shown_once_the_game_is_over(self, player: Player) -> None:
        player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        player.choose("Seed code of this board")
        assert player.text.startswith("JMinesweeper Seed code\n")

    def test_before_that_its_price_is_named(self, player: Player) -> None:
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        player.choose("Seed code of this board")
        assert self.CODE not in player.text
        player.choose("Show it")
        assert self.CODE in player.text
        player.send(Command.MENU, Command.MENU)
        assert player.entry("aim").endswith("Seen before, so not ranked.")

    def test_who_does_not_pay_it_does_not_see_the_code(self, player: Player) -> None:
        player.send(Start(9, 9, 1), Command.MENU)
        player.choose("Seed code of this board")
        player.choose("Not now")
        assert player.selected.endswith("Seed code of this board")
        player.send(Command.MENU)
        assert "not ranked" not in player.entry("aim")

    def test_the_game_is_stored_as_the_repeat_that_it_has_become(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        player.choose("Seed code of this board")
        player.choose("Show it")
        kept = backstage.claim().game
        assert kept is not None
        assert kept.setup.variant.is_repeat

    def test_a_board_that_follows_from_no_seed_has_none(self, player: Player) -> None:
        player.choose("Seed code of this board")
        assert player.entry("message") == messages.NO_CODE
