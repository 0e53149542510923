"""The server's own solvers in seats of a room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.protocol.packets import Hello, Join, OpenMenu, Pick, Ready, Watch
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.session import solvers
from tests.unit.session.backstage import CONFIG
from tests.unit.session.party import LIVE, RACE, SHARED, Party, said, seats, solve
from tests.unit.session.player import Player

BRISK = "Brisk solver"
TRIO = {"Calm solver", BRISK, "Merciless solver"}


def choose(party: Party, host: Player, what: str, value: str) -> None:
    party.do(host, Pick("room", what, value))


def sheet(player: Player) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in player.members["sheet"]}


def pass_seconds(party: Party, seconds: int) -> None:
    for _ in range(seconds):
        party.pass_time(1_000)


def open_race(party: Party, solver: str = "brisk") -> Player:
    """Have Ada open a room in which solvers race."""
    ada = party.friend("Ada")
    party.do(ada, RACE)
    choose(party, ada, "solvers", solver)
    return ada


def test_the_host_has_solvers_take_seats_and_leave_them(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, RACE)
    assert sheet(ada)["solvers"]["value"] == "none"
    choose(party, ada, "solvers", "one of each")
    assert seats(ada).keys() == {"Ada", *TRIO}
    assert sheet(ada)["solvers"]["value"] == "one of each"
    assert all(seats(ada)[name]["bot"] and seats(ada)[name]["ready"] for name in TRIO)
    party.do(bob, Join(ada.members["room"]["code"]))
    assert not bob.members.get("sheet")
    choose(party, bob, "solvers", "none")
    assert seats(bob).keys() == {"Ada", "Bob", *TRIO}
    party.pass_time(1_000)
    choose(party, ada, "solvers", "brisk")
    assert seats(bob).keys() == {"Ada", "Bob", BRISK}
    party.pass_time(1_000)
    choose(party, ada, "solvers", "none")
    assert seats(bob).keys() == {"Ada", "Bob"}
    party.pass_time(1_000)
    assert not party.backstage.matches.solvers


def test_a_player_races_solvers_alone_and_the_faster_is_first(party: Party) -> None:
    ada = open_race(party, "one of each")
    party.do(ada, Ready())
    party.pass_time(3_000)
    assert ada.members["state"] == "playing"
    party.pass_time(2_000)
    opened = {name: seats(ada)[name]["opened"] for name in TRIO}
    assert opened["Merciless solver"] > opened["Calm solver"]
    party.pass_time(60_000)
    party.pass_time(62_000)
    assert ada.members["room"]["headline"].startswith("Merciless solver won by ")
    assert {name: seats(ada)[name]["place"] for name in TRIO} == {
        "Merciless solver": 1,
        BRISK: 2,
        "Calm solver": 3,
    }
    assert seats(ada)["Merciless solver"]["points"] == 3


def test_solvers_fill_a_series_from_round_to_round(party: Party) -> None:
    ada = open_race(party)
    choose(party, ada, "series", "best of 3")
    party.do(ada, Ready())
    party.pass_time(3_000)
    solve(party, ada, party.minefield(ada.members["room"]["code"]))
    pass_seconds(party, 20)
    assert ada.members["room"]["headline"] == "You won the race!"
    # Nobody presses a key.
    pass_seconds(party, 13)
    assert (ada.members["state"], ada.members["room"]["series"]) == ("playing", "round 2 of 3")
    pass_seconds(party, 5)
    assert seats(ada)[BRISK]["opened"] > seats(ada)["Ada"]["opened"]


def test_solvers_begin_no_round_by_themselves(party: Party) -> None:
    ada = open_race(party, "one of each")
    party.pass_time(120_000)
    assert ada.members["room"]["state"] == "waiting"
    bob, cy = party.friend("Bob"), party.friend("Cy")
    for friend in (bob, cy):
        party.do(friend, Join(ada.members["room"]["code"]))
    party.do(ada, Ready())
    # Half of the people are not ready, however many solvers are.
    party.pass_time(60_000)
    assert ada.members["room"]["state"] == "waiting"
    party.do(bob, Ready())
    party.pass_time(24_000)
    assert ada.members["state"] == "playing"
    assert seats(ada).keys() >= TRIO


def test_solvers_are_never_the_host_and_leave_with_the_last_person(party: Party) -> None:
    ada = open_race(party, "one of each")
    code = ada.members["room"]["code"]
    bob = party.friend("Bob")
    party.do(bob, Join(code))
    party.do(ada, Command.LEAVE)
    assert bob.members["room"]["host"] == bob.members["room"]["you"]
    party.do(bob, Command.LEAVE)
    party.pass_time(1_000)
    assert not party.backstage.matches.solvers
    assert party.backstage.matches.tables.find(code) is None


def test_solvers_wait_for_a_person_whose_connection_was_lost(party: Party) -> None:
    ada = open_race(party)
    ada.hang_up()
    party.pass_time(60_000)
    assert len(party.backstage.matches.solvers) == 1
    party.pass_time(70_000)
    assert not party.backstage.matches.solvers


def test_solvers_leave_a_room_that_is_for_people_only(party: Party) -> None:
    ada = open_race(party)
    choose(party, ada, "bots", "people only")
    party.pass_time(1_000)
    assert seats(ada).keys() == {"Ada"}
    assert sheet(ada)["solvers"]["disabled"] == "This room is for people only."
    choose(party, ada, "solvers", "brisk")
    assert seats(ada).keys() == {"Ada"}


def test_a_shared_board_has_no_solvers(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, SHARED)
    assert "solvers" not in sheet(ada)
    choose(party, ada, "solvers", "brisk")
    assert seats(ada).keys() == {"Ada"}


def test_the_host_removes_one_solver_by_the_menu(party: Party) -> None:
    ada = open_race(party, "one of each")
    row = next(row for row in menu_rows(party, ada) if row["label"] == f"Remove {BRISK}")
    party.do(ada, Pick("room", row["id"]), Pick("remove", "yes"))
    assert seats(ada).keys() == {"Ada", *TRIO} - {BRISK}
    party.pass_time(1_000)
    assert len(party.backstage.matches.solvers) == 2


def menu_rows(party: Party, player: Player) -> list[dict[str, Any]]:
    party.do(player, OpenMenu(""))
    rows: list[dict[str, Any]] = player.members["menu"]["rows"]
    return rows


def test_a_server_has_so_many_solvers_and_no_more(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 2)
    ada = open_race(party, "one of each")
    assert said(ada) == "solvers.busy"
    assert seats(ada).keys() == {"Ada"}


def test_solvers_that_others_replace_are_not_counted_with_them(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 3)
    ada = open_race(party, "one of each")
    party.pass_time(1_000)
    choose(party, ada, "solvers", "calm")
    assert seats(ada).keys() == {"Ada", "Calm solver"}


def test_the_same_solvers_again_make_nobody_unready(party: Party) -> None:
    ada, bob = open_race(party), party.friend("Bob")
    party.do(bob, Join(ada.members["room"]["code"]))
    party.do(bob, Ready())
    party.pass_time(1_000)
    before = seats(ada)
    assert before["Bob"]["ready"]
    choose(party, ada, "solvers", "brisk")
    assert seats(ada) == before


def test_a_server_without_a_solver_says_so() -> None:
    party = Party()
    ada = party.backstage.player(replace(CONFIG, has_solver=False))
    party.players.append(ada)
    party.do(ada, Hello(LIVE, b"Ada.............", "Ada"), RACE)
    choose(party, ada, "solvers", "brisk")
    assert said(ada) == "solvers.none"


def test_a_board_that_a_worker_plays_too_late_is_played_no_more(party: Party) -> None:
    tables, late = party.backstage.matches.tables, list[Callable[[object], None]]()
    means = tables.means
    assert means is not None
    tables.means = means._replace(play_board=lambda _code, _board, done: late.append(done))
    ada = open_race(party)
    party.do(ada, Ready())
    pass_seconds(party, 4)
    party.do(ada, Command.GIVE_UP)
    pass_seconds(party, 1)
    assert ada.members["room"]["headline"] == f"{BRISK} won the race."
    (answer,) = late
    answer(())
    pass_seconds(party, 10)
    assert ada.members["room"]["state"] == "over"
    party.do(ada, Ready())
    pass_seconds(party, 4)
    assert (ada.members["state"], len(late)) == ("playing", 2)


def test_a_winner_watches_how_a_solver_plays_on(party: Party) -> None:
    ada = open_race(party, "calm")
    party.do(ada, Ready())
    pass_seconds(party, 3)
    solve(party, ada, party.minefield(ada.members["room"]["code"]))
    party.do(ada, Watch(str(seats(ada)["Calm solver"]["number"])))
    assert ada.members["watching"]["name"] == "Calm solver"
    before, pointed = bytes(ada.faces), ada.members["cursor"]
    pass_seconds(party, 8)
    assert ada.faces != before
    assert ada.members["cursor"] != pointed


def test_a_solver_whose_worker_finds_no_time_gives_up(party: Party) -> None:
    means = party.backstage.matches.tables.means
    assert means is not None
    party.backstage.matches.tables.means = means._replace(
        play_board=lambda _code, _board, done: done(None)
    )
    ada = open_race(party)
    party.do(ada, Ready())
    pass_seconds(party, 9)
    assert ada.members["room"]["headline"] == "You won the race!"
    assert seats(ada)[BRISK]["gave_up"]
