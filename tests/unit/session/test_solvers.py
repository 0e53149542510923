"""The server's own solvers in seats of a room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.protocol.packets import Hello, Join, OpenMenu, Pick, Ready, Watch
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session import solvers
from tests.world.player import Player
from tests.world.server import CONFIG, RACE, SHARED, World
from tests.world.together import LIVE_FEATURES, said, seats, solve

BRISK = "Brisk solver"
TRIO = {"Calm solver", BRISK, "Merciless solver"}


def choose(host: Player, what: str, value: str) -> None:
    host.send(Pick("room", what, value))


def sheet(player: Player) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in player.members["sheet"]}


def open_race(world: World, solver: str = "brisk") -> Player:
    """Have Ada open a room in which solvers race."""
    ada = world.friend("Ada")
    ada.send(RACE)
    choose(ada, "solvers", solver)
    return ada


def test_the_host_has_solvers_take_seats_and_leave_them(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(RACE)
    assert sheet(ada)["solvers"]["value"] == "none"
    choose(ada, "solvers", "one of each")
    assert seats(ada).keys() == {"Ada", *TRIO}
    assert sheet(ada)["solvers"]["value"] == "one of each"
    assert all(seats(ada)[name]["bot"] and seats(ada)[name]["ready"] for name in TRIO)
    bob.send(Join(ada.members["room"]["code"]))
    assert not bob.members.get("sheet")
    choose(bob, "solvers", "none")
    assert seats(bob).keys() == {"Ada", "Bob", *TRIO}
    world.pass_time(1_000)
    choose(ada, "solvers", "brisk")
    assert seats(bob).keys() == {"Ada", "Bob", BRISK}
    world.pass_time(1_000)
    choose(ada, "solvers", "none")
    assert seats(bob).keys() == {"Ada", "Bob"}
    world.pass_time(1_000)
    assert not world.matches.solvers


def test_a_player_races_solvers_alone_and_the_faster_is_first(world: World) -> None:
    ada = open_race(world, "one of each")
    ada.send(Ready())
    world.pass_time(3_000)
    assert ada.members["state"] == "playing"
    world.pass_time(2_000)
    opened = {name: seats(ada)[name]["opened"] for name in TRIO}
    assert opened["Merciless solver"] > opened["Calm solver"]
    world.pass_time(60_000)
    world.pass_time(62_000)
    assert ada.members["room"]["headline"].startswith("Merciless solver won by ")
    assert {name: seats(ada)[name]["place"] for name in TRIO} == {
        "Merciless solver": 1,
        BRISK: 2,
        "Calm solver": 3,
    }
    assert seats(ada)["Merciless solver"]["points"] == 3


def test_solvers_fill_a_series_from_round_to_round(world: World) -> None:
    ada = open_race(world)
    choose(ada, "series", "best of 3")
    ada.send(Ready())
    world.pass_time(3_000)
    solve(world, ada, world.minefield(ada.members["room"]["code"]))
    while not ada.members["room"]["headline"]:
        world.pass_time(1_000)
    assert ada.members["room"]["headline"] == "You won the race!"
    # Nobody presses a key.
    world.pass_seconds(13)
    assert (ada.members["state"], ada.members["room"]["series"]) == ("playing", "round 2 of 3")
    world.pass_seconds(5)
    assert seats(ada)[BRISK]["opened"] > seats(ada)["Ada"]["opened"]


def test_solvers_begin_no_round_by_themselves(world: World) -> None:
    ada = open_race(world, "one of each")
    world.pass_time(120_000)
    assert ada.members["room"]["state"] == "waiting"
    bob, cy = world.friend("Bob"), world.friend("Cy")
    for friend in (bob, cy):
        friend.send(Join(ada.members["room"]["code"]))
    ada.send(Ready())
    # Half of the people are not ready, however many solvers are.
    world.pass_time(60_000)
    assert ada.members["room"]["state"] == "waiting"
    bob.send(Ready())
    world.pass_time(24_000)
    assert ada.members["state"] == "playing"
    assert seats(ada).keys() >= TRIO


def test_solvers_are_never_the_host_and_leave_with_the_last_person(world: World) -> None:
    ada = open_race(world, "one of each")
    code = ada.members["room"]["code"]
    bob = world.friend("Bob")
    bob.send(Join(code))
    ada.send(Command.LEAVE)
    assert bob.members["room"]["host"] == bob.members["room"]["you"]
    bob.send(Command.LEAVE)
    world.pass_time(1_000)
    assert not world.matches.solvers
    assert world.matches.tables.find(code) is None


def test_solvers_wait_for_a_person_whose_connection_was_lost(world: World) -> None:
    ada = open_race(world)
    ada.hang_up()
    world.pass_time(60_000)
    assert len(world.matches.solvers) == 1
    world.pass_time(70_000)
    assert not world.matches.solvers


def test_solvers_leave_a_room_that_is_for_people_only(world: World) -> None:
    ada = open_race(world)
    choose(ada, "bots", "people only")
    world.pass_time(1_000)
    assert seats(ada).keys() == {"Ada"}
    assert sheet(ada)["solvers"]["disabled"] == "This room is for people only."
    choose(ada, "solvers", "brisk")
    assert seats(ada).keys() == {"Ada"}


def test_a_shared_board_has_no_solvers(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(SHARED)
    assert "solvers" not in sheet(ada)
    choose(ada, "solvers", "brisk")
    assert seats(ada).keys() == {"Ada"}


def test_the_host_removes_one_solver_by_the_menu(world: World) -> None:
    ada = open_race(world, "one of each")
    row = next(row for row in menu_rows(ada) if row["label"] == f"Remove {BRISK}")
    ada.send(Pick("room", row["id"]), Pick("remove", "yes"))
    assert seats(ada).keys() == {"Ada", *TRIO} - {BRISK}
    world.pass_time(1_000)
    assert len(world.matches.solvers) == 2


def menu_rows(player: Player) -> list[dict[str, Any]]:
    player.send(OpenMenu(""))
    rows: list[dict[str, Any]] = player.members["menu"]["rows"]
    return rows


def test_a_server_has_so_many_solvers_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 2)
    ada = open_race(world, "one of each")
    assert said(ada) == "solvers.busy"
    assert seats(ada).keys() == {"Ada"}


def test_solvers_that_others_replace_are_not_counted_with_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 3)
    ada = open_race(world, "one of each")
    world.pass_time(1_000)
    choose(ada, "solvers", "calm")
    assert seats(ada).keys() == {"Ada", "Calm solver"}


def test_the_same_solvers_again_make_nobody_unready(world: World) -> None:
    ada, bob = open_race(world), world.friend("Bob")
    bob.send(Join(ada.members["room"]["code"]))
    bob.send(Ready())
    world.pass_time(1_000)
    before = seats(ada)
    assert before["Bob"]["ready"]
    choose(ada, "solvers", "brisk")
    assert seats(ada) == before


def test_a_server_without_a_solver_says_so() -> None:
    world = World()
    ada = world.player(replace(CONFIG, has_solver=False))
    world.players.append(ada)
    ada.send(Hello(LIVE_FEATURES, b"Ada.............", "Ada"), RACE)
    choose(ada, "solvers", "brisk")
    assert said(ada) == "solvers.none"


def test_a_board_that_a_worker_plays_too_late_is_played_no_more(world: World) -> None:
    tables, late = world.matches.tables, list[Callable[[object], None]]()
    means = tables.means
    assert means is not None
    tables.means = means._replace(play_board=lambda _code, _board, done: late.append(done))
    ada = open_race(world)
    ada.send(Ready())
    world.pass_seconds(4)
    ada.send(Command.GIVE_UP)
    world.pass_seconds(1)
    assert ada.members["room"]["headline"] == f"{BRISK} won the race."
    (answer,) = late
    answer(())
    world.pass_seconds(10)
    assert ada.members["room"]["state"] == "over"
    ada.send(Ready())
    world.pass_seconds(4)
    assert (ada.members["state"], len(late)) == ("playing", 2)


def test_a_winner_watches_how_a_solver_plays_on(world: World) -> None:
    ada = open_race(world, "calm")
    ada.send(Ready())
    world.pass_seconds(3)
    solve(world, ada, world.minefield(ada.members["room"]["code"]))
    ada.send(Watch(str(seats(ada)["Calm solver"]["number"])))
    assert ada.members["watching"]["name"] == "Calm solver"
    before, pointed = bytes(ada.faces), ada.members["cursor"]
    world.pass_seconds(8)
    assert ada.faces != before
    assert ada.members["cursor"] != pointed


def test_a_solver_whose_worker_finds_no_time_gives_up(world: World) -> None:
    means = world.matches.tables.means
    assert means is not None
    world.matches.tables.means = means._replace(play_board=lambda _code, _board, done: done(None))
    ada = open_race(world)
    ada.send(Ready())
    world.pass_seconds(9)
    assert ada.members["room"]["headline"] == "You won the race!"
    assert seats(ada)[BRISK]["gave_up"]
