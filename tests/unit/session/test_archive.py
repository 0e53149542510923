"""What a player asks of the store."""

import pytest

from jminesweeper.protocol import Command, GameKind, NewGame, Start
from jminesweeper.store.ports import (
    Fault,
    FinishedGame,
    ListGames,
    StoreUnavailableError,
)
from tests.unit.session.backstage import ADA, ANONYMOUS, PLAIN, Backstage
from tests.unit.session.player import Player
from tests.unit.session.test_main_menu import choose

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


class TestDaily:
    def test_everybody_gets_the_same_board_by_day(self, player: Player) -> None:
        player.send(DAILY)
        assert player.text.startswith("JMinesweeper daily beginner 2001-09-09 9x9")
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
        assert "\neasy 1x1, jminesweeper       2    1     1  50 %" in screen

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
