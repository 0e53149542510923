"""Saving the game at hand, in passing or under a name that is typed."""

from typing import Any

import pytest

from jminesweeper.protocol.packets import Load, MoveTo, OpenMenu, Save, Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.documents import Label
from jminesweeper.records.limits import MAX_NAMED_SAVES
from jminesweeper.session.messages import LONGEST_NAME
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.player import BACK, Player, Step, case, table
from tests.world.server import KNOWN, World, seated

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)
SAVE = (BACK, "Saves", "Save this game")
LOST = (Start(1, 1, 1), Command.REVEAL)


def only_save(world: World) -> Label:
    """Return the one save there is, as the list shows it."""
    (label,) = world.held().document.saves.values()
    return label


def offered(player: Player) -> str:
    """Return the name that is offered."""
    value: str = player.row("Name")["value"]
    return value


@table(
    [
        case(
            "one without a name has one all the same",
            Save("\x07"),
            message="Saved as quick save.",
            saves=["quick save"],
        ),
        case(
            "a paused game stays paused",
            *(Command.PAUSE, Save("one")),
            state="paused",
            message="Saved as one.",
        ),
        case(
            "a game that is over is not saved",
            *LOST,
            Save("a"),
            message="There is no game to save.",
        ),
        case(
            "a name is typed and the list comes back",
            *(*SAVE, ("Name", "my game")),
            screen="saves",
            message="Saved as my game.",
            items=["Save this game", "my game"],
            saves=["my game"],
        ),
        case("who goes back saves nothing", *SAVE, BACK, items=["Save this game"], saves=[]),
        case("an empty name is refused", *SAVE, ("Name", ""), message="Type a name.", saves=[]),
        case(
            "so is a blank one", *SAVE, ("Name", " \x1b\n\u202e"), message="Type a name.", saves=[]
        ),
        case(
            "a name that is taken is not taken away unasked",
            *(Save("one"), Start(9, 9, 1), *SAVE, ("Name", "one")),
            screen="replace",
        ),
        case(
            "but may be replaced",
            *(Save("one"), Start(9, 9, 1), *SAVE, ("Name", "one"), "Choose another name"),
            *(("Name", "one"), "Replace it"),
            message="Saved as one.",
            saves=["one"],
        ),
    ]
)
@pytest.mark.requirement("C:Standard Controls")
def test_a_save(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player, _ = seated(BOARD)
    player.do(*steps).sees(seen)


def test_the_board_the_progress_and_the_time_are_saved_with_the_game() -> None:
    player, world = seated(BOARD)
    player.do(MoveTo(1, 1), Command.REVEAL, 90_000, Save("half"))
    label = only_save(world)
    assert (label.variant.label, int(100 * label.opened_share)) == ("custom 3x3", 14)
    assert (label.clock_ms, label.saved_at_s) == (90_000, 1_000_000_091)


class TestTheNameThatIsOffered:
    def test_it_says_what_is_played_and_is_another_for_another_game(self) -> None:
        player, world = seated(BOARD)
        player.do(*SAVE)
        assert offered(player) == "custom 3x3"
        for _ in range(2):
            player.do(("Name", offered(player)), OpenMenu("boards"), "Same board again", *SAVE)
        assert offered(player) == "custom 3x3 3"
        assert sorted(world.saves) == ["custom 3x3", "custom 3x3 2"]

    def test_a_game_keeps_its_name_unless_that_was_none(self) -> None:
        player, world = seated(BOARD)
        player.do(Save(""), *SAVE)
        assert offered(player) == "custom 3x3"
        player.do(("Name", "one"), "Save this game")
        assert offered(player) == "one"
        player.do(("Name", "one")).sees({"message": "Saved as one."})
        assert sorted(world.saves) == ["one", "quick save"]

    def test_a_loaded_game_has_the_name_of_its_save(self) -> None:
        player, _ = seated(BOARD)
        assert offered(player.do(Save("half"), Load("half"), *SAVE)) == "half"


def test_a_long_and_hostile_name_is_cut_and_cleaned() -> None:
    player, world = seated(BOARD)
    player.do(*SAVE, ("Name", "\x1b]0;evil\x07abcdefghij" * 10))
    (name,) = world.saves
    assert (len(name), name.isprintable()) == (LONGEST_NAME, True)
    assert name.startswith("]0;evilabcdefghij]0;evil")


def test_the_longest_name_can_be_dropped() -> None:
    player, world = seated(BOARD)
    player.do(Save("\U0001f4a3" * LONGEST_NAME), OpenMenu("saves"))
    player.drop("\U0001f4a3" * LONGEST_NAME)
    player.choose("Delete it")
    assert world.saves == []


def test_a_store_that_is_full_asks_for_the_name_again() -> None:
    player, world = seated(BOARD)
    player.do(*(Save(f"save {number}") for number in range(MAX_NAMED_SAVES)))
    player.do(*SAVE, ("Name", "one more"))
    assert "delete one first" in player.message
    assert player.screen == "save"
    assert len(world.saves) == MAX_NAMED_SAVES


def test_a_name_that_another_device_takes_meanwhile_is_not_taken_away_unasked() -> None:
    player, world = seated(BOARD)
    player.do(*SAVE)
    world.player().do(KNOWN, Save("one")).sees({"message": "Saved as one."})
    taken = {"message": "Another device has just saved a game under this name."}
    player.do(("Name", "one")).sees({"screen": "save", **taken})
    player.do(("Name", "one")).sees({"screen": "replace"})


def test_without_the_list_of_saves_no_name_is_asked_for() -> None:
    player, world = seated(BOARD)
    player.send(BACK)
    world.fault = DOWN
    player.do("Saves").sees({"screen": "main", "message": str(DOWN)})
