"""The games that a player has saved."""

from dataclasses import replace

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Drop, Load, MoveTo, Save, Start
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session import messages
from jminesweeper.session.reply import Rebuild
from jminesweeper.store import DropSave, Fault, PutSave, StoreUnavailableError, pack_entries
from tests.unit.session.backstage import ADA, ANONYMOUS, PLAIN, Backstage, flagged, seated, waiting
from tests.unit.session.player import Player

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)
BROKEN = replace(waiting(BOARD), entries=b"\xff" * 8)
"""A game whose log makes no sense."""


def saved(*names: str) -> tuple[Player, Backstage]:
    """Somebody with saves, the first one latest, who is looking at the list of them."""
    player, backstage = seated(BOARD)
    for name in reversed(names):
        player.send_after(1_000, Save(name))
    player.send(Load(""))
    return player, backstage


class TestLoading:
    @pytest.mark.requirement("C:Standard Controls")
    def test_a_game_is_loaded_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Save("half"))
        player.send(MoveTo(1, 0), Command.REVEAL, Load(" half"))
        assert player.board.splitlines() == ["F??", "???", "???"]
        assert player.entry("cursor") == "2 1"
        assert player.entry("message") == messages.loaded_beside("custom")
        assert [game.status for game in backstage.finished] == [Status.TERMINATED]

    def test_a_loaded_game_is_kept_as_the_running_one(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Save("half"), Start(9, 9, 1), Load("half"))
        kept = backstage.claim().game
        assert kept is not None
        assert kept.setup.variant.is_repeat
        assert kept.cursor == Cell(0, 0)

    def test_saves_are_listed_with_board_progress_time_and_day(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 1), Command.REVEAL)
        player.send_after(75_000, Save("half"), Load(""))
        assert ">  1. half  custom 3x3  14 %  1:15  2001-09-09\n" in player.text
        assert player.entry("note") == "half: custom 3x3, 14 %, 1:15, 2001-09-09"

    def test_the_one_that_is_chosen_continues(self) -> None:
        player, _ = saved("first", "second")
        assert player.items == ["first", "second"]
        player.choose("second")
        assert player.entry("screen") == "game"
        assert player.entry("message") == messages.LOADED

    def test_an_unknown_save_is_reported(self) -> None:
        player = Backstage().player()
        assert messages.NO_SUCH_SAVE in player.send(PLAIN, Start(3, 3, 1), Load("none"))
        assert messages.NO_SAVES in player.send(Load(""))

    def test_one_that_somebody_has_deleted_meanwhile_leaves_the_list(self) -> None:
        player, backstage = saved("first", "second")
        backstage.look(DropSave(ADA, "first"))
        player.send(Command.REVEAL)
        assert player.entry("message") == messages.NO_SUCH_SAVE
        assert player.items == ["second"]

    def test_an_unreadable_one_is_reported_in_the_list(self) -> None:
        player, backstage = saved("first")
        backstage.look(PutSave(ADA, "first", BROKEN, 0))
        player.send(Command.REVEAL)
        assert player.entry("message") == messages.UNREADABLE
        player.send(Command.MENU, Load(""))
        assert ">  1. first  custom 3x3  0 %  0:00  1970-01-01\n" in player.text

    def test_one_that_has_ended_is_reported_in_the_list(self) -> None:
        player, backstage = saved("first")
        game = Game(waiting(BOARD).setup)
        game.reveal(Cell(0, 0), 0)
        ended = replace(waiting(BOARD), entries=pack_entries(game.log.entries))
        backstage.look(PutSave(ADA, "first", ended, 0))
        player.send(Command.REVEAL)
        assert player.text.startswith("JMinesweeper Load\n")
        assert player.entry("message") == messages.UNREADABLE

    def test_without_a_key_there_are_no_saves(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS, Start(9, 9, 1))
        for packet in (Load("one"), Load(""), Drop("one")):
            player.send(packet)
            assert player.entry("message") == messages.NO_KEY

    def test_an_error_is_reported_and_the_game_continues(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        for packet in (Load("one"), Load(""), Drop("one")):
            player.send(packet)
            assert player.entry("message") == str(DOWN)
        assert player.entry("state") == "playing"

    def test_a_long_one_is_played_again_by_somebody_else(self) -> None:
        player, backstage = saved("first")
        backstage.look(PutSave(ADA, "first", flagged(BOARD, 2_001), 0))
        player.send(Command.REVEAL)
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
        player.send(Command.REVEAL)
        assert player.entry("message") == str(DOWN)
        assert player.items == ["first", "second"]
        backstage.fault = None
        player.choose("second")
        assert player.entry("screen") == "game"


class TestDropping:
    def test_the_selected_save_is_deleted_once_that_is_confirmed(self) -> None:
        player, backstage = saved("first", "second", "third")
        player.send(Command.MOVE_DOWN, Command.ERASE)
        assert player.text.startswith("JMinesweeper Delete second?\n")
        player.choose("Delete it")
        assert player.entry("message") == "second is deleted."
        assert player.items == ["first", "third"]
        assert ">  2. third" in player.text
        assert backstage.saves == ["first", "third"]

    def test_one_whose_name_nobody_can_type_is_deleted_as_well(self) -> None:
        player, backstage = saved("first")
        backstage.look(PutSave(ADA, "A\u0334da", backstage.save("first"), 1 << 40))
        player.send(Command.MENU, Load(""), Command.ERASE)
        player.choose("Delete it")
        assert backstage.saves == ["first"]

    def test_it_is_kept_unless_that_is_chosen(self) -> None:
        player, backstage = saved("first", "second")
        player.send(Command.ERASE, Command.REVEAL, Command.ERASE, Command.MENU)
        assert player.items == ["first", "second"]
        assert backstage.saves == ["first", "second"]

    def test_deleting_the_last_of_the_list_selects_the_one_before(self) -> None:
        player, _ = saved("first", "second")
        player.send(Command.MOVE_DOWN, Command.ERASE)
        player.choose("Delete it")
        assert ">  1. first" in player.text

    def test_with_the_last_one_the_list_goes(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("only"), Command.MENU)
        player.choose("Load")
        player.send(Command.ERASE)
        player.choose("Delete it")
        assert player.entry("message") == "only is deleted."
        assert "Statistics" in player.items
        assert backstage.saves == []

    def test_closing_a_list_over_the_game_shows_the_game(self) -> None:
        player, _ = saved("only")
        player.send(Command.ERASE)
        player.choose("Delete it")
        assert (player.entry("screen"), player.entry("state")) == ("game", "playing")
        assert player.entry("message") == "only is deleted."

    def test_one_that_is_gone_already_is_reported(self) -> None:
        player, backstage = saved("first", "second")
        player.send(Command.ERASE)
        backstage.look(DropSave(ADA, "first"))
        player.choose("Delete it")
        assert player.entry("message") == messages.NO_SUCH_SAVE
        assert player.items == ["second"]

    def test_a_save_is_deleted_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Drop("two"))
        assert player.entry("message") == messages.NO_SUCH_SAVE
        player.send(Drop("one\n"))
        assert player.entry("message") == "one is deleted."
        assert backstage.saves == []

    def test_one_that_is_named_leaves_the_list_that_is_shown(self) -> None:
        player, _ = saved("first", "second")
        player.send(Drop("second"))
        assert player.items == ["first"]

    def test_without_a_game_a_save_is_deleted_too(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Command.REVEAL)
        another = backstage.player()
        another.send(PLAIN, Drop("one"))
        assert another.entry("screen") == "menu"
        assert backstage.saves == []
