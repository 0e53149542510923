"""Settings, chosen in a menu."""

import pytest

from jminesweeper.protocol.packets import OpenMenu, Pick
from tests.world.player import BACK, Player
from tests.world.server import ANONYMOUS, CONFIG, KNOWN, World, seated


@pytest.fixture
def player() -> Player:
    player, _ = seated("*..\n...\n...")
    player.send(OpenMenu("settings"))
    player.start_counting()
    return player


def custom(player: Player) -> None:
    """Open the menu of a board of one's own."""
    player.do(OpenMenu("boards"), "Custom")


@pytest.mark.requirement("C:Settings Menu")
def test_each_can_be_changed_and_is_kept_at_once(player: Player) -> None:
    number = 0
    for menu, count in (("settings", 5), ("rules", 4)):
        if menu == "rules":
            player.choose("Other rules")
        rows = [row for row in player.members["menu"]["rows"] if row.get("kind") == "choice"]
        assert len(rows) == count
        for row in rows:
            other = next(value for value in row["choices"] if value != row["value"])
            player.choose(row["label"], other)
            assert player.row(row["label"])["value"] == other
            number += 1
            assert len(player.writes) == number


def test_each_has_a_line_that_explains_it(player: Player) -> None:
    rows = player.members["menu"]["rows"]
    assert all(row.get("help") or row["kind"] == "heading" for row in rows)


def test_how_a_game_looks_is_not_the_servers(player: Player) -> None:
    assert not {"Colours", "Characters", "Cell size"} & {*player.items}


@pytest.mark.requirement("C:Settings Menu")
def test_they_make_the_next_game(player: Player) -> None:
    player.do("Other rules", ("Kind of game", "open or flag all"), OpenMenu("boards"), "Beginner")
    assert player.entry("aim") == "Open every safe cell, or flag every mine."


def test_a_value_that_stays_is_not_kept_again(player: Player) -> None:
    player.choose("Pace", "off")
    assert player.world.operations == []


def test_without_a_key_they_last_as_long_as_the_session() -> None:
    player = World().player(CONFIG)
    player.do(ANONYMOUS, OpenMenu("settings"), ("Pace", "on"))
    assert player.world.operations == []
    player.send(BACK, OpenMenu("settings"))
    assert player.row("Pace")["value"] == "on"


@pytest.mark.requirement("C:Settings Menu")
def test_numbers_make_a_board_of_ones_own(player: Player) -> None:
    custom(player)
    player.do(("Columns", "45"), ("Rows", "12"), ("Mines", "200"))
    assert player.row("Begin")["value"].startswith("custom 45x12, 200 mines")
    player.do("Begin").sees({"size": "45x12", "mines": "200"})


@pytest.mark.parametrize(
    ("label", "typed", "value"),
    [
        ("Columns", "999", "255"),
        ("Columns", "0", "1"),
        ("Columns", "005", "5"),
        ("Rows", "3000", "255"),
        ("Mines", "9" * 255, "599"),
        ("Mines", "7x8", "130"),
        ("Mines", "", "130"),
        ("Mines", "\u0664", "130"),
        ("Mines", "-1", "130"),
    ],
)
def test_a_number_out_of_range_becomes_the_end_of_it(
    player: Player, label: str, typed: str, value: str
) -> None:
    custom(player)
    player.choose(label, typed)
    assert player.row(label)["value"] == value


def test_a_number_says_what_it_may_be(player: Player) -> None:
    custom(player)
    assert player.row("Columns")["range"] == [1, 255]
    assert player.row("Mines")["range"] == [1, 599]
    player.choose("Columns", "1")
    assert player.row("Mines")["range"] == [1, 19]


def test_a_name_is_typed_and_kept() -> None:
    world = World()
    player = world.player().do(KNOWN, OpenMenu("settings"))
    player.do(("Name", " Zo\u00eb\u2800\x1b")).sees({"message": "You are Zo\u00eb from now on."})
    assert player.row("Name")["value"] == "Zo\u00eb"
    assert world.held().document.name == "Zo\u00eb"
    player.do(("Name", "")).sees({"message": "You are anonymous from now on."})
    assert world.held().document.name == ""


def test_who_has_no_key_has_no_name() -> None:
    player = World().player(CONFIG)
    player.send(ANONYMOUS, OpenMenu("settings"), Pick("settings", "name", "Zoe"))
    assert player.members["message"]["id"] == "changed.menu"
    assert "Name" not in player.items
