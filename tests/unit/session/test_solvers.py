"""The server's own solvers in seats of a room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import OpenMenu, OpenRoom, Pick, Watch
from jminesweeper.session import solvers
from tests.world.player import Player
from tests.world.server import CONFIG, KNOWN, RACE, SHARED, World
from tests.world.together import (
    GIVE_UP,
    LEAVE,
    READY,
    Scene,
    Step,
    finish,
    hang_up,
    join,
    race,
    said,
    scene,
    scenes,
    seats,
    sit,
)

CALM, BRISK, MERCILESS = "Calm solver", "Brisk solver", "Merciless solver"
TRIO = [CALM, BRISK, MERCILESS]
ALL = ("solvers", "one of each")


def chooses(value: str, row: str = "solvers") -> Pick:
    return Pick("room", row, value)


def opened(names: str = "Ada", solver: str = "brisk", kind: OpenRoom = RACE) -> Step:
    """Have Ada open a room in which solvers race, and others join."""
    return sit(names, kind, ("solvers", solver))


def seconds(count: int) -> Step:
    return lambda scene: scene.world.pass_seconds(count)


def until_it_is_over(scene: Scene) -> None:
    while not scene.friend("Ada").members["room"]["headline"]:
        scene.world.pass_time(1_000)


def solvers_at_work(count: int) -> Step:
    def look(scene: Scene) -> None:
        assert len(scene.world.matches.solvers) == count

    return look


@scenes(
    [
        scene(
            "take seats and leave them as the host chooses",
            *(sit("Ada"), {"Ada sheet.solvers": "none"}, ("Ada", chooses("one of each"))),
            {"Ada seated": ["Ada", *TRIO], "Ada sheet.solvers": "one of each"},
            {f"Ada seats.{name}.{what}": True for name in TRIO for what in ("bot", "ready")},
            *(("Bob", join), {"Bob sheet": {}}, ("Bob", chooses("none"))),
            *({"Bob seated": ["Ada", *TRIO, "Bob"]}, 1_000, ("Ada", chooses("brisk"))),
            *({"Bob seated": ["Ada", "Bob", BRISK]}, 1_000, ("Ada", chooses("none"))),
            *({"Bob seated": ["Ada", "Bob"]}, 1_000, solvers_at_work(0)),
        ),
        scene(
            "begin no round by themselves",
            *(opened("Ada", "one of each"), 120_000, {"Ada room.state": "waiting"}),
            # Half of the people are not ready, however many solvers are.
            *(("Bob Cy", join), ("Ada", READY), 60_000, {"Ada room.state": "waiting"}),
            *(("Bob", READY), 24_000, {"Ada state": "playing"}),
            {"Ada company": {"Ada", *TRIO, "Bob", "Cy"}},
        ),
        scene(
            "are never the host and leave with the last person",
            *(opened("Ada Bob", "one of each"), ("Ada", LEAVE)),
            {"Bob room.host": 5, "Bob room.you": 5},
            *(("Bob", LEAVE), 1_000, solvers_at_work(0)),
        ),
        scene(
            "wait for a person whose connection was lost",
            *(opened(), ("Ada", hang_up), 60_000, solvers_at_work(1), 70_000, solvers_at_work(0)),
        ),
        scene(
            "leave a room that is for people only",
            *(opened(), ("Ada", chooses("people only", "bots")), 1_000, {"Ada seated": ["Ada"]}),
            *(("Ada", chooses("brisk")), {"Ada seated": ["Ada"]}),
        ),
        scene("race on no shared board", opened(kind=SHARED), {"Ada seated": ["Ada"]}),
        scene(
            "are as they were if the host chooses the same again",
            *(opened("Ada Bob"), ("Bob", READY), 1_000, ("Ada", chooses("brisk"))),
            {"Ada seats.Bob.ready": True},
        ),
        scene(
            "are removed one by one by the menu",
            *(opened("Ada", "one of each"), ("Ada", OpenMenu(""))),
            lambda evening: evening.friend("Ada").choose(f"Remove {BRISK}"),
            ("Ada", Pick("remove", "yes")),
            *({"Ada seated": ["Ada", CALM, MERCILESS]}, 1_000, solvers_at_work(2)),
        ),
        scene(
            "fill a series from round to round",
            *(opened(), ("Ada", chooses("best of 3", "series"), READY), 3_000, ("Ada", finish)),
            *(until_it_is_over, {"Ada room.headline": "You won the race!"}, seconds(13)),
            # Nobody presses a key.
            {"Ada state": "playing", "Ada room.series": "round 2 of 3"},
        ),
    ]
)
def test_solvers(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_a_player_races_solvers_alone_and_the_faster_is_first(world: World) -> None:
    evening = Scene(world).play(race("Ada", RACE, ALL), {"Ada state": "playing"}, 2_000)
    ada = evening.friend("Ada")
    assert seats(ada)[MERCILESS]["opened"] > seats(ada)[CALM]["opened"]
    evening.play(60_000, 62_000)
    assert ada.members["room"]["headline"].startswith("Merciless solver won by ")
    assert {name: seats(ada)[name]["place"] for name in TRIO} == {MERCILESS: 1, BRISK: 2, CALM: 3}
    assert seats(ada)[MERCILESS]["points"] == 3


def test_a_server_has_so_many_solvers_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 3)
    evening = Scene(world).play(opened("Ada", "one of each"), 1_000)
    # Those who are replaced are not counted with the others.
    evening.play(("Ada", chooses("calm")), {"Ada seated": ["Ada", CALM]})
    Scene(world).play(
        opened("Bob", "one of each"), {"Bob said": "solvers.busy", "Bob seated": ["Bob"]}
    )


def test_a_server_without_a_solver_says_so() -> None:
    ada = World().player(replace(CONFIG, has_solver=False))
    ada.send(KNOWN, RACE, chooses("brisk"))
    assert said(ada) == "solvers.none"


def test_a_board_that_a_worker_plays_too_late_is_played_no_more(world: World) -> None:
    tables, late = world.matches.tables, list[Callable[[object], None]]()
    means = tables.means
    assert means is not None
    tables.means = means._replace(play_board=lambda _code, _board, done: late.append(done))
    evening = Scene(world).play(opened(), ("Ada", READY), seconds(4), ("Ada", GIVE_UP), seconds(1))
    evening.play({"Ada room.headline": f"{BRISK} won the race."})
    (answer,) = late
    answer(())
    evening.play(seconds(10), {"Ada room.state": "over"}, ("Ada", READY), seconds(4))
    evening.play({"Ada state": "playing"})
    assert len(late) == 2


def test_a_winner_watches_how_a_solver_plays_on(world: World) -> None:
    evening = Scene(world).play(race("Ada", RACE, ("solvers", "calm")), ("Ada", finish))
    ada: Player = evening.friend("Ada")
    ada.send(Watch(str(seats(ada)[CALM]["number"])))
    assert ada.members["watching"]["name"] == CALM
    before, pointed = bytes(ada.faces), ada.members["cursor"]
    world.pass_seconds(8)
    assert ada.faces != before
    assert ada.members["cursor"] != pointed


def test_a_solver_whose_worker_finds_no_time_gives_up(world: World) -> None:
    means = world.matches.tables.means
    assert means is not None
    world.matches.tables.means = means._replace(play_board=lambda _code, _board, done: done(None))
    Scene(world).play(
        *(opened(), ("Ada", READY), seconds(9)),
        {"Ada room.headline": "You won the race!", f"Ada seats.{BRISK}.gave_up": True},
    )
