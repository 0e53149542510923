"""Statistics and best times: pages of the menu, from what the store knows."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, NewGame, Start
from jminesweeper.protocol.vocabulary import Button, Command, GameKind, RulesCode
from jminesweeper.session.messages import NO_SCORES
from jminesweeper.store import (
    MAX_LISTED,
    Fault,
    FinishedGame,
    PutPlayer,
    Record,
    StoreUnavailableError,
)
from tests.unit.session.backstage import ADA, PLAIN, Backstage
from tests.unit.session.player import SEED, Player, cells_of

DOWN = StoreUnavailableError(Fault.FULL)
BEGINNER = NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC)


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


@pytest.fixture
def player(backstage: Backstage) -> Player:
    player = backstage.player()
    player.send(PLAIN)
    return player


def win_beginner(player: Player) -> None:
    """Win a classic game in a second and a half, with a pause of a minute."""
    field = Setup.of("beginner", seed=SEED).minefield(Cell(0, 0))
    first, *others = cells_of(field, field.safe)
    player.send(BEGINNER, Act(*first, Button.REVEAL))
    player.send_after(500, Command.PAUSE)
    player.send_after(60_000, Command.PAUSE)
    player.now_ms += 1_000
    player.send(*(Act(*cell, Button.REVEAL) for cell in others))
    assert player.entry("state") == "won"


@pytest.mark.requirement("F:games_played", "F:games_won")
def test_games_played_and_won_are_counted(player: Player) -> None:
    player.send(Start(1, 1, 1), Command.TOGGLE_BOMB_MARK)
    player.send(Start(1, 1, 1), Command.REVEAL, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
    player.send(Start(9, 9, 1), Command.MENU)
    screen = player.choose("Statistics")
    assert "games played 3   won 1" in screen
    assert "\neasy 1x1, jminesweeper       2    1     1  50 %" in screen


def test_helped_games_are_counted_but_not_ranked(player: Player) -> None:
    player.send(Start(1, 1, 1), Command.TOGGLE_DEBUG_MODE, Command.TOGGLE_BOMB_MARK, Command.MENU)
    screen = player.choose("Statistics")
    assert "games played 1   won 1" in screen
    assert "Not ranked: with help, or on a board seen before:" in screen


def test_the_page_of_a_player_who_has_ended_no_game_says_so(player: Player) -> None:
    assert "No game of yours has ended yet." in player.choose("Statistics")


@pytest.mark.parametrize("packet", [Command.REVEAL, Command.MENU])
def test_a_page_that_was_read_gives_the_menu_back(player: Player, packet: Command) -> None:
    player.choose("Statistics")
    player.send(packet)
    assert "Statistics" in player.items


def test_best_times_are_listed_by_board_and_wall_time(player: Player, backstage: Backstage) -> None:
    player.choose("Best times")
    assert player.entry("message") == NO_SCORES
    win_beginner(player)
    player.send(Command.MENU)
    player.choose("Best times")
    assert player.items == ["beginner, classic rules"]
    screen = player.choose("beginner, classic rules")
    (game,) = backstage.finished
    assert (game.time_ms, game.wall_ms) == (1_500, 61_500)
    assert f"\n> 1. Ada   61.500  {game.code}\n" in screen
    assert (
        f"Your best:\n      seconds         day        game\n  1.   61.500  2001-09-09  {game.code}"
        in screen
    )
    player.send(Command.MENU)
    assert player.items == ["beginner, classic rules"]
    player.send(Command.MENU)
    assert "Best times" in player.items


@pytest.mark.parametrize("labels", [("Statistics",), ("Best times", "beginner, classic rules")])
def test_a_store_out_of_order_is_reported(
    player: Player, backstage: Backstage, labels: tuple[str, ...]
) -> None:
    win_beginner(player)
    player.send(Command.MENU)
    *before, last = labels
    for label in before:
        player.choose(label)
    backstage.fault = DOWN
    player.choose(last)
    assert player.entry("message") == str(DOWN)
    assert player.entry("screen") == "menu"


def test_a_long_list_of_boards_says_how_many_more_there_are(backstage: Backstage) -> None:
    day = date(2026, 1, 1)
    player = backstage.player()
    player.send(PLAIN)
    backstage.submit(PutPlayer(ADA, "Ada", {}, 1))
    for number in range(MAX_LISTED + 3):
        variant = replace(CLASSIC_BOARDS["expert"], daily=day + timedelta(number))
        setup, code = Setup(variant, seed=1), f"game {number}"
        backstage.submit(Record(FinishedGame(code, setup, Status.WON, 1, 2, 3, ADA)))
    player.choose("Best times")
    assert len(player.items) == MAX_LISTED
    assert "(and 3 more)" in player.text
