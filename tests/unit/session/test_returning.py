"""Coming back: to a seat that is kept, to a game that waits, and to a board after a room."""

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Hello, Join, NewGame, Pick, Ready, Start
from jminesweeper.protocol.vocabulary import Command, Feature, MineCode, NewGameFlag
from jminesweeper.records.keys import handle_of
from tests.unit.session.party import BEGINNER, LIVE, RACE, SHARED, Party, reveal, said, seats
from tests.unit.session.player import BACK, Player, cells_of

ADA = b"Ada............."
ASKS = Feature.LIVE
"""Features of a client that has a waiting game asked about."""


def come_again(party: Party, features: int = LIVE, name: str = "") -> Player:
    """Connect Ada again, as a client that was started anew."""
    ada = party.backstage.player()
    ada.now_ms = party.backstage.now_ms
    party.players.append(ada)
    ada.send(Hello(features, ADA, name))
    return ada


def test_whoever_comes_again_is_asked_to_return_to_a_seat_in_a_running_round(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    party.look()
    assert not seats(bob)["Ada"]["here"]
    again = come_again(party)
    assert again.members["menu"]["title"] == f"Your seat in {code} is kept"
    assert again.members["menu"]["rows"][0] | {"help": ""} == {
        "id": "return",
        "label": "Return",
        "help": "",
        "value": again.members["menu"]["rows"][0]["value"],
    }
    party.do(again, Pick("seat", "return"))
    assert (again.members["room"]["code"], again.members["state"]) == (code, "playing")
    assert seats(bob)["Ada"]["here"]


def test_who_does_not_return_has_the_own_game_that_waits(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    party.begin(ada, bob)
    ada.hang_up()
    again = come_again(party, ASKS)
    assert again.screen == "seat"
    party.do(again, Pick("seat", "stay"))
    assert again.screen == "resume"
    party.do(again, Pick("resume", "resume"))
    assert again.faces == before
    # The seat is kept all the same.
    third = come_again(party, ASKS)
    party.do(third, Pick("seat", "return"))
    assert third.members["room"]["state"] == "running"


def test_the_end_of_the_own_game_is_told_after_the_question_about_the_seat(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, NewGame("2x1/1"), reveal(Cell(0, 0)))
    assert said(ada) == "best"
    party.begin(ada, bob)
    ada.hang_up()
    again = come_again(party)
    assert (again.screen, said(again)) == ("seat", "")
    party.do(again, Pick("seat", "stay"))
    assert (again.screen, said(again)) == ("game", "won")


@pytest.mark.parametrize("features", [LIVE, ASKS])
def test_the_own_game_comes_back_after_the_seat_one_returned_to(
    party: Party, features: Feature
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    party.begin(ada, bob)
    ada.hang_up()
    again = come_again(party, features)
    party.do(again, Pick("seat", "return"), Command.LEAVE)
    if again.screen == "resume":
        party.do(again, Pick("resume", "resume"))
    assert again.members["room"] is None
    assert again.faces == before


@pytest.mark.parametrize("flag", [NewGameFlag.AFTER_ASKING, NewGameFlag.IF_NONE])
def test_a_game_asked_for_at_the_start_waits_for_the_answer(
    party: Party, flag: NewGameFlag
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    code = party.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    wanted = NewGame("intermediate", flag)
    again, third = come_again(party), come_again(party)
    party.do(again, wanted)
    assert again.screen == "seat"
    party.do(again, Pick("seat", "stay"))
    assert (again.screen, again.members["label"]) == ("game", "intermediate 16x16")
    party.do(third, wanted, Pick("seat", "return"))
    assert third.members["room"]["code"] == code
    assert third.members["label"] == "beginner 9x9"


def test_nobody_is_asked_about_a_seat_that_was_left_or_is_gone(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob)
    party.do(ada, Command.LEAVE)
    ada.hang_up()
    assert come_again(party).screen != "seat"
    cy, dan = party.friend("Cy"), party.friend("Dan")
    party.do(cy, RACE)
    party.do(dan, Join(cy.members["room"]["code"]))
    cy.hang_up()
    # The seat is kept for two minutes.
    for _ in range(3):
        party.pass_time(60_000)
    assert set(seats(dan)) == {"Dan"}
    cy = party.friend("Cy")
    assert cy.screen != "seat"


def test_a_lost_connection_joins_again_without_a_question_left_open(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    code = party.begin(ada, bob, kind=SHARED)
    ada.hang_up()
    again = come_again(party)
    party.do(again, Join(code))
    assert again.members["room"]["code"] == code
    assert again.members["menu"] is None
    party.do(again, Command.LEAVE)
    assert again.faces == before


def test_who_joined_at_once_is_asked_about_the_waiting_game_after_the_room(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    ada.hang_up()
    party.do(bob, RACE)
    again = come_again(party, ASKS)
    party.do(again, Join(bob.members["room"]["code"]), Command.LEAVE)
    assert again.screen == "resume"
    party.do(again, Pick("resume", "resume"))
    assert again.faces == before


def test_who_came_without_a_game_goes_on_with_the_board_that_was_raced(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    expert = replace(RACE, board="expert no-guess", mine=MineCode.PENALTY)
    party.backstage.boards.append(None)
    party.begin(ada, bob, kind=expert)
    party.do(ada, Command.LEAVE)
    assert (ada.members["room"], ada.members["state"]) == (None, "playing")
    assert ada.members["label"] == CLASSIC_BOARDS["expert"].label
    assert said(ada) == "room.left"
    assert ada.members["clock"] == 0


@pytest.mark.parametrize("has_raced", [False, True])
def test_a_first_game_that_nobody_touched_gives_way(party: Party, *, has_raced: bool) -> None:
    ada = party.backstage.player()
    party.players.append(ada)
    # The client's first packet begins a game of document J, before anybody chose one.
    party.do(ada, Start(9, 9, 1), Hello(LIVE, ADA, "Ada"))
    bob = party.friend("Bob")
    if has_raced:
        party.begin(bob, ada, kind=replace(RACE, board="intermediate"))
    else:
        party.do(bob, RACE)
        party.do(ada, Join(bob.members["room"]["code"]))
    party.do(ada, Command.LEAVE)
    assert ada.members["label"] == ("intermediate 16x16" if has_raced else "easy 9x9")


def test_after_a_room_the_waiting_game_is_asked_about_in_place_of_a_first_one(
    party: Party,
) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    before = bytes(ada.faces)
    ada.hang_up()
    party.do(bob, RACE)
    again = party.backstage.player()
    again.now_ms = party.backstage.now_ms
    party.players.append(again)
    party.do(again, Start(20, 10, 1), Hello(ASKS, ADA), Join(bob.members["room"]["code"]))
    party.do(again, Command.LEAVE)
    assert again.screen == "resume"
    party.do(again, Pick("resume", "resume"))
    assert again.faces == before


def test_who_was_removed_goes_on_with_the_board_that_was_raced(party: Party) -> None:
    ada, bob = party.friend("Ada"), party.friend("Bob")
    party.begin(ada, bob)
    field = party.minefield(ada.members["room"]["code"])
    party.do(bob, reveal(cells_of(field, field.safe)[0]))
    row = f"remove.{handle_of(bob.session.player_id)}"
    party.do(ada, BACK, Pick("room", row), Pick("remove", "yes"))
    assert (said(bob), bob.members["room"]) == ("room.removed", None)
    assert bob.members["label"] == "beginner 9x9"
    party.do(bob, Ready())
    assert said(bob) == "room.none"


def test_a_name_that_was_given_is_remembered(party: Party) -> None:
    ada = party.friend("Ada")
    party.do(ada, BEGINNER, reveal(Cell(4, 4)))
    ada.hang_up()
    come_again(party, name="Countess").hang_up()
    again, bob = come_again(party), party.friend("Bob")
    party.begin(again, bob, kind=SHARED)
    assert set(seats(bob)) == {"Countess", "Bob"}
