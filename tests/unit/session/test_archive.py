"""What a player asks of the store."""

import pytest

from jminesweeper.core import Cell, Status
from jminesweeper.protocol import Command, GameKind, Load, MoveTo, NewGame, Save, Start
from jminesweeper.session.archive import printable
from jminesweeper.store.ports import (
    Fault,
    FinishedGame,
    ListGames,
    ListSaves,
    StoreUnavailableError,
)
from tests.unit.session.backstage import ADA, ANONYMOUS, PLAIN, Backstage, seated
from tests.unit.session.player import Player
from tests.unit.session.test_main_menu import choose, items

BOARD = "*..\n...\n..*"
DOWN = StoreUnavailableError(Fault.FULL)
DAILY = NewGame(GameKind.DAILY, level=1)


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


@pytest.fixture
def player(backstage: Backstage) -> Player:
    player = backstage.player()
    player.send(PLAIN)
    return player


def finished(backstage: Backstage) -> list[FinishedGame]:
    games: tuple[FinishedGame, ...] = backstage.submit(ListGames(ADA))
    return [*reversed(games)]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada\t ", "Ada"),
        ("\x1b[31mAda\x07\n", "[31mAda"),
        ("\u202eAda", "Ada"),
        ("x" * 99, "x" * 64),
        ("\x00", ""),
        ("Žofie 🙂", "Žofie 🙂"),
    ],
)
def test_of_a_name_is_kept_what_can_be_shown(name: str, shown: str) -> None:
    assert printable(name) == shown


class TestSaving:
    @pytest.mark.requirement("C:Standard Controls")
    def test_a_game_is_saved_and_loaded_by_name(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.TOGGLE_BOMB_MARK, MoveTo(2, 1), Save("half"))
        assert player.entry("message") == "Saved as half."
        player.send(MoveTo(1, 0), Command.REVEAL, Load("half"))
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

    def test_a_save_without_a_name_has_one_all_the_same(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Save("\x07"))
        assert [label.name for label in backstage.submit(ListSaves(ADA))] == ["quick save"]

    def test_saves_are_offered_with_their_day(self) -> None:
        player, _ = seated(BOARD)
        player.send(Save("first"), Save("second"), Load(""))
        assert [*items(player)] == ["first", "second"]
        assert "2001-09-09" in player.text
        choose(player, "second")
        assert player.entry("screen") == "game"

    def test_a_save_that_is_none_is_told(self, player: Player) -> None:
        assert "There is no such saved game." in player.send(Start(3, 3, 1), Load("none"))
        assert "There is no saved game yet" in player.send(Load(""))

    @pytest.mark.parametrize("start", [(), (Start(1, 1, 1), Command.REVEAL)])
    def test_only_a_running_game_is_saved(
        self, player: Player, start: tuple[Start | Command, ...]
    ) -> None:
        player.send(Start(1, 1, 1), *start, Command.REVEAL, Save("over"))
        assert player.entry("message") == "There is no game to save."

    def test_without_a_key_nothing_is_saved(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(ANONYMOUS, Start(9, 9, 1))
        for packet in (Save("one"), Load("one"), Load("")):
            player.send(packet)
            assert "players with a key only" in player.entry("message")

    def test_what_goes_wrong_is_told_and_the_game_goes_on(self) -> None:
        player, backstage = seated(BOARD)
        backstage.fault = DOWN
        for packet in (Save("one"), Load("one"), Load("")):
            player.send(packet)
            assert player.entry("message") == str(DOWN)
        assert player.entry("state") == "playing"


class TestDaily:
    def test_everybody_gets_the_same_board_by_day(self, player: Player) -> None:
        player.send(DAILY)
        assert player.text.startswith("JMinesweeper beginner 2001-09-09 9x9")
        assert "repeat" not in player.entry("message")

    def test_who_has_no_key_plays_it_too(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(ANONYMOUS, DAILY)
        assert "2001-09-09" in player.text

    def test_the_second_time_is_a_repeat(self, player: Player, backstage: Backstage) -> None:
        for _ in range(2):
            player.send(DAILY, Command.TOGGLE_BOMB_MARK, Start(9, 9, 1))
        first, second = finished(backstage)
        assert (first.is_repeat, second.is_repeat) == (False, True)
        assert first.code != second.code
        assert (first.daily, second.daily) == ("2001-09-09", "2001-09-09")

    def test_the_one_at_hand_is_known(self, player: Player, backstage: Backstage) -> None:
        player.send(DAILY, Command.TOGGLE_BOMB_MARK, DAILY)
        assert "counts as a repeat" in player.entry("message")
        assert [game.is_repeat for game in finished(backstage)] == [False]

    def test_one_that_was_only_looked_at_is_not(self, player: Player) -> None:
        player.send(DAILY, Command.MOVE_RIGHT, DAILY)
        assert "repeat" not in player.entry("message")

    def test_one_whose_mines_were_looked_at_is(self, player: Player) -> None:
        player.send(DAILY, Command.TOGGLE_DEBUG_MODE, Start(9, 9, 1), DAILY)
        assert "counts as a repeat" in player.entry("message")

    def test_each_board_and_each_player_has_a_first_time(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(DAILY, Command.TOGGLE_BOMB_MARK)
        player.send(NewGame(GameKind.DAILY, level=3), Command.TOGGLE_BOMB_MARK, Start(9, 9, 1))
        assert [game.is_repeat for game in finished(backstage)] == [False, False]

    def test_if_nobody_can_tell_it_is_a_repeat(self, player: Player, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player.send(DAILY)
        assert player.entry("size") == "9x9"
        assert "counts as a repeat" in player.entry("message")


class TestStatistics:
    @pytest.mark.requirement("F:games_played", "F:games_won")
    def test_games_played_and_won_are_counted(self, player: Player) -> None:
        player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK)
        player.send(Start(1, 1, 1), Command.REVEAL, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        player.send(Start(9, 9, 1), Command.MENU)
        screen = choose(player, "Statistics")
        assert "games played 3   won 1" in screen
        assert "easy 1x1, jminesweeper rules" in screen

    def test_best_times_are_listed_by_board(self, player: Player, backstage: Backstage) -> None:
        player.send(Command.MENU)
        assert "Nobody has won a game yet" in choose(player, "Best times")
        player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        choose(player, "Best times")
        screen = choose(player, "easy 1x1, jminesweeper rules")
        assert "Ada" in screen
        assert finished(backstage)[0].code in screen

    @pytest.mark.parametrize("label", ["Statistics", "Best times"])
    def test_a_store_out_of_order_is_told(
        self, player: Player, backstage: Backstage, label: str
    ) -> None:
        player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK, Command.MENU)
        if label == "Best times":
            choose(player, label)
            label = "easy 1x1, jminesweeper rules"
        backstage.fault = DOWN
        choose(player, label)
        assert player.entry("message") == str(DOWN)
