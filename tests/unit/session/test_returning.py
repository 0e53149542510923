"""Coming back: to a seat that is kept, to a game that waits, and to a board after a room."""

from dataclasses import replace
from typing import NamedTuple

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Hello, Join, NewGame, OpenRoom, Pick, Start
from jminesweeper.protocol.vocabulary import Feature, MineCode, NewGameFlag
from jminesweeper.records.keys import handle_of
from tests.world.player import BACK, Player
from tests.world.server import RACE, SHARED, World
from tests.world.together import (
    BEGINNER,
    LEAVE,
    LIVE_FEATURES,
    READY,
    Scene,
    come_again,
    hang_up,
    open_last,
    race,
    reveal,
    said,
    seats,
    sit,
)

ADA = b"Ada............."
ASKS = Feature.LIVE
"""Features of a client that has a waiting game asked about."""
PLAYS = (BEGINNER, reveal(Cell(4, 4)))
RETURN, STAY, RESUME = Pick("seat", "return"), Pick("seat", "stay"), Pick("resume", "resume")


def again(world: World, features: int = LIVE_FEATURES, name: str = "") -> Player:
    """Connect Ada again, as a client that was started anew."""
    return world.player().do(Hello(features, ADA, name))


class Left(NamedTuple):
    """A room with Bob in it, which Ada has lost; and her own game, as she saw it."""

    code: str
    bob: Player
    faces: bytes


def left_in_a_round(world: World, kind: OpenRoom = RACE) -> Left:
    evening = Scene(world).play(("Ada", *PLAYS))
    faces = bytes(evening.friend("Ada").faces)
    evening.play(race("Ada Bob", kind), ("Ada", hang_up))
    return Left(evening.code, evening.friend("Bob"), faces)


def test_whoever_comes_again_is_asked_to_return_to_a_seat_in_a_running_round(world: World) -> None:
    code, bob, _ = left_in_a_round(world, SHARED)
    assert not seats(bob)["Ada"]["here"]
    ada = again(world)
    assert ada.members["menu"]["title"] == f"Your seat in {code} is kept"
    first = ada.members["menu"]["rows"][0]
    assert (first["id"], first["label"]) == ("return", "Return")
    ada.send(RETURN)
    assert (ada.members["room"]["code"], ada.members["state"]) == (code, "playing")
    assert seats(bob)["Ada"]["here"]


def test_who_does_not_return_has_the_own_game_that_waits(world: World) -> None:
    left = left_in_a_round(world)
    ada = again(world, ASKS)
    screens = [ada.screen, ada.send(STAY).screen]
    assert screens == ["seat", "resume"]
    assert ada.send(RESUME).faces == left.faces
    # The seat is kept all the same.
    assert again(world, ASKS).send(RETURN).members["room"]["state"] == "running"


def test_the_end_of_the_own_game_is_told_after_the_question_about_the_seat(world: World) -> None:
    won = (NewGame("2x1/1"), reveal(Cell(0, 0)))
    Scene(world).play(("Ada", *won), {"Ada said": "best"}, race("Ada Bob"), ("Ada", hang_up))
    ada = again(world)
    assert (ada.screen, said(ada)) == ("seat", "")
    ada.send(STAY)
    assert (ada.screen, said(ada)) == ("game", "won")


@pytest.mark.parametrize("features", [LIVE_FEATURES, ASKS])
def test_the_own_game_comes_back_after_the_seat_one_returned_to(
    world: World, features: Feature
) -> None:
    left = left_in_a_round(world)
    ada = again(world, features).send(RETURN, LEAVE)
    if ada.screen == "resume":
        ada.send(RESUME)
    assert (ada.members["room"], bytes(ada.faces)) == (None, left.faces)


@pytest.mark.parametrize("flag", [NewGameFlag.AFTER_ASKING, NewGameFlag.IF_NONE])
def test_a_game_asked_for_at_the_start_waits_for_the_answer(
    world: World, flag: NewGameFlag
) -> None:
    evening = Scene(world).play(race("Ada Bob", SHARED), ("Ada", hang_up))
    wanted = NewGame("intermediate", flag)
    second, third = again(world), again(world)
    assert second.send(wanted).screen == "seat"
    second.send(STAY)
    assert (second.screen, second.members["label"]) == ("game", "intermediate 16x16")
    third.send(wanted, RETURN)
    assert third.members["room"]["code"] == evening.code
    assert third.members["label"] == "beginner 9x9"


def test_nobody_is_asked_about_a_seat_that_was_left_or_is_gone(world: World) -> None:
    Scene(world).play(race("Ada Bob"), ("Ada", LEAVE, hang_up))
    assert again(world).screen != "seat"
    evening = Scene(world).play(sit("Cy Dan"), ("Cy", hang_up))
    # The seat is kept for two minutes.
    evening.play(*[60_000] * 3, {"Dan seated": ["Dan"]}, come_again("Cy"))
    assert evening.friend("Cy").screen != "seat"


def test_a_lost_connection_joins_again_without_a_question_left_open(world: World) -> None:
    left = left_in_a_round(world, SHARED)
    ada = again(world).send(Join(left.code))
    assert (ada.members["room"]["code"], ada.members["menu"]) == (left.code, None)
    assert ada.send(LEAVE).faces == left.faces


@pytest.mark.parametrize("first", [None, Start(20, 10, 1)], ids=["joins at once", "has started"])
def test_after_a_room_the_waiting_game_is_asked_about(world: World, first: Start | None) -> None:
    evening = Scene(world).play(("Ada", *PLAYS))
    before = bytes(evening.friend("Ada").faces)
    evening.play(("Ada", hang_up), sit("Bob"))
    ada = world.player().send(*[first] if first else [], Hello(ASKS, ADA), Join(evening.code))
    assert ada.send(LEAVE).screen == "resume"
    assert ada.send(RESUME).faces == before


def test_who_came_without_a_game_goes_on_with_the_board_that_was_raced(world: World) -> None:
    world.boards.append(None)
    expert = replace(RACE, board="expert no-guess", mine=MineCode.PENALTY)
    Scene(world).play(
        race("Ada Bob", expert),
        ("Ada", LEAVE),
        {"Ada room": None, "Ada state": "playing", "Ada clock": 0, "Ada said": "room.left"},
        {"Ada label": CLASSIC_BOARDS["expert"].label},
    )


@pytest.mark.parametrize("has_raced", [False, True])
def test_a_first_game_that_nobody_touched_gives_way(world: World, *, has_raced: bool) -> None:
    # The client's first packet begins a game of document J, before anybody chose one.
    ada = world.player().send(Start(9, 9, 1), Hello(LIVE_FEATURES, ADA, "Ada"))
    bob = world.friend("Bob")
    if has_raced:
        world.begin(bob, ada, kind=replace(RACE, board="intermediate"))
    else:
        bob.send(RACE)
        ada.send(Join(bob.members["room"]["code"]))
    ada.send(LEAVE)
    assert ada.members["label"] == ("intermediate 16x16" if has_raced else "easy 9x9")


def test_who_was_removed_goes_on_with_the_board_that_was_raced(world: World) -> None:
    evening = Scene(world).play(race("Ada Bob"), ("Bob", open_last))
    row = f"remove.{handle_of(evening.friend('Bob').connection.key)}"
    evening.play(
        ("Ada", BACK, Pick("room", row), Pick("remove", "yes")),
        {"Bob said": "room.removed", "Bob room": None, "Bob label": "beginner 9x9"},
        ("Bob", READY),
        {"Bob said": "room.none"},
    )


def test_a_name_that_was_given_is_remembered(world: World) -> None:
    Scene(world).play(("Ada", *PLAYS, hang_up))
    again(world, name="Countess").hang_up()
    ada, bob = again(world), world.friend("Bob")
    world.begin(ada, bob, kind=SHARED)
    assert set(seats(bob)) == {"Countess", "Bob"}
