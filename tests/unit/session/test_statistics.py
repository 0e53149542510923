"""Statistics and best times: pages of the menu, from what the store knows."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, Hello, NewGame, Replay, Start
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.player import BACK, SEED, SEEN, Player, cells_of
from tests.world.server import KNOWN, World

DOWN = StoreUnavailableError(Fault.FULL)
pytestmark = pytest.mark.usefixtures("quick_hands")

BEGINNER = NewGame("beginner")


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def player(world: World) -> Player:
    return world.player().do(KNOWN)


def win_beginner(player: Player) -> None:
    """Win a classic game in a second and a half, with a pause of a minute."""
    field = Setup.of("beginner", seed=SEED).minefield(Cell(0, 0))
    first, *others = cells_of(field, field.safe)
    player.do(BEGINNER, Act(*first, Button.REVEAL, SEEN), 500, Command.PAUSE, 60_000, Command.PAUSE)
    player.world.let_pass(1_000)
    player.do(*(Act(*cell, Button.REVEAL, SEEN) for cell in others)).sees({"state": "won"})


@pytest.mark.requirement("F:games_played", "F:games_won")
def test_games_played_and_won_are_counted(player: Player) -> None:
    player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK)
    player.send(Start(1, 1, 1), Command.REVEAL, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
    player.send(Start(9, 9, 1), BACK)
    screen = player.walk("Records", "Statistics").text
    assert "games played 3   won 1" in screen
    assert "['easy 1x1, flag every mine', '2', '1', '1', '50 %'" in screen


def test_helped_games_are_counted_but_not_ranked(player: Player) -> None:
    player.send(Start(1, 1, 1), Command.TOGGLE_DEBUG_MODE, Command.TOGGLE_BOMB_MARK, BACK)
    screen = player.walk("Records", "Statistics").text
    assert "games played 1   won 1" in screen
    assert "Not ranked: with help, or on a board known before:" in screen


def test_the_page_of_a_player_who_has_ended_no_game_says_so(player: Player) -> None:
    assert "No game of yours has ended yet." in player.walk("Records", "Statistics").text


def test_a_page_that_was_read_gives_the_menu_back(player: Player) -> None:
    player.walk("Records", "Statistics")
    player.send(BACK)
    assert "Statistics" in player.items


def test_best_times_are_listed_by_board_and_wall_time(player: Player, world: World) -> None:
    player.walk("Records", "Best times")
    assert player.message == "Nobody has won a ranked game yet."
    win_beginner(player)
    player.send(BACK)
    player.walk("Records", "Best times")
    assert player.items == ["beginner"]
    player.choose("beginner")
    (game,) = world.finished
    assert (game.outcome.time_ms, game.outcome.wall_ms) == (1_500, 61_500)
    assert player.items == [" 1. Ada", " 1. 2001-09-09"]
    assert player.row(" 1. Ada")["figures"] == ["", "61.500 s", game.code]
    player.do(BACK).sees({"items": ["beginner"]})
    player.send(BACK)
    assert "Best times" in player.items


@pytest.mark.parametrize("row", [" 1. Ada", " 1. 2001-09-09"])
def test_a_row_of_a_leaderboard_is_replayed_at_its_own_times(player: Player, row: str) -> None:
    win_beginner(player)
    player.open("Records", "Best times", "beginner")
    player.choose(row)
    times = player.members["replay"]
    assert (times[0], times[-1]) == (0, 1_500)
    assert player.members["state"] == "playing"
    player.send(Replay(len(times)))
    assert player.members["state"] == "won"
    player.send(BACK)
    assert row in player.items


def test_a_board_begins_at_ones_own_row(player: Player, world: World) -> None:
    bob = world.player().do(Hello(key=b"b" * 16, name="Bob"))
    win_beginner(bob)
    win_beginner(player)
    player.open("Records", "Best times", "beginner")
    assert player.members["menu"]["selected"] == player.row(" 2. Ada")["id"]


def test_games_of_who_is_not_to_be_watched_are_replayed_by_nobody_else(
    player: Player, world: World
) -> None:
    win_beginner(player)
    player.open("Settings")
    player.do(("Who may watch", "nobody"), BACK)
    bob = world.player().do(Hello(key=b"b" * 16, name="Bob"), BEGINNER)
    bob.open("Records", "Best times", "beginner", " 1. Ada")
    assert bob.message == "This player lets nobody watch."
    assert "replay" not in bob.members
    player.walk("Records", "Best times", "beginner", " 1. Ada")
    assert player.members["replay"]


@pytest.mark.parametrize(
    "labels", [("Records", "Statistics"), ("Records", "Best times", "beginner")]
)
def test_a_store_out_of_order_is_reported(
    player: Player, world: World, labels: tuple[str, ...]
) -> None:
    win_beginner(player)
    player.send(BACK)
    *before, last = labels
    for label in before:
        player.choose(label)
    world.fault = DOWN
    player.do(last).sees({"message": str(DOWN)})
    assert player.screen != "game"


def test_a_long_list_of_boards_says_how_many_more_there_are(world: World) -> None:
    day = date(2026, 1, 1)
    world.know_for_a_day()
    player = world.player().do(KNOWN)
    for number in range(MAX_LISTED + 3):
        variant = replace(CLASSIC_BOARDS["expert"], daily=day + timedelta(number))
        setup, code = Setup(variant, seed=1), f"game {number}"
        world.record(code, setup, Status.WON)
    player.walk("Records", "Best times")
    assert len(player.items) == MAX_LISTED
    assert "and 3 more" in player.text
