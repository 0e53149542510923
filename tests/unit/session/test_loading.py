"""The games that a player has saved."""

from dataclasses import replace

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Drop, Load, MoveTo, OpenMenu, Save, Start
from jminesweeper.protocol.vocabulary import Command, Feature
from jminesweeper.records.documents import pack_entries
from jminesweeper.records.games import drop_save
from jminesweeper.session.reply import Rebuild
from jminesweeper.store.errors import Fault, StoreUnavailableError
from tests.unit.session.backstage import (
    ANONYMOUS,
    KNOWN,
    NOW_S,
    Backstage,
    flagged,
    seated,
    waiting,
)
from tests.unit.session.player import BACK, Player

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)
BROKEN = replace(waiting(BOARD), entries=b"\xff" * 8)
"""A game whose log makes no sense."""


def saved(*names: str) -> tuple[Player, Backstage]:
    """Somebody with saves, the first one latest, who is looking at the list of them."""
    player, backstage = seated(BOARD)
    for name in reversed(names):
        player.send_after(1_000, Save(name))
    player.send(OpenMenu("saves"))
    return player, backstage


def names(player: Player) -> list[str]:
    """Return the saves that are listed."""
    return [label for label in player.items if label != "Save this game"]


class TestLoading:
    @pytest.mark.requirement("C:Standard Controls")
    def test_a_game_is_loaded_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Save("half"))
        player.send(MoveTo(1, 0), Command.REVEAL, Load(" half"))
        assert player.board.splitlines() == ["F??", "???", "???"]
        assert player.entry("cursor") == "2 1"
        assert player.message == "Loaded, not ranked. Your custom game is kept under Saves."
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]

    def test_a_loaded_game_is_kept_as_the_running_one(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Save("half"), Start(9, 9, 1), Load("half"))
        kept = backstage.running
        assert kept.setup.variant.is_repeat
        assert kept.cursor == Cell(0, 0)

    def test_saves_are_listed_with_board_progress_time_and_day(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 1), Command.REVEAL)
        player.send_after(75_000, Save("half"), OpenMenu("saves"))
        row = player.row("half")
        assert row["figures"] == ["custom 3x3", "14 %", "1:15", "2001-09-09"]
        assert row["help"] == "half: custom 3x3, 14 %, 1:15, 2001-09-09"

    def test_the_one_that_is_chosen_continues(self) -> None:
        player, _ = saved("first", "second")
        assert names(player) == ["first", "second"]
        player.choose("second")
        assert player.screen == "game"
        assert player.message == "Loaded. A loaded game is not ranked."

    def test_an_unknown_save_is_reported(self) -> None:
        player = Backstage().player()
        assert "There is no such saved game." in player.send(KNOWN, Start(3, 3, 1), Load("none"))
        player.send(OpenMenu("saves"))
        assert player.items == ["Save this game"]

    def test_one_that_somebody_has_deleted_meanwhile_leaves_the_list(self) -> None:
        player, backstage = saved("first", "second")
        backstage.do(drop_save(backstage.held(), "first", NOW_S))
        player.choose("first")
        assert player.message == "There is no such saved game."
        assert names(player) == ["second"]

    def test_an_unreadable_one_is_reported_in_the_list(self) -> None:
        player, backstage = saved("first")
        backstage.put_save("first", BROKEN)
        player.choose("first")
        assert player.message == "That game can no longer be read."
        player.send(BACK, OpenMenu("saves"))
        assert player.row("first")["figures"] == ["custom 3x3", "0 %", "0:00", "1970-01-01"]

    def test_one_that_has_ended_is_reported_in_the_list(self) -> None:
        player, backstage = saved("first")
        game = Game(waiting(BOARD).setup)
        game.reveal(Cell(0, 0), 0)
        ended = replace(waiting(BOARD), entries=pack_entries(game.log.entries))
        backstage.put_save("first", ended)
        player.choose("first")
        assert player.screen == "saves"
        assert player.message == "That game can no longer be read."

    def test_without_a_key_there_are_no_saves(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS, Start(9, 9, 1))
        for packet in (Load("one"), OpenMenu("saves"), Drop("one")):
            player.send(packet)
            assert player.message == "Nothing is saved here: the server does not know you."

    def test_an_error_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        for packet in (Load("one"), OpenMenu("saves")):
            player.send(packet)
            assert player.message == str(DOWN)
        assert player.entry("state") == "playing"

    def test_a_long_one_is_played_again_by_somebody_else(self) -> None:
        player, backstage = saved("first")
        backstage.put_save("first", flagged(BOARD, 2_001))
        player.choose("first")
        assert [type(question) for question in backstage.questions] == [Rebuild]
        assert player.board.splitlines() == ["?F?", "???", "???"]

    def test_one_that_was_paused_runs_at_once(self) -> None:
        player, _ = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Command.PAUSE, Save("half"), Load("half"))
        player.send_after(2_000, Command.REFRESH)
        assert (player.entry("state"), player.entry("clock")) == ("playing", "2 s")

    def test_an_error_in_the_list_is_reported_there(self) -> None:
        player, backstage = saved("first", "second")
        backstage.fault = DOWN
        player.choose("first")
        assert player.message == str(DOWN)
        assert names(player) == ["first", "second"]
        backstage.fault = None
        player.choose("second")
        assert player.screen == "game"


class TestDropping:
    def test_the_selected_save_is_deleted_once_that_is_confirmed(self) -> None:
        player, backstage = saved("first", "second", "third")
        player.drop("second")
        assert player.text.startswith("JMinesweeper Delete second?\n")
        player.choose("Delete it")
        assert player.message == "second is deleted."
        assert names(player) == ["first", "third"]
        assert backstage.saves == ["first", "third"]

    def test_one_whose_name_nobody_can_type_is_deleted_as_well(self) -> None:
        player, backstage = saved("first")
        backstage.put_save("A\u0334da", backstage.save("first"), 1 << 40)
        player.send(BACK, OpenMenu("saves"))
        player.drop("A\u0334da")
        player.choose("Delete it")
        assert backstage.saves == ["first"]

    def test_it_is_kept_unless_that_is_chosen(self) -> None:
        player, backstage = saved("first", "second")
        player.drop("first")
        player.choose("Keep it")
        player.drop("first")
        player.send(BACK)
        assert names(player) == ["first", "second"]
        assert backstage.saves == ["first", "second"]

    def test_with_the_last_one_the_list_is_empty(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("only"), BACK)
        player.choose("Saves")
        player.drop("only")
        player.choose("Delete it")
        assert player.message == "only is deleted."
        assert player.items == ["Save this game"]
        assert backstage.saves == []

    def test_one_that_is_gone_already_is_reported(self) -> None:
        player, backstage = saved("first", "second")
        player.drop("first")
        backstage.do(drop_save(backstage.held(), "first", NOW_S))
        player.choose("Delete it")
        assert player.message == "There is no such saved game."
        assert names(player) == ["second"]

    def test_a_save_is_deleted_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Drop("two"))
        assert player.message == "There is no such saved game."
        player.send(Drop("one\n"))
        assert player.message == "one is deleted."
        assert backstage.saves == []

    def test_one_that_is_named_leaves_the_list_that_is_shown(self) -> None:
        player, _ = saved("first", "second")
        player.send(Drop("second"))
        assert names(player) == ["first"]

    def test_without_a_game_a_save_is_deleted_too(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Command.REVEAL)
        another = backstage.player()
        another.send(replace(KNOWN, features=Feature(0)), Drop("one"))
        assert another.screen == "main"
        assert backstage.saves == []
