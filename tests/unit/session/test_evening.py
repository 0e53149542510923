"""An evening in a room: what is said of the others, and how rounds end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import LookBack, NewGame, OpenMenu, Pick, RecordingContent, Watch
from jminesweeper.protocol.vocabulary import Command, LookBackAt, RoomKind
from jminesweeper.recordings.figures import Figures
from jminesweeper.recordings.text import parse_game
from jminesweeper.store.port import Commit, Read
from tests.world.server import RACE, SHARED, World
from tests.world.together import (
    BEGINNER,
    GIVE_UP,
    LEAVE,
    MENU,
    READY,
    Scene,
    Step,
    again,
    come_again,
    finish,
    finish_in_turn,
    hang_up,
    hit,
    join,
    open_last,
    people,
    race,
    reveal,
    said,
    scene,
    scenes,
    seats,
    sit,
)

RIVALS = (Watch("2"),) * 10
REPLAY = LookBack(LookBackAt.REPLAY)


@scenes(
    [
        scene(
            "the first win is said with the time that is left",
            *(race("Ada Bob"), 41_200, ("Ada", finish)),
            {"Ada news": [], "Bob news": ["Ada won in 41.2 s: you have 60 s."]},
        ),
        scene(
            "who finishes later finishes",
            *(race("Ada Bob Cy"), ("Ada", finish), 5_000, ("Bob", finish)),
            {"Ada news": ["Bob finished in 5.0 s."], "Cy news": ["Bob finished in 5.0 s."]},
        ),
        scene(
            "a mine that somebody hits is said",
            *(race("Ada Bob"), ("Ada", hit)),
            {"Ada news": [], "Bob news": ["Ada hit a mine."]},
        ),
        scene(
            "who goes is said and who is host then",
            *(sit("Ada Bob Cy"), ("Ada", LEAVE)),
            {"Bob news": ["Ada left.", "You are the host now."], "Bob room.host": 2},
            {"Cy news": ["Ada left.", "Bob is the host now."]},
        ),
        scene(
            "who quits has left and only who hangs up has lost the connection",
            *(race("Ada Bob Cy"), ("Bob", Command.QUIT), {"Ada news": ["Bob left."]}),
            *(("Cy", hang_up), {"Ada news": ["Cy lost the connection."]}),
            # Both seats are kept.
            *(come_again("Bob"), {"Bob screen": "seat"}, ("Bob", Pick("seat", "return"))),
            {"Ada seats.Bob.here": True, "Ada seats.Cy.here": False},
            *(("Bob", hang_up), {"Ada news": ["Bob lost the connection."]}),
        ),
        scene(
            "of two with one name the news tell which",
            *(race("Ada Bob Bob#2"), ("Bob#2", LEAVE), {"Ada news": ["Bob#2 left."]}),
        ),
        scene(
            "rivals are listed by place then by how much they opened",
            *(race("Ada Bob Cy"), ("Cy", open_last), 300, {"Ada seated": ["Cy", "Ada", "Bob"]}),
            *(("Bob", finish), {"Ada seated": ["Bob", "Cy", "Ada"]}),
        ),
    ]
)
def test_what_the_others_do(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


@scenes(
    [
        scene(
            "a race ends with a headline for each",
            *(race("Ada Bob Cy"), ("Ada", finish), 3_100, ("Bob", finish), ("Cy", LEAVE)),
            {"Ada room.headline": "You won the race!", "Bob room.headline": "Ada won by 3.1 s."},
            {"Bob seats.Ada.place": 1, "Bob seats.Cy.place": None},
        ),
        scene(
            "a result lists those alone who played the round",
            *(race("Ada Bob"), ("Cy", join), finish_in_turn("Ada Bob")),
            {"Ada seated": ["Ada", "Bob"], "Cy seated": ["Ada", "Bob", "Cy"]},
            {"Ada room.score": "you 1 : 0 Bob"},
        ),
        scene(
            "the only one who finishes has no lead to tell",
            *(race("Ada Bob"), ("Ada", finish), {"Ada room.score": ""}, 60_000),
            {"Bob room.headline": "Ada won the race."},
        ),
        scene(
            "the score of the evening is one's own first",
            *(race("Ada Bob"), finish_in_turn("Ada Bob"), again("Ada Bob")),
            *(finish_in_turn("Bob Ada"), again("Ada Bob"), finish_in_turn("Ada Bob")),
            {"Ada room.score": "you 2 : 1 Bob", "Bob room.score": "you 1 : 2 Ada"},
        ),
        scene(
            "three have points for everybody they beat",
            *(race("Ada Bob Cy"), finish_in_turn("Cy Bob Ada")),
            {"Ada room.score": "points: Cy 2, Bob 1, you 0", "Ada seats.Cy.points": 2},
        ),
        scene(
            "the result stays with its score while others play on",
            *(race("Ada Bob Cy"), finish_in_turn("Ada Bob Cy"), ("Ada Bob", READY), 20_000, 5_000),
            *({"Ada room.state": "running"}, finish_in_turn("Bob Ada")),
            {"Cy room.state": "over", "Cy room.headline": "Ada won by 1.0 s."},
            {"Cy room.score": "points: Ada 2, Bob 1, you 0"},
        ),
        scene(
            "a shared board that is won ends with a headline for all",
            *(race("Ada Bob", SHARED), ("Ada", finish)),
            {f"{name} room.headline": "You have won together!" for name in ("Ada", "Bob")},
            {"Ada room.score": "boards won together: 1"},
        ),
        scene(
            "and so does one that is lost",
            *(race("Ada Bob", SHARED), ("Bob", hit)),
            {f"{name} room.headline": "The board is lost." for name in ("Ada", "Bob")},
            {"Ada room.score": ""},
        ),
    ]
)
def test_the_end_of_a_round(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


@scenes(
    [
        scene(
            "who gives up ends the own copy and sees no mines",
            *(race("Ada Bob Cy"), ("Ada", GIVE_UP)),
            {"Ada state": "given up", "Ada said": "race.gave_up", "Ada sees mines": False},
            {"Bob news": ["Ada gave up."], "Bob seats.Ada.gave_up": True},
            *(("Ada", REPLAY), {"Ada said": "race.later"}),
        ),
        scene(
            "the last who has not given up has won",
            *(race("Ada Bob Cy"), ("Ada", GIVE_UP), {"Cy room.state": "running"}, ("Bob", LEAVE)),
            {"Cy room.headline": "You won the race!", "Ada room.headline": "Cy won the race."},
            {"Ada seats.Cy.place": 1, "Ada seats.Cy.points": 2},
        ),
        scene(
            "nothing but a race is given up",
            *(race("Ada Bob", SHARED), ("Ada", GIVE_UP), {"Ada state": "playing"}),
        ),
    ]
)
def test_giving_up(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_who_has_won_watches_those_who_play_on_until_the_round_is_over(world: World) -> None:
    evening = Scene(world).play(race("Ada Bob Cy"), ("Ada", finish, Watch("2")))
    ada, bob = evening.friends("Ada Bob")
    assert "rivals" in ada.members["keys"]
    evening.play({"Ada watching.name": "Bob", "Ada state": "playing"})
    assert ada.faces == bob.faces
    evening.play(("Bob", hit))
    assert ada.faces == bob.faces
    evening.play(
        *({"Ada seats.Bob.hits": 1}, ("Ada", Watch("3")), {"Ada watching.name": "Cy"}),
        *(("Ada", MENU), {"Ada watching": None, "Ada state": "won"}),
        *(("Ada", Watch("2")), ("Bob Cy", GIVE_UP)),
        {"Ada room.state": "over", "Ada watching": None, "Ada room.headline": "You won the race!"},
    )


@pytest.mark.parametrize("deed", [GIVE_UP, Command.REFRESH], ids=["gave up", "plays"])
def test_who_has_not_won_sees_no_board_but_the_own(world: World, deed: Command) -> None:
    evening = Scene(world).play(race("Ada Bob Cy"), ("Ada", deed))
    assert "rivals" not in evening.friend("Ada").members["keys"]
    for seat in ("2", "1", "9", "Bob", "\N{SUPERSCRIPT TWO}"):
        evening.play(("Ada", Watch(seat)), {"Ada said": "room.first", "Ada watching": None})


def test_boards_of_rivals_are_not_asked_for_by_the_hundred(world: World) -> None:
    Scene(world).play(
        race("Ada Bob Cy"),
        ("Ada", finish, *RIVALS),
        {"Ada said": "slow"},
        ("Ada", Watch("1")),
        {"Ada said": "rivals.none"},
    )


# What is asked first


def test_leaving_a_running_round_by_the_menu_is_asked(world: World) -> None:
    leave = Pick("room", "leave")
    Scene(world).play(
        *(race("Ada Bob"), ("Ada", OpenMenu("room"), leave)),
        {"Ada menu.title": "Leave the running round?"},
        ("Ada", Pick("leave", "no")),
        {"Ada menu.id": "room", "Ada room.state": "running"},
        *(("Ada", leave, Pick("leave", "yes")), {"Ada room": None}),
        {"Bob news": ["Ada left.", "You are the host now."]},
    )


def test_removing_somebody_is_asked_said_to_all_and_done_at_once(world: World) -> None:
    evening = Scene(world).play(race("Ada Bob Cy Bob#2"))
    ada, cy, second = evening.friends("Ada Cy Bob#2")
    ada.send(OpenMenu("room"))
    ada.choose("Remove Bob#2")
    assert ada.members["menu"]["title"] == "Remove Bob#2, for good?"
    ada.send(Pick("remove", "no"))
    assert len(seats(cy)) == 4
    ada.choose("Remove Bob#2")
    ada.send(Pick("remove", "yes"))
    assert said(second) == "room.removed"
    assert len(seats(cy)) == 3
    evening.play({"Cy news": ["The host has removed Bob#2."]})


NEXT_ROUND: tuple[Step, ...] = (10_500, 3_000)
"""After a round of a series the next one is called by itself, and begins."""


@scenes(
    [
        scene(
            "goes on by itself until it is decided",
            *(race("Ada Bob", RACE, ("series", "best of 3")), {"Ada room.series": "round 1 of 3"}),
            *(finish_in_turn("Ada Bob"), {"Bob room.state": "over", "Bob starts_in": 13_000}),
            {"Bob room.headline": "Ada won by 1.0 s."},
            *(9_000, {"Bob room.state": "over"}, 2_000, {"Bob room.state": "countdown"}, 3_000),
            {"Bob room.series": "round 2 of 3", "Bob room.score": "you 0 : 1 Ada"},
            finish_in_turn("Ada Bob"),
            {
                "Ada room.headline": "You won the series!",
                "Bob room.headline": "Ada won the series.",
                "Ada room.share": "JMinesweeper, best of 3, beginner 9x9: 1. Ada 2, 2. Bob 0",
            },
            *(30_000, {"Ada room.state": "over", "Ada starts_in": None}),
            # The next one begins at nil.
            *(again("Ada Bob"), {"Ada room.series": "round 1 of 3", "Ada room.score": ""}),
        ),
        scene(
            "takes in who comes from the next round on",
            *(race("Ada Bob", RACE, ("series", "best of 5")), ("Cy", join)),
            *({"Cy room.state": "running"}, finish_in_turn("Ada Bob"), *NEXT_ROUND),
            *({"Cy state": "playing"}, finish_in_turn("Cy Ada Bob")),
            {"Cy room.score": "points: you 2, Ada 2, Bob 0"},
        ),
        scene(
            "by time ends with the round that uses it up",
            *(race("Ada Bob", RACE, ("series", "15 minutes")), 14 * 60_000),
            *(finish_in_turn("Bob Ada"), {"Ada room.share": ""}, *NEXT_ROUND),
            *({"Ada room.series": "14 of 15 minutes"}, 60_000, finish_in_turn("Ada Bob")),
            {"Ada room.headline": "The series is tied."},
            {
                "Ada room.share": "JMinesweeper, 15 minutes, beginner 9x9: 1. Ada 1, 2. Bob 1",
            },
        ),
        scene(
            "waits for a second player",
            *(race("Ada Bob", RACE, ("series", "best of 5")), finish_in_turn("Ada Bob")),
            *(("Bob", LEAVE), 20_000, {"Ada room.state": "over"}, ("Bob", join), *NEXT_ROUND),
            {"Ada state": "playing", "Bob state": "playing", "Bob room.score": "you 0 : 1 Ada"},
        ),
    ]
)
def test_a_series(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


# What the host chooses


CHOICES = {
    "columns": "255",
    "rows": "200",
    "mines": "9000",
    "mine": "the end",
    "bots": "people only",
    "open": "everybody",
    "lock": "on",
    "series": "30 minutes",
}


def chooses(row: str, value: str) -> tuple[Step, ...]:
    return (("Ada", Pick("room", row, value)), 1_000, {f"Ada sheet.{row}": value})


@scenes(
    [
        scene(
            "the host on the sheet of the waiting room",
            sit("Ada Bob"),
            *(step for row, value in CHOICES.items() for step in chooses(row, value)),
            {"Bob room.label": "custom 255x200", "Bob room.mine": "ends", "Bob sheet": {}},
            {"Bob room.bots": False, "Bob room.open": True, "Bob room.series": "30 minutes"},
        ),
        scene(
            "nobody but the host, and nobody in a round",
            *(sit("Ada Bob"), ("Bob", Pick("room", "columns", "30"))),
            ("Ada", Pick("room", "columns", "many"), Pick("room", "no row", "1")),
            *({"Ada room.label": "beginner 9x9"}, again("Ada Bob")),
            ("Ada", Pick("room", "columns", "30")),
            {"Ada sheet": {}, "Ada room.label": "beginner 9x9"},
        ),
        scene(
            "a board that shrinks keeps a safe cell",
            *(sit("Ada"), *chooses("columns", "1"), *chooses("rows", "2")),
            {"Ada sheet.mines": "1"},
        ),
    ]
)
def test_who_chooses(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_figures_of_a_round_are_those_that_the_library_finds(world: World) -> None:
    evening = Scene(world).play(race("Ada Bob"), ("Ada", hit), 20_000, ("Ada Bob", finish))
    ada = evening.friend("Ada").send(LookBack(LookBackAt.RECORDING))
    recording = ada.replies[-1]
    assert isinstance(recording, RecordingContent)
    figures = Figures.of(parse_game(recording.text.decode()))
    told, seat = dict(ada.members["figures"]), seats(ada)["Ada"]
    assert figures.bbbv_per_second is not None
    assert figures.efficiency is not None
    assert told["time"] == f"{figures.elapsed_ms / 1000:.3f} s"
    assert told["3BV"] == (
        f"{figures.solved} of {figures.bbbv}, {figures.bbbv_per_second:.2f} a second"
    )
    assert told[f"clicks {figures.clicks}:"] == (
        f"{figures.left_clicks} left, {figures.right_clicks} right, {figures.chords} chords"
    )
    assert told["efficiency"] == f"{figures.efficiency:.0%}".replace("%", " %")
    assert (seat["time"], seat["won"]) == (figures.elapsed_ms, True)
    assert seat["speed"] == round(100 * figures.bbbv_per_second)
    assert seat["efficiency"] == round(100 * figures.efficiency)


# The ladder


RATED: tuple[Step, ...] = (race("Ada Bob@2"), finish_in_turn("Ada Bob@2"))
LADDER_OFF = (OpenMenu("settings"), Pick("settings", "ladder", "off"), MENU)


@scenes(
    [
        scene(
            "between known players once",
            *RATED,
            *(
                {
                    f"{name} seats.Ada.rating": "1658?",
                    f"{name} seats.Bob.rating": "1342?",
                    f"{name} seats.Ada.change": 158,
                    f"{name} seats.Bob.change": -158,
                }
                for name in ("Ada", "Bob@2")
            ),
            *(70_000, ("Ada", READY), {"Ada seats.Ada.rating": "1658?"}),
            # It is shown in the next room.
            *(("Ada", LEAVE), 2_000, ("Ada", RACE), {"Ada seats.Ada.rating": "1658?"}),
        ),
        *(
            scene(
                f"and none {why}", *steps, {"Ada room.state": "over", "Ada seats.Ada.change": None}
            )
            for why, steps in {
                "of one address": (race("Ada Bob"), finish_in_turn("Ada Bob")),
                "where somebody is not on the ladder": (("Bob@2", *LADDER_OFF), *RATED),
                "on a board of one's own": (
                    *(race("Ada Bob@2", replace(RACE, board="9x9/12")),),
                    finish_in_turn("Ada Bob@2"),
                ),
                "on a shared board": (race("Ada Bob@2", SHARED), finish_in_turn("Ada")),
                "with a bot": (
                    *(race("Ada Bob@2 Bot@3"),),
                    finish_in_turn("Ada Bob@2 Bot@3"),
                ),
                "with a guest": (race("Ada ~@2"), finish_in_turn("Ada ~@2")),
            }.items()
        ),
    ]
)
def test_a_race_moves_ratings(world: World, steps: tuple[Step, ...]) -> None:
    Scene(world).play(*steps)


def test_a_rating_is_on_the_ladder_and_beside_the_name_of_who_is_on(world: World) -> None:
    evening = Scene(world).play(*RATED, 3_000)
    ada, bob, cy = evening.friends("Ada Bob@2 Cy@3")
    assert [row["label"] for row in people(cy)] == ["Ada (1658?)", "Bob (1342?)"]
    evening.play(("Ada", LEAVE, OpenMenu("records"), Pick("records", "ladder")))
    assert "Beginner, you 1658?" in ada.members["page"]["lines"]
    # Nobody has raced on Expert, and Bob is not on the ladder any more.
    evening.play(
        *(("Cy@3", MENU), ("Ada", NewGame("expert"), reveal(Cell(4, 4)))),
        *(("Bob@2", LEAVE, *LADDER_OFF, BEGINNER, reveal(Cell(4, 4))), 3_000),
    )
    assert bob.screen == "game"
    assert {row["label"] for row in people(cy)} == {"Ada", "Bob"}
    evening.play(("Cy@3", MENU), ("Ada", replace(RACE, kind=RoomKind.QUICK)), 3_000)
    assert {row["label"] for row in people(cy)} == {"Ada (1658?)", "Bob"}


def test_a_line_that_says_the_same_is_stored_again_without_a_look_at_the_rating(
    world: World,
) -> None:
    evening = Scene(world).play(*RATED, 3_000)
    assert [row["label"] for row in people(evening.friends("Cy@3")[0])][:1] == ["Ada (1658?)"]
    world.take_operations()
    world.pass_seconds(40)
    asked = world.take_operations()
    stored = [put.key for one in asked if isinstance(one, Commit) for put in one.puts]
    read = [key for one in asked if isinstance(one, Read) for key in one.keys]
    assert any(key.startswith("here:") for key in stored)
    assert not any(key.startswith("ladder:") for key in read)
