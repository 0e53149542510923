"""Settings, chosen in a menu."""

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import Text
from jminesweeper.protocol.vocabulary import Command, PatchFlag
from jminesweeper.store import FindPlayer, PutPlayer
from tests.unit.session.backstage import ADA, ANONYMOUS, ANSI, CONFIG, PLAIN, Backstage, seated
from tests.unit.session.player import Player

BOARD = "*..\n...\n..."


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_BOMB_MARK, Command.MENU)
    return player


@pytest.mark.requirement("C:Settings Menu")
def test_each_can_be_changed_and_is_kept_at_once(player: Player) -> None:
    player.choose("Settings")
    player.take_effects()
    names = player.items
    for name in names:
        before = player.text
        player.choose(name)
        assert player.text != before, name
    # The name is typed, not turned.
    assert [type(note) for note in player.notes] == [PutPlayer] * (len(names) - 1)
    assert player.writes == []


@pytest.mark.requirement("C:Settings Menu")
def test_they_make_the_next_game(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_LEFT)
    for _ in range(3):
        player.send(Command.MOVE_DOWN)
        player.send(*[Command.MOVE_LEFT] * 5)
    player.send(Command.MENU)
    player.choose("New game")
    player.choose("Custom")
    player.choose("Begin")
    assert (player.entry("size"), player.entry("mines")) == ("25x15", "125")


def test_a_value_at_its_end_is_not_kept_again(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, *[Command.MOVE_RIGHT] * 225)
    player.take_effects()
    player.send(Command.MOVE_RIGHT)
    assert player.take_effects() == []


def test_without_a_key_they_last_as_long_as_the_session() -> None:
    player = Backstage().player(CONFIG)
    player.send(ANONYMOUS)
    player.choose("Settings")
    player.choose("Board")
    assert player.take_effects() == []
    player.send(Command.MENU)
    assert "intermediate" in player.text


def test_looks_change_the_screen_at_once() -> None:
    backstage = Backstage()
    player = backstage.player()
    player.send(PLAIN)
    player.choose("Settings")
    player.choose("Colours")
    player.send(ANSI)
    player.send(Command.MOVE_RIGHT)
    assert player.patch.flags & PatchFlag.FULL_REPAINT


def test_a_preview_shows_how_cells_look() -> None:
    backstage = Backstage()
    player = backstage.player()
    player.send(PLAIN)
    player.choose("Settings")
    player.send(replace(ANSI, colours=2, glyphs=1))
    row = next(line for line in player.text.splitlines() if "B⚑" in line)
    assert "2⚑" in row
    assert "B*" in row


def values(player: Player) -> list[str]:
    """The values of the settings, from the first on."""
    return [line.split("< ")[1].split(" >")[0] for line in player.text.splitlines() if "< " in line]


@pytest.mark.requirement("C:Settings Menu")
def test_numbers_are_typed_one_after_the_other(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, Text("4"), Text("5"), Command.REVEAL)
    player.send(Text("1"), Text("2"), Command.REVEAL, Text("2"), Text("0"), Text("0"))
    assert values(player)[1:4] == ["45", "12", "200"]
    player.send(Command.REVEAL)
    assert ">  5. Rules" in player.text


def test_a_number_may_begin_with_zeros(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, Text("0"), Text("0"), Text("5"))
    assert values(player)[1] == "5"
    player.send(Text("0"))
    assert values(player)[1] == "50"


def test_a_number_that_was_not_typed_goes_up_by_a_press_as_other_values_do(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, Command.REVEAL, Command.REVEAL)
    assert values(player)[1] == "32"


@pytest.mark.parametrize(
    ("down", "typed", "value"),
    [
        (1, "999", "255"),
        (1, "0", "1"),
        (2, "3000", "255"),
        (3, "9999999", "599"),
        (3, "7x8", "130"),
    ],
)
def test_a_number_out_of_range_becomes_the_end_of_it(
    player: Player, down: int, typed: str, value: str
) -> None:
    player.choose("Settings")
    player.send(*[Command.MOVE_DOWN] * down, Text(typed))
    assert values(player)[down] == value


def test_a_number_erased_to_nothing_is_the_least_and_typed_anew(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN, *[Command.ERASE] * 5)
    assert values(player)[1] == "1"
    player.send(Text("2"), Text("8"))
    assert values(player)[1] == "28"


def test_a_number_says_what_it_may_be(player: Player) -> None:
    player.choose("Settings")
    player.send(Command.MOVE_DOWN)
    assert player.entry("note") == "Type a number: 1 to 255."
    player.send(Command.MOVE_DOWN, Command.MOVE_DOWN)
    assert player.entry("note") == "Type a number: 30x20 has 1 to 599."


def test_a_name_is_typed_and_kept() -> None:
    backstage = Backstage()
    player = backstage.player()
    player.send(PLAIN)
    player.choose("Settings")
    player.choose("Name")
    player.send(Text(" Zo\u00eb\u2800"), Command.REVEAL)
    assert player.entry("message") == "You are Zo\u00eb from now on."
    assert "Name  Zo\u00eb" in player.text
    assert backstage.look(FindPlayer(ADA)).name == "Zo\u00eb"
    player.choose("Name")
    player.send(*[Command.ERASE] * 3, Command.REVEAL)
    assert player.entry("message") == "You are anonymous from now on."
    assert "Name  anonymous" in player.text
    assert backstage.look(FindPlayer(ADA)).name == ""


def test_a_name_that_was_not_confirmed_is_none() -> None:
    player = Backstage().player()
    player.send(PLAIN)
    player.choose("Settings")
    player.choose("Name")
    player.take_effects()
    player.send(Text("Zoe"), Command.MENU)
    assert player.notes == []
    assert "Name  Ada" in player.text


def test_who_has_no_key_has_no_name() -> None:
    player = Backstage().player(CONFIG)
    player.send(ANONYMOUS)
    player.choose("Settings")
    assert "(Name)  anonymous" in player.text
