"""The menus a player meets, and what their items do."""

import pytest

from jminesweeper.core import Cell
from jminesweeper.protocol import Command, PatchFlag, ScreenPatch
from jminesweeper.session import Close, Jot, SessionConfig, Tip
from jminesweeper.store.ports import PutSettings
from tests.unit.session.backstage import ANONYMOUS, ANSI, CONFIG, PLAIN, Backstage, seated
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
    assert [*items(player)] == ["New game", "Board of the day", "Settings", "Help", "Quit"]
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
    assert player.text.startswith("JMinesweeper beginner 2001-09-09 9x9")


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


class TestSettings:
    @pytest.mark.requirement("C:Settings Menu")
    def test_each_can_be_changed_and_is_kept_at_once(self, player: Player) -> None:
        choose(player, "Settings")
        player.take_effects()
        names = [*items(player)]
        for name in names:
            before = player.text
            choose(player, name)
            assert player.text != before, name
        writes = player.take_effects()
        assert len(writes) == len(names) == 12
        assert all(
            isinstance(write, Jot) and isinstance(write.operation, PutSettings) for write in writes
        )

    @pytest.mark.requirement("C:Settings Menu")
    def test_they_make_the_next_game(self, player: Player) -> None:
        choose(player, "Settings")
        player.send(Command.MOVE_LEFT)
        for _ in range(3):
            player.send(Command.MOVE_DOWN)
            player.send(*[Command.MOVE_LEFT] * 5)
        player.send(Command.MENU)
        choose(player, "New game")
        choose(player, "Custom")
        assert (player.entry("size"), player.entry("mines")) == ("25x15", "125")

    def test_a_value_at_its_end_is_not_kept_again(self, player: Player) -> None:
        choose(player, "Settings")
        player.send(Command.MOVE_DOWN, *[Command.MOVE_RIGHT] * 225)
        player.take_effects()
        player.send(Command.MOVE_RIGHT)
        assert player.take_effects() == []

    def test_without_a_key_they_last_as_long_as_the_session(self) -> None:
        player = Backstage().player(CONFIG)
        player.send(ANONYMOUS)
        choose(player, "Settings")
        choose(player, "Board")
        assert player.take_effects() == []
        player.send(Command.MENU)
        assert "intermediate" in player.text

    def test_looks_change_the_screen_at_once(self) -> None:
        backstage = Backstage()
        player = backstage.player()
        player.send(PLAIN)
        choose(player, "Settings")
        choose(player, "Colours")
        player.send(ANSI)
        player.send(Command.MOVE_RIGHT)
        last = player.replies[-1]
        assert isinstance(last, ScreenPatch)
        assert last.flags & PatchFlag.FULL_REPAINT
