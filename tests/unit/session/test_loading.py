"""The games that a player has saved."""

from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.actions import pack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Drop, Load, MoveTo, OpenMenu, Save, Start
from jminesweeper.protocol.vocabulary import Command, Feature
from jminesweeper.records.games import drop_save
from jminesweeper.session.reply import Rebuild
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.games import NOW_S, Kept, flagged, waiting
from tests.world.player import BACK, Player, Step, case, table
from tests.world.server import ANONYMOUS, KNOWN, World, seated

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)
BROKEN = replace(waiting(BOARD), entries=b"\xff" * 8)
"""A game whose log makes no sense."""
FLAG, REVEAL, PAUSE = Command.TOGGLE_BOMB_MARK, Command.REVEAL, Command.PAUSE
NONE = "There is no such saved game."
UNREADABLE = "That game can no longer be read."


def saved(*names: str) -> tuple[Player, World]:
    """Somebody with saves, the first one latest, who is looking at the list of them."""
    player, world = seated(BOARD)
    for name in reversed(names):
        player.send_after(1_000, Save(name))
    player.send(OpenMenu("saves"))
    return player, world


def names(player: Player) -> list[str]:
    """Return the saves that are listed."""
    return [label for label in player.items if label != "Save this game"]


def ended() -> Kept:
    """Write down a game that was lost."""
    game = Game(waiting(BOARD).setup)
    game.reveal(Cell(0, 0), 0)
    return replace(waiting(BOARD), entries=pack_entries(game.log.entries))


@table(
    [
        case(
            "one is loaded by name",
            *(FLAG, MoveTo(2, 1), Save("half"), MoveTo(1, 0), REVEAL, Load(" half")),
            board="F??\n???\n???",
            cursor="2 1",
            message="Loaded, not ranked. Your custom game is kept under Saves.",
        ),
        case("an unknown one is reported", Load("none"), message=NONE, state="playing"),
        case(
            "one that was paused runs at once",
            *(FLAG, PAUSE, Save("half"), Load("half"), 2_000, Command.REFRESH),
            state="playing",
            clock="2 s",
        ),
        case(
            "one that is chosen continues",
            *(Save("first"), Save("second"), OpenMenu("saves"), "second"),
            screen="game",
            message="Loaded. A loaded game is not ranked.",
        ),
        case(
            "one is deleted by name",
            *(Save("one"), Drop("two"), Drop("one\n")),
            message="one is deleted.",
            saves=[],
        ),
        case("no other one is", Save("one"), Drop("two"), message=NONE, saves=["one"]),
        case(
            "one that is named leaves the list that is shown",
            *(Save("first"), Save("second"), OpenMenu("saves"), Drop("second")),
            items=["Save this game", "first"],
        ),
    ]
)
@pytest.mark.requirement("C:Standard Controls")
def test_a_saved_game(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player, _ = seated(BOARD)
    player.do(*steps).sees(seen)


class TestLoading:
    def test_what_is_loaded_is_a_game_of_its_own(self) -> None:
        player, world = seated(BOARD)
        player.send(FLAG, Save("half"), FLAG, MoveTo(1, 0), REVEAL, Load("half"))
        assert world.running.setup.variant.is_repeat
        assert world.running.cursor == Cell(0, 0)
        assert [game.status for game in world.finished] == [Status.TERMINATED]

    def test_saves_are_listed_with_board_progress_time_and_day(self) -> None:
        player, _ = seated(BOARD)
        player.do(MoveTo(1, 1), REVEAL, 75_000, Save("half"), OpenMenu("saves"))
        row = player.row("half")
        assert row["figures"] == ["custom 3x3", "14 %", "1:15", "2001-09-09"]
        assert row["help"] == "half: custom 3x3, 14 %, 1:15, 2001-09-09"

    def test_one_that_somebody_has_deleted_meanwhile_leaves_the_list(self) -> None:
        player, world = saved("first", "second")
        world.run(drop_save(world.held(), "first", NOW_S))
        player.choose("first")
        assert (player.message, names(player)) == (NONE, ["second"])

    @pytest.mark.parametrize("kept", [BROKEN, ended()])
    def test_one_that_is_unreadable_or_has_ended_is_reported_in_the_list(self, kept: Kept) -> None:
        player, world = saved("first")
        world.put_save("first", kept)
        player.do("first").sees({"message": UNREADABLE, "screen": "saves"})
        player.send(BACK, OpenMenu("saves"))
        assert player.row("first")["figures"] == ["custom 3x3", "0 %", "0:00", "1970-01-01"]

    def test_without_a_key_there_are_no_saves(self) -> None:
        player = World().player().do(ANONYMOUS, Start(9, 9, 1))
        for packet in (Save("one"), Load("one"), OpenMenu("saves"), Drop("one")):
            player.send(packet)
            assert player.message == "Nothing is saved here: the server does not know you."

    def test_an_error_is_reported_and_the_game_continues(self) -> None:
        player, world = seated(BOARD)
        world.fault = DOWN
        for packet in (Save("one"), Load("one"), OpenMenu("saves")):
            player.do(packet).sees({"message": str(DOWN), "state": "playing"})

    def test_an_error_in_the_list_is_reported_there(self) -> None:
        player, world = saved("first", "second")
        world.fault = DOWN
        player.choose("first")
        assert (player.message, names(player)) == (str(DOWN), ["first", "second"])
        world.fault = None
        player.do("second").sees({"screen": "game"})

    def test_the_latest_are_listed_first(self) -> None:
        player, world = saved("mine")
        for name, at_s in (("old", 1), ("b", 1 << 40), ("a", 1 << 40)):
            world.put_save(name, world.save("mine"), at_s)
        player.send(BACK, OpenMenu("saves"))
        assert names(player) == ["a", "b", "mine", "old"]

    def test_a_long_one_is_played_again_by_somebody_else(self) -> None:
        player, world = saved("first")
        world.put_save("first", flagged(BOARD, 2_001))
        player.do("first").sees({"top": "?F?"})
        # Once: the copy that is played on has the same log.
        assert [type(question) for question in world.questions] == [Rebuild]


class TestDropping:
    def test_the_selected_save_is_deleted_once_that_is_confirmed(self) -> None:
        player, world = saved("first", "second", "third")
        player.drop("second")
        assert player.text.startswith("JMinesweeper Delete second?\n")
        player.do("Delete it").sees({"message": "second is deleted."})
        assert names(player) == world.saves == ["first", "third"]

    def test_one_whose_name_nobody_can_type_is_deleted_as_well(self) -> None:
        player, world = saved("first")
        world.put_save("A\u0334da", world.save("first"), 1 << 40)
        player.send(BACK, OpenMenu("saves"))
        player.drop("A\u0334da")
        player.choose("Delete it")
        assert world.saves == ["first"]

    def test_it_is_kept_unless_that_is_chosen(self) -> None:
        player, world = saved("first", "second")
        for answer in ("Keep it", BACK):
            player.drop("first")
            player.do(answer)
        assert names(player) == world.saves == ["first", "second"]

    def test_one_that_is_gone_already_is_reported(self) -> None:
        player, world = saved("first", "second")
        player.drop("first")
        world.run(drop_save(world.held(), "first", NOW_S))
        player.choose("Delete it")
        assert (player.message, names(player)) == (NONE, ["second"])

    def test_without_a_game_a_save_is_deleted_too(self) -> None:
        player, world = seated(BOARD)
        player.send(Save("one"), REVEAL)
        another = world.player().do(replace(KNOWN, features=Feature(0)), Drop("one"))
        assert (another.screen, world.saves) == ("main", [])
