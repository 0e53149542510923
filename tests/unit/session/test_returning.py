"""Coming back: to a seat that is kept, to a game that waits, and to a board after a room."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Hello, Join, NewGame, Pick, Ready, Start
from jminesweeper.protocol.vocabulary import Command, Feature, MineCode, NewGameFlag
from jminesweeper.records.keys import handle_of
from tests.world.player import BACK, Player
from tests.world.server import RACE, SHARED, World
from tests.world.together import BEGINNER, LIVE_FEATURES, reveal, safe_cells, said, seats

ADA = b"Ada............."
ASKS = Feature.LIVE
"""Features of a client that has a waiting game asked about."""


def come_again(world: World, features: int = LIVE_FEATURES, name: str = "") -> Player:
    """Connect Ada again, as a client that was started anew."""
    ada = world.player()
    world.players.append(ada)
    ada.send(Hello(features, ADA, name))
    return ada


def test_whoever_comes_again_is_asked_to_return_to_a_seat_in_a_running_round(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    world.settle()
    assert not seats(bob)["Ada"]["here"]
    again = come_again(world)
    assert again.members["menu"]["title"] == f"Your seat in {code} is kept"
    assert again.members["menu"]["rows"][0] | {"help": ""} == {
        "id": "return",
        "label": "Return",
        "help": "",
        "value": again.members["menu"]["rows"][0]["value"],
    }
    again.send(Pick("seat", "return"))
    assert (again.members["room"]["code"], again.members["state"]) == (code, "playing")
    assert seats(bob)["Ada"]["here"]


def test_who_does_not_return_has_the_own_game_that_waits(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    world.begin(ada, bob)
    ada.hang_up()
    again = come_again(world, ASKS)
    assert again.screen == "seat"
    again.send(Pick("seat", "stay"))
    assert again.screen == "resume"
    again.send(Pick("resume", "resume"))
    assert again.faces == before
    # The seat is kept all the same.
    third = come_again(world, ASKS)
    third.send(Pick("seat", "return"))
    assert third.members["room"]["state"] == "running"


def test_the_end_of_the_own_game_is_told_after_the_question_about_the_seat(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(NewGame("2x1/1"), reveal(Cell(0, 0)))
    assert said(ada) == "best"
    world.begin(ada, bob)
    ada.hang_up()
    again = come_again(world)
    assert (again.screen, said(again)) == ("seat", "")
    again.send(Pick("seat", "stay"))
    assert (again.screen, said(again)) == ("game", "won")


@pytest.mark.parametrize("features", [LIVE_FEATURES, ASKS])
def test_the_own_game_comes_back_after_the_seat_one_returned_to(
    world: World, features: Feature
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    world.begin(ada, bob)
    ada.hang_up()
    again = come_again(world, features)
    again.send(Pick("seat", "return"), Command.LEAVE)
    if again.screen == "resume":
        again.send(Pick("resume", "resume"))
    assert again.members["room"] is None
    assert again.faces == before


@pytest.mark.parametrize("flag", [NewGameFlag.AFTER_ASKING, NewGameFlag.IF_NONE])
def test_a_game_asked_for_at_the_start_waits_for_the_answer(
    world: World, flag: NewGameFlag
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    code = world.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    wanted = NewGame("intermediate", flag)
    again, third = come_again(world), come_again(world)
    again.send(wanted)
    assert again.screen == "seat"
    again.send(Pick("seat", "stay"))
    assert (again.screen, again.members["label"]) == ("game", "intermediate 16x16")
    third.send(wanted, Pick("seat", "return"))
    assert third.members["room"]["code"] == code
    assert third.members["label"] == "beginner 9x9"


def test_nobody_is_asked_about_a_seat_that_was_left_or_is_gone(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob)
    ada.send(Command.LEAVE)
    ada.hang_up()
    assert come_again(world).screen != "seat"
    cy, dan = world.friend("Cy"), world.friend("Dan")
    cy.send(RACE)
    dan.send(Join(cy.members["room"]["code"]))
    cy.hang_up()
    # The seat is kept for two minutes.
    for _ in range(3):
        world.pass_time(60_000)
    assert set(seats(dan)) == {"Dan"}
    cy = world.friend("Cy")
    assert cy.screen != "seat"


def test_a_lost_connection_joins_again_without_a_question_left_open(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    code = world.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    again = come_again(world)
    again.send(Join(code))
    assert again.members["room"]["code"] == code
    assert again.members["menu"] is None
    again.send(Command.LEAVE)
    assert again.faces == before


def test_who_joined_at_once_is_asked_about_the_waiting_game_after_the_room(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    ada.hang_up()
    bob.send(RACE)
    again = come_again(world, ASKS)
    again.send(Join(bob.members["room"]["code"]), Command.LEAVE)
    assert again.screen == "resume"
    again.send(Pick("resume", "resume"))
    assert again.faces == before


def test_who_came_without_a_game_goes_on_with_the_board_that_was_raced(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    expert = replace(RACE, board="expert no-guess", mine=MineCode.PENALTY)
    world.boards.append(None)
    world.begin(ada, bob, kind=expert)
    ada.send(Command.LEAVE)
    assert (ada.members["room"], ada.members["state"]) == (None, "playing")
    assert ada.members["label"] == CLASSIC_BOARDS["expert"].label
    assert said(ada) == "room.left"
    assert ada.members["clock"] == 0


@pytest.mark.parametrize("has_raced", [False, True])
def test_a_first_game_that_nobody_touched_gives_way(world: World, *, has_raced: bool) -> None:
    ada = world.player()
    world.players.append(ada)
    # The client's first packet begins a game of document J, before anybody chose one.
    ada.send(Start(9, 9, 1), Hello(LIVE_FEATURES, ADA, "Ada"))
    bob = world.friend("Bob")
    if has_raced:
        world.begin(bob, ada, kind=replace(RACE, board="intermediate"))
    else:
        bob.send(RACE)
        ada.send(Join(bob.members["room"]["code"]))
    ada.send(Command.LEAVE)
    assert ada.members["label"] == ("intermediate 16x16" if has_raced else "easy 9x9")


def test_after_a_room_the_waiting_game_is_asked_about_in_place_of_a_first_one(
    world: World,
) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    ada.hang_up()
    bob.send(RACE)
    again = world.player()
    world.players.append(again)
    again.send(Start(20, 10, 1), Hello(ASKS, ADA), Join(bob.members["room"]["code"]))
    again.send(Command.LEAVE)
    assert again.screen == "resume"
    again.send(Pick("resume", "resume"))
    assert again.faces == before


def test_who_was_removed_goes_on_with_the_board_that_was_raced(world: World) -> None:
    ada, bob = world.friend("Ada"), world.friend("Bob")
    world.begin(ada, bob)
    field = world.minefield(ada.members["room"]["code"])
    bob.send(reveal(safe_cells(bob, field)[0]))
    row = f"remove.{handle_of(bob.connection.key)}"
    ada.send(BACK, Pick("room", row), Pick("remove", "yes"))
    assert (said(bob), bob.members["room"]) == ("room.removed", None)
    assert bob.members["label"] == "beginner 9x9"
    bob.send(Ready())
    assert said(bob) == "room.none"


def test_a_name_that_was_given_is_remembered(world: World) -> None:
    ada = world.friend("Ada")
    ada.send(BEGINNER, reveal(Cell(4, 4)))
    ada.hang_up()
    come_again(world, name="Countess").hang_up()
    again, bob = come_again(world), world.friend("Bob")
    world.begin(again, bob, kind=SHARED)
    assert set(seats(bob)) == {"Countess", "Bob"}
