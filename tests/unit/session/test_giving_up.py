"""Questions before a running game is given up for something else."""

from typing import Any

import pytest

from jminesweeper.core.grid import Grid
from jminesweeper.protocol.packets import Drop, Load, MoveTo, NewGame, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Command
from tests.world.player import BACK, Player, Step, case, cells_of, minefield_of, table
from tests.world.server import ANONYMOUS, World, seated

BOARD = "*..\n...\n..*"
FLAG, REVEAL = Command.TOGGLE_BOMB_MARK, Command.REVEAL
BEGUN: tuple[Step, ...] = (MoveTo(1, 1), REVEAL)
MORE: tuple[Step, ...] = (Save("other"), FLAG, MoveTo(2, 1), REVEAL)
DAY: tuple[Step, ...] = ("Board of the day", "Beginner")
BEGINNER: tuple[Step, ...] = ("New game", "Beginner")
WAYS: dict[str, tuple[Step, ...]] = {
    "new game": BEGINNER,
    "board of the day": DAY,
    "same board": ("New game", "Same board again"),
    "code": ("Seed code", ("Play a code", "92GB-0ZF1-F1A4-3BH4")),
    "load": ("Saves", "other"),
}


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> tuple[Step, ...]:
    return WAYS[request.param]


def begun(*more: Step) -> tuple[Player, World]:
    """Somebody before the menu, whose game has been begun."""
    player, world = seated(BOARD)
    return player.do(*BEGUN, *more, BACK), world


def test_a_game_that_was_begun_is_not_given_up_unasked(way: tuple[Step, ...]) -> None:
    player, _ = begun(Save("other"), FLAG, MoveTo(0, 0), REVEAL, Undo())
    player.do(*way).sees({"screen": "give_up"})
    solved = "14 %" if "Saves" in way else "0 %"
    player.do("Give up").sees({"screen": "game", "solved": solved})


@pytest.mark.parametrize(
    "before",
    [
        (Save("other"), Start(9, 9, 1), FLAG),
        (Save("other"), MoveTo(0, 0), REVEAL),
        (Save("other"),),
    ],
    ids=["one that was only looked at", "one that has ended", "one that is saved as it is now"],
)
def test_there_is_nothing_to_ask_about(before: tuple[Step, ...], way: tuple[Step, ...]) -> None:
    player, _ = begun(*before)
    player.do(*way).sees({"screen": "game", "state": "playing"})


def test_saving_first_asks_for_a_name_and_then_begins_the_other_game(
    way: tuple[Step, ...],
) -> None:
    player, world = begun(*MORE)
    player.do(*way, "Save first").sees({"screen": "save"})
    player.do(("Name", "mine")).sees({"screen": "game"})
    assert {*world.saves} == {"mine", "other"}
    player.do(Load("mine")).sees({"solved": "28 %"})


@table(
    [
        case("an action after the save is at stake", *MORE, FLAG, BACK, *DAY, screen="give_up"),
        case("and one undone", *MORE, Save("one"), Undo(), BACK, *DAY, screen="give_up"),
        case(
            "so is what has no save any more",
            *(Save("one"), Save("two"), Save("one"), Drop("one"), BACK, *DAY),
            screen="give_up",
        ),
        case("a loaded game is not", Save("one"), Load("one"), BACK, *DAY, screen="game"),
        case(
            "before its next action",
            *(Save("one"), Load("one"), FLAG, BACK, *DAY),
            screen="give_up",
        ),
        case(
            "who keeps playing is at the board",
            *(BACK, *BEGINNER, "Keep playing"),
            screen="game",
            size="3x3",
            solved="14 %",
        ),
        case("one goes back to the menu before", BACK, *BEGINNER, BACK, screen="boards"),
        case("from the name to the question", BACK, *DAY, "Save first", BACK, screen="give_up"),
        case("and saves nothing", BACK, *DAY, "Save first", BACK, BACK, saves=[]),
        case(
            "a save that is gone gives nothing up",
            *(*MORE, BACK, "Saves", "other", Drop("other"), "Give up"),
            message="There is no such saved game.",
            screen="saves",
        ),
        case(
            "a START answers the question too",
            *(BACK, *DAY, Start(5, 5, 1)),
            screen="game",
            size="5x5",
        ),
        case("START asks nothing", Start(9, 9, 1), screen="game", solved="0 %"),
        case("nor TAB", NewGame(), screen="game", solved="0 %"),
        case("nor a board of the day", NewGame("daily beginner"), screen="game"),
    ]
)
def test_giving_up(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player, _ = seated(BOARD)
    player.do(*BEGUN, *steps).sees(seen)


@pytest.mark.parametrize("packets", [("Keep playing", BACK), (BACK, BACK)])
def test_what_is_chosen_is_kept_only_with_the_game_that_is_begun(
    packets: tuple[Step, ...],
) -> None:
    player, _ = begun()
    player.do("New game", "Expert", *packets)
    assert player.row("New game")["value"].startswith("custom 3x3, 2 mines")


def test_without_a_key_nothing_can_be_saved_and_going_on_comes_first() -> None:
    player = World().player()
    start = Start(20, 10, 1)
    safe, *_ = cells_of(field := minefield_of(start), ~field.mines & Grid.of(field.size).mask)
    player.do(ANONYMOUS, start, MoveTo(*safe), REVEAL, BACK, *DAY)
    player.sees({"screen": "give_up", "items": ["Give up", "Keep playing"]})
    assert player.members["menu"]["selected"] == "no"


def test_quitting_at_the_question_leaves_the_game_to_wait() -> None:
    player, world = begun()
    player.do(*DAY, Command.QUIT)
    kept = world.running
    assert (str(kept.setup.size), kept.length) == ("3x3", 1)
