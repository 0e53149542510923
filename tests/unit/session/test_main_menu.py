"""The menus a player meets, and what their items do."""

import pytest

from jminesweeper.core import PRESETS, Cell, Setup, Size, format_seed_code
from jminesweeper.protocol import Command, Hello, Jump, JumpTo, PatchFlag, ScreenPatch, Text
from jminesweeper.session import Close, SessionConfig, Tip
from tests.unit.session.backstage import ANONYMOUS, seated
from tests.unit.session.player import Player

BOARD = "*..\n...\n..."


def items(player: Player) -> dict[str, int]:
    """Where the items of the menu are that can be chosen."""
    found = {}
    for line in player.text.splitlines():
        number, dot, label = line[1:].partition(". ")
        if dot and number.strip().isdigit() and not label.startswith("("):
            found[label.split("  ")[0]] = int(number) - 1
    return found


def choose(player: Player, label: str) -> str:
    """Walk to an item and choose it; whatever cannot be chosen is skipped on the way."""
    labels = [*items(player)]
    (start,) = [
        number
        for number, name in enumerate(labels)
        if f">{items(player)[name] + 1:>3}. " in player.text
    ]
    downwards = (labels.index(label) - start) % len(labels)
    return player.send(*[Command.MOVE_DOWN] * downwards, Command.REVEAL)


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    return player


@pytest.mark.requirement("C:Standard Controls")
def test_everything_can_be_chosen_while_a_game_runs(player: Player) -> None:
    assert [*items(player)] == [
        "Continue",
        "New game",
        "Board of the day",
        "Enter a code",
        "Same board again",
        "Undo",
        "Hint",
        "Save",
        "Load",
        "Statistics",
        "Best times",
        "Settings",
        "Help",
        "Quit",
    ]


def test_before_the_first_game_of_somebody_without_a_key_there_is_less() -> None:
    player = Player(SessionConfig())
    player.send(ANONYMOUS)
    assert [*items(player)] == [
        "New game",
        "Board of the day",
        "Enter a code",
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
        ("Custom", "30x20", "130"),
        ("Hard", "30x20", "270"),
    ],
)
def test_a_board_is_chosen_and_begun(player: Player, label: str, size: str, mines: str) -> None:
    choose(player, "New game")
    choose(player, label)
    assert (player.entry("size"), player.entry("mines")) == (size, mines)
    assert player.entry("state") == "playing"


def test_the_board_chosen_last_is_the_one_offered_first(player: Player) -> None:
    choose(player, "New game")
    choose(player, "Expert")
    player.send(Command.MENU)
    choose(player, "New game")
    assert ">  3. Expert" in player.text


def test_the_board_of_the_day_is_begun(player: Player) -> None:
    choose(player, "Board of the day")
    assert player.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")


def test_the_board_of_a_code_is_begun(player: Player) -> None:
    choose(player, "Enter a code")
    code = format_seed_code(Setup(Size(16, 16), 40, PRESETS["classic"], seed=5))
    player.send(Text(code), Command.REVEAL)
    assert (player.entry("size"), player.entry("mines")) == ("16x16", "40")
    assert "counts as a repeat" in player.entry("message")


@pytest.mark.parametrize("typed", ["", "no code"])
def test_what_is_no_code_is_told_where_it_was_typed(player: Player, typed: str) -> None:
    choose(player, "Enter a code")
    player.send(Text(typed), Command.REVEAL)
    assert player.entry("message") == "This is no code, or there is a typing mistake in it."
    assert f"Code  [{typed}]" in player.text


def test_the_same_board_is_a_repeat(player: Player) -> None:
    choose(player, "Same board again")
    assert "counts as a repeat" in player.entry("message")
    assert player.entry("size") == "3x3"


def test_undo_closes_the_menu_and_takes_back(player: Player) -> None:
    choose(player, "Undo")
    assert player.board.splitlines()[0] == "???"


def test_a_hint_closes_the_menu_and_is_shown() -> None:
    player, backstage = seated(BOARD)
    backstage.tips.append(Tip("Here.", Cell(1, 1), 1))
    player.send(Command.MENU)
    choose(player, "Hint")
    assert player.entry("message") == "Here."


def test_the_help_is_opened(player: Player) -> None:
    assert "move the cursor" in choose(player, "Help")


def test_the_help_is_read_to_its_end_on_a_small_screen(player: Player) -> None:
    player.send(Hello(40, 12))
    assert "leaderboard" not in player.send(Command.HELP)
    player.send(Jump(JumpTo.BOTTOM))
    assert "leaderboard" in player.text
    assert "leaderboard" not in player.send(Command.MOVE_UP, Command.MOVE_UP)


def test_quit_says_goodbye_and_closes() -> None:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    choose(player, "Quit")
    assert not player.is_connected
    assert player.take_effects()[-1] == Close()
    last = player.replies[-1]
    assert isinstance(last, ScreenPatch)
    assert last.flags & PatchFlag.LAST_SCREEN
    assert b"Goodbye." in last.text
    player.hang_up()
    assert player.take_effects() == []
