"""Pauses: the board is hidden, the clock stops, and nothing can be done."""

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Hint, MoveTo, OpenMenu, Packet, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from tests.world.player import BACK, SEEN, Player, Step, case, table
from tests.world.server import KNOWN, World, alone, seated

BOARD = "*..\n...\n...\n..*"
OPEN = Act(1, 0, Button.REVEAL, SEEN)
PAUSE, LOOK, FLAG = Command.PAUSE, Command.REFRESH, Command.TOGGLE_BOMB_MARK
HELP = OpenMenu("help")


@pytest.fixture
def player() -> Player:
    player, _ = seated(BOARD)
    player.send(OPEN)
    return player


@table(
    [
        case(
            "it hides the board and stops the clock",
            *(3_000, PAUSE, 60_000, LOOK),
            state="paused",
            clock="3 s",
            message="Paused.",
        ),
        case(
            "the game continues where it was",
            *(3_000, PAUSE, 60_000, PAUSE, 1_000, LOOK),
            state="playing",
            clock="4 s",
            top="?1?",
        ),
        case("news are shown", Save("one"), PAUSE, Save("two"), message="Saved as two."),
        case("until the next key", PAUSE, Save("two"), Command.MOVE_RIGHT, message="Paused."),
        case("with which it is no longer paused", PAUSE, Save("two"), PAUSE, message=""),
        case("what is over is not paused", Act(0, 0, Button.REVEAL, SEEN), PAUSE, state="lost"),
        case("a new game is not paused", PAUSE, Start(9, 9, 1), state="playing"),
        case(
            "the clock stops below the first layer",
            *(1_000, BACK, 5_000, HELP, 5_000, HELP, 5_000, BACK),
            state="playing",
            clock="1 s",
        ),
        case("and runs after the last", 1_000, BACK, 5_000, BACK, 1_000, LOOK, clock="2 s"),
        case(
            "a game that its player paused stays paused below a menu",
            *(PAUSE, BACK, HELP, HELP, BACK),
            state="paused",
        ),
        case("until its player continues", PAUSE, BACK, BACK, PAUSE, state="playing"),
    ]
)
def test_a_pause(player: Player, steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player.do(*steps).sees(seen)


def test_only_keys_that_do_something_are_named(player: Player) -> None:
    player.send(PAUSE)
    assert player.members["keys"] == ["resume", "help", "menu", "quit"]


@pytest.mark.parametrize(
    "packet",
    [
        Command.REVEAL,
        FLAG,
        Command.TOGGLE_DEBUG_MODE,
        Hint(0, 0),
        Command.MOVE_DOWN,
        MoveTo(2, 2),
        Act(0, 3, Button.REVEAL, SEEN),
        Undo(1),
    ],
)
def test_nothing_can_be_done_meanwhile(player: Player, packet: Packet) -> None:
    before = player.text
    player.send(PAUSE)
    player.start_counting()
    player.send(packet)
    assert player.writes == []
    assert player.send(PAUSE).text == before


def test_without_a_game_there_is_nothing_to_pause() -> None:
    player = alone()
    before = player.send(Command.MOVE_LEFT).text
    assert player.send(PAUSE).text == before


def test_the_clock_of_a_game_that_has_not_begun_does_not_run() -> None:
    player, _ = seated(BOARD)
    player.do(BACK, 60_000, BACK, 60_000, LOOK).sees({"clock": "0 s"})


@table(
    [
        case("a paused game is paused", PAUSE, state="paused"),
        case("one paused below a menu is paused", PAUSE, BACK, state="paused", screen="game"),
        case("one left from within a menu runs", BACK, state="playing", screen="game"),
        case("one left from within a page runs", HELP, state="playing", screen="game"),
        case("one left from a page in a menu runs", BACK, HELP, state="playing", screen="game"),
        case("one that was quit from the menu runs", BACK, "Quit", state="playing"),
    ]
)
def test_coming_back(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    world = World()
    first = world.player().do(KNOWN, Start(9, 9, 1), FLAG, *steps)
    first.hang_up()
    second = world.player()
    second.do(60_000, KNOWN).sees(seen)
    if seen["state"] == "paused":
        second.do(60_000, PAUSE).sees({"clock": "0 s"})
    else:
        second.do(2_000, LOOK).sees({"clock": "2 s"})


def test_a_save_made_from_a_menu_is_not_paused_by_it() -> None:
    player, world = seated(BOARD)
    player.do(MoveTo(1, 0), Command.REVEAL, BACK, "Saves", "Save this game", ("Name", "one"))
    kept = world.save("one")
    assert (kept.is_paused, kept.cursor) == (False, Cell(1, 0))
