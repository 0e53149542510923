"""Racing alone: the solver, or an earlier game, at its own times on the same board."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Act, Hello, Join, NewGame, OpenMenu, OpenRoom, Pick
from jminesweeper.protocol.vocabulary import Button, Command, RoomKind
from jminesweeper.records.rooms import Finish
from jminesweeper.session.figures import Rival
from jminesweeper.session.reply import LayBoard, RaceSolver
from tests.world.player import BACK, SEED, SEEN, Player, cells_of
from tests.world.server import CONFIG, KNOWN, World, daily

pytestmark = pytest.mark.usefixtures("quick_hands")

BEGINNER = NewGame("beginner")
DAILY = NewGame("daily beginner")
BOB = Hello(key=b"b" * 16, name="Bob")
FIELD = Setup.of("beginner", seed=SEED).minefield(Cell(0, 0))
DAYS = daily(date(2001, 9, 9)).minefield(Cell(0, 0))
SOLVER = Rival("Solver, brisk", (0, 1_000, 2_000), (300, 600, 1_000), Finish(True, 2_000, 71, 0))


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def ada(world: World) -> Player:
    world.know_for_a_day()
    return world.player().do(KNOWN)


def reveal(cell: Cell) -> Act:
    return Act(*cell, Button.REVEAL, SEEN)


def win(player: Player, game: NewGame = BEGINNER, *, ms: int) -> None:
    """Win a known board, all of it but the first cell after so many milliseconds."""
    field = DAYS if game is DAILY else FIELD
    cells = cells_of(field, field.safe)
    player.send(game, reveal(cells[0]))
    player.world.let_pass(ms)
    player.do(*map(reveal, cells)).sees({"state": "won"})


def seat(player: Player, number: int) -> dict[str, Any]:
    seat: dict[str, Any]
    (seat,) = (each for each in player.members["seats"] if each["number"] == number)
    return seat


def race(player: Player, row: str) -> None:
    player.open("Play together", "Race alone", row)


def test_ones_own_best_is_raced_on_its_board_at_its_own_times(ada: Player) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    assert ada.message == "The race begins with your first move."
    assert (seat(ada, 1)["name"], seat(ada, 2)["name"]) == ("Ada", "Your best")
    ada.send_after(60_000, reveal(Cell(0, 0)))
    assert seat(ada, 1)["opened"] == seat(ada, 2)["opened"] > 0
    assert ada.members["refresh"] == 4_000
    ada.send_after(4_000, Command.REFRESH)
    assert (seat(ada, 2)["opened"], seat(ada, 2)["place"], seat(ada, 2)["time"]) == (1000, 1, 4_000)
    assert ada.members["refresh"] is None
    ada.send_after(1_000, *map(reveal, cells_of(FIELD, FIELD.safe)))
    assert ada.members["room"]["state"] == "over"
    assert seat(ada, 1)["place"] == 2
    assert ("not ranked:", "board known before") in map(tuple, ada.members["figures"])


def test_who_is_faster_sees_what_the_rival_would_have_needed(ada: Player) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    ada.do(reveal(Cell(0, 0)), 1_000, *map(reveal, cells_of(FIELD, FIELD.safe)))
    assert [seat(ada, number)["place"] for number in (1, 2)] == [1, 2]
    assert seat(ada, 2)["time"] == 4_000


def test_a_rival_waits_while_the_game_is_paused(ada: Player) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    ada.send(reveal(Cell(0, 0)), Command.PAUSE)
    assert ada.members["refresh"] is None
    ada.send_after(60_000, Command.PAUSE)
    assert seat(ada, 2)["place"] is None


def test_the_same_board_again_is_the_same_race(ada: Player) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    ada.send(*map(reveal, cells_of(FIELD, FIELD.safe)), NewGame("again"))
    assert ada.members["room"]["state"] == "running"
    assert seat(ada, 2)["name"] == "Your best"
    ada.send(BEGINNER)
    assert ada.members["room"] is None


def test_the_race_goes_on_after_the_connection_was_lost(ada: Player, world: World) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    ada.do(reveal(Cell(0, 0)), 3_000, Command.REFRESH)
    ada.hang_up()
    again = world.player()
    again.send(KNOWN)
    assert seat(again, 2)["name"] == "Your best"
    again.send_after(1_000, Command.REFRESH)
    assert seat(again, 2)["place"] == 1


def test_the_best_of_others_is_raced_by_name(ada: Player, world: World) -> None:
    bob = world.player().do(BOB)
    win(bob, ms=2_000)
    ada.send(BEGINNER)
    ada.open("Play together", "Race alone")
    assert ada.row("Your best")["disabled"] == "There is no win to race against yet."
    assert ada.row("The best of all")["value"] == "Bob, 2.000 s"
    ada.choose("The best of all")
    assert seat(ada, 2)["name"] == "Bob"


def test_after_a_days_board_the_bests_are_those_of_any_day(ada: Player) -> None:
    win(ada, ms=4_000)
    win(ada, DAILY, ms=2_000)
    ada.open("Play together", "Race alone")
    assert ada.row("Your best")["value"] == "4.000 s"
    assert ada.row("Today's beginner")["value"] == "Ada, 2.000 s"


def test_todays_best_is_for_those_who_have_finished_the_board(ada: Player, world: World) -> None:
    world.know_for_a_day(BOB.key)
    bob = world.player().do(BOB)
    win(bob, DAILY, ms=2_000)
    ada.send(DAILY, reveal(Cell(0, 0)))
    race(ada, "Today's beginner")
    assert ada.message == "Finish this day's board first, then see how others play it."
    ada.do(BACK, BACK, BACK, *map(reveal, cells_of(DAYS, DAYS.safe)))
    race(ada, "Today's beginner")
    assert ada.members["room"]["state"] == "running"


def test_the_solver_is_raced_on_a_new_board_without_guesses(ada: Player, world: World) -> None:
    world.boards.append(FIELD.mines)
    world.rivals.append(SOLVER)
    ada.send(BEGINNER)
    race(ada, "The solver, brisk")
    laid, asked = world.questions
    assert isinstance(laid, LayBoard)
    assert isinstance(asked, RaceSolver)
    assert (asked.setup.layout, asked.pace_ms) == (FIELD.mines, 900)
    assert ada.entry("label") == "beginner no-guess 9x9"
    ada.send(reveal(Cell(8, 8)))
    assert (seat(ada, 2)["opened"], seat(ada, 2)["bot"]) == (300, False)
    ada.send_after(1_500, Command.REFRESH)
    assert seat(ada, 2)["opened"] == 600


def test_a_solver_that_takes_too_long_is_no_rival(ada: Player, world: World) -> None:
    world.boards.append(None)
    world.rivals.append(None)
    ada.send(BEGINNER)
    race(ada, "The solver, calm")
    assert ada.message == "The solver could not play this board in time. Try again."
    assert ada.members.get("room") is None


def test_nothing_of_a_rival_is_seen_but_how_far_it_is(ada: Player) -> None:
    win(ada, ms=4_000)
    race(ada, "Your best")
    ada.do(reveal(Cell(0, 0)), 4_000, Command.REFRESH)
    assert ada.said.keys() <= {"clock", "seats", "refresh"}
    assert set(seat(ada, 2)) == set(seat(ada, 1)) | {"time", "won", "speed", "efficiency"}


def test_in_a_room_nobody_races_alone(ada: Player) -> None:
    ada.do(BEGINNER, OpenMenu("people"), Pick("people", "race"), OpenMenu("people"))
    assert ada.row("Race alone")["disabled"] == "Leave your room first."
    ada.do(BACK, OpenMenu("alone")).sees({"message": "Leave your room first."})


def test_without_a_server_playing_together_says_how_to_get_one_and_offers_to_race_alone() -> None:
    world = World()
    ada = world.player(replace(CONFIG, has_company=False))
    ada.send(KNOWN, OpenMenu("people"))
    assert ada.members["message"]["id"] == "offline"
    assert "./run_server.sh" in ada.members["message"]["text"]
    assert ada.items == ["Race alone"]
    ada.choose("Race alone")
    assert ada.screen == "alone"
    for packet in (Join("KRTPWX"), OpenRoom(RoomKind.RACE), OpenRoom(RoomKind.QUICK)):
        ada.send(packet)
        assert ada.members["message"]["id"] == "offline"
        assert ada.members.get("room") is None
