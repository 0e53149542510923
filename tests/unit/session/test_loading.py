"""The games that a player has saved."""

import pytest

from jminesweeper.core import ActionKind, Cell, Status
from jminesweeper.protocol import Command, Drop, Load, MoveTo, Save, Start
from jminesweeper.session.keeper import running_game
from jminesweeper.store.ports import (
    DropSave,
    Fault,
    FindSave,
    FinishedGame,
    ListGames,
    ListSaves,
    PutSave,
    RunningGame,
    StoreUnavailableError,
)
from tests.unit.session.backstage import ADA, ANONYMOUS, PLAIN, Backstage, a_play, seated
from tests.unit.session.player import Player
from tests.unit.session.test_main_menu import choose, items

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)


def finished(backstage: Backstage) -> list[FinishedGame]:
    games: tuple[FinishedGame, ...] = backstage.submit(ListGames(ADA))
    return [*reversed(games)]


def saves(backstage: Backstage) -> list[str]:
    return [label.name for label in backstage.submit(ListSaves(ADA))]


def saved(*names: str) -> tuple[Player, Backstage]:
    """Somebody with saves, the first one latest, before whom the list of them lies."""
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
        assert player.entry("message") == "Loaded; the game counts as a repeat."
        assert [game.status for game in finished(backstage)] == [Status.TERMINATED]

    def test_a_loaded_game_is_kept_as_the_running_one(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, Save("half"), Start(9, 9, 1), Load("half"))
        kept = backstage.claim().game
        assert kept is not None
        assert kept.header.endswith("repeat")
        assert kept.cursor == Cell(0, 0)

    def test_saves_are_listed_with_board_progress_time_and_day(self) -> None:
        player, _ = seated(BOARD)
        player.send(MoveTo(1, 1), Command.REVEAL)
        player.send_after(75_000, Save("half"), Load(""))
        assert ">  1. half  custom 3x3  14 %  1:15  2001-09-09\n" in player.text
        assert player.entry("note") == "half: custom 3x3, 14 %, 1:15, 2001-09-09"

    def test_the_one_that_is_chosen_goes_on(self) -> None:
        player, _ = saved("first", "second")
        assert [*items(player)] == ["first", "second"]
        choose(player, "second")
        assert player.entry("screen") == "game"
        assert player.entry("message") == "Loaded; the game counts as a repeat."

    def test_a_save_that_is_none_is_told(self) -> None:
        player = Backstage().player()
        assert "There is no such saved game." in player.send(PLAIN, Start(3, 3, 1), Load("none"))
        assert "There is no saved game:" in player.send(Load(""))

    def test_one_that_somebody_has_deleted_meanwhile_leaves_the_list(self) -> None:
        player, backstage = saved("first", "second")
        backstage.submit(DropSave(ADA, "first"))
        player.send(Command.REVEAL)
        assert player.entry("message") == "There is no such saved game."
        assert [*items(player)] == ["second"]

    def test_one_that_cannot_be_read_is_told_in_the_list(self) -> None:
        player, backstage = saved("first")
        backstage.submit(PutSave(ADA, "first", RunningGame("code", "no game"), 0))
        player.send(Command.REVEAL)
        assert player.entry("message") == "That game cannot be read any more."
        player.send(Command.MENU, Load(""))
        assert ">  1. first  0:00  1970-01-01\n" in player.text

    def test_one_that_has_ended_is_told_in_the_list(self) -> None:
        player, backstage = saved("first")
        play = a_play(BOARD)
        play.act(ActionKind.REVEAL, 0)
        backstage.submit(PutSave(ADA, "first", running_game(play, 0), 0))
        player.send(Command.REVEAL)
        assert player.text.startswith("JMinesweeper Load\n")
        assert player.entry("message") == "That game cannot be read any more."

    def test_without_a_key_there_are_no_saves(self) -> None:
        player = Backstage().player()
        player.send(ANONYMOUS, Start(9, 9, 1))
        for packet in (Load("one"), Load(""), Drop("one")):
            player.send(packet)
            assert "players with a key only" in player.entry("message")

    def test_what_goes_wrong_is_told_and_the_game_goes_on(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        for packet in (Load("one"), Load(""), Drop("one")):
            player.send(packet)
            assert player.entry("message") == str(DOWN)
        assert player.entry("state") == "playing"


class TestDropping:
    def test_the_selected_save_is_deleted_once_that_is_confirmed(self) -> None:
        player, backstage = saved("first", "second", "third")
        player.send(Command.MOVE_DOWN, Command.ERASE)
        assert player.text.startswith("JMinesweeper Delete second?\n")
        choose(player, "Delete it")
        assert player.entry("message") == "second is deleted."
        assert [*items(player)] == ["first", "third"]
        assert ">  2. third" in player.text
        assert saves(backstage) == ["first", "third"]

    def test_one_whose_name_nobody_can_type_is_deleted_as_well(self) -> None:
        player, backstage = saved("first")
        (first,) = backstage.submit(ListSaves(ADA))
        kept = backstage.submit(FindSave(ADA, first.name))
        backstage.submit(PutSave(ADA, "A\u0334da", kept, 1 << 40))
        player.send(Command.MENU, Load(""), Command.ERASE)
        choose(player, "Delete it")
        assert saves(backstage) == ["first"]

    def test_it_is_kept_unless_that_is_chosen(self) -> None:
        player, backstage = saved("first", "second")
        player.send(Command.ERASE, Command.REVEAL, Command.ERASE, Command.MENU)
        assert [*items(player)] == ["first", "second"]
        assert saves(backstage) == ["first", "second"]

    def test_deleting_the_last_of_the_list_selects_the_one_before(self) -> None:
        player, _ = saved("first", "second")
        player.send(Command.MOVE_DOWN, Command.ERASE)
        choose(player, "Delete it")
        assert ">  1. first" in player.text

    def test_with_the_last_one_the_list_goes(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("only"), Command.MENU)
        choose(player, "Load")
        player.send(Command.ERASE)
        choose(player, "Delete it")
        assert player.entry("message") == "only is deleted."
        assert "Statistics" in items(player)
        assert saves(backstage) == []

    def test_a_list_that_lay_on_the_game_gives_it_back(self) -> None:
        player, _ = saved("only")
        player.send(Command.ERASE)
        choose(player, "Delete it")
        assert (player.entry("screen"), player.entry("state")) == ("game", "playing")
        assert player.entry("message") == "only is deleted."

    def test_one_that_is_gone_already_is_told(self) -> None:
        player, backstage = saved("first", "second")
        player.send(Command.ERASE)
        backstage.submit(DropSave(ADA, "first"))
        choose(player, "Delete it")
        assert player.entry("message") == "There is no such saved game."
        assert [*items(player)] == ["second"]

    def test_a_save_is_deleted_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Drop("two"))
        assert player.entry("message") == "There is no such saved game."
        player.send(Drop("one\n"))
        assert player.entry("message") == "one is deleted."
        assert saves(backstage) == []

    def test_one_that_is_named_leaves_the_list_that_is_shown(self) -> None:
        player, _ = saved("first", "second")
        player.send(Drop("second"))
        assert [*items(player)] == ["first"]

    def test_without_a_game_a_save_is_deleted_too(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("one"), Command.REVEAL)
        another = backstage.player()
        another.send(PLAIN, Drop("one"))
        assert another.entry("screen") == "menu"
        assert saves(backstage) == []
