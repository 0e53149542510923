"""Opponents in a quick match, as the store has them."""

from dataclasses import replace

import pytest

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.records.documents import Flow
from jminesweeper.records.keys import rooms_key
from jminesweeper.records.meeting import (
    LEFT_S,
    PARTED_S,
    WAITING_S,
    Looked,
    Waiting,
    check_leaver,
    find_room,
    look_for_opponent,
    note_parting,
    stop_looking,
)
from jminesweeper.records.rooms import GUEST, RoomError, Seat
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Commit, Read
from tests.unit.records.club import Club

EXPERT = CLASSIC_BOARDS["expert"]
RACING = replace(EXPERT, rules=replace(EXPERT.rules, mine=MineEffect.PENALTY))
BEGINNER = CLASSIC_BOARDS["beginner"]


def who(
    name: str, board: Variant = RACING, *, allows_bots: bool = True, is_bot: bool = False
) -> Waiting:
    return Waiting(f"h-{name}", name, name.title(), board, allows_bots, is_bot)


def look(club: Club, one: Waiting) -> Looked:
    seat = Seat(0, one.player, one.name, one.is_bot)
    return club.do(look_for_opponent(one, seat, club.now_s, club.draw))


def test_two_who_want_the_same_board_meet_in_one_room_that_is_open(club: Club) -> None:
    assert look(club, who("ada")) == look(club, who("ada")) == Looked(others=[])
    met = look(club, who("bob"))
    assert (met.opponent, met.is_opener) == ("ada", True)
    assert look(club, who("ada")) == Looked(met.room, "bob")
    room = club.do(find_room(met.room))
    assert room is not None
    assert room.is_open
    assert [seat.player for seat in room.seats] == ["bob"]
    assert look(club, who("cy")) == Looked(others=[])


def test_the_first_of_each_address_is_met_first(club: Club) -> None:
    look(club, who("ada")._replace(rank=1, since_s=1))
    club.do(note_parting(Seat(0, "ada", "Ada"), "bob", club.now_s, club.draw))
    look(club, who("bob")._replace(rank=0, since_s=2))
    assert look(club, who("cy")).opponent == "bob"


def test_whoever_waits_longest_is_met_first(club: Club) -> None:
    parted = Seat(0, "ada", "Ada")
    club.do(note_parting(parted, "bob", club.now_s, club.draw))
    look(club, who("bob")._replace(since_s=2))
    look(club, who("ada")._replace(since_s=1))
    assert look(club, who("cy")).opponent == "ada"


def test_nobody_meets_somebody_who_has_stopped_waiting_or_is_gone(club: Club) -> None:
    look(club, who("ada"))
    club.do(stop_looking("h-ada", 0))
    assert not look(club, who("bob")).room
    club.now_s += WAITING_S + 1
    assert not look(club, who("cy")).room


def test_who_waits_for_another_board_is_named(club: Club) -> None:
    look(club, who("ada"))
    assert look(club, who("bob", BEGINNER)).others == [who("ada")]


@pytest.mark.parametrize("is_first", [False, True])
def test_people_who_want_no_bots_meet_none(club: Club, *, is_first: bool) -> None:
    ada, bot = who("ada", allows_bots=False), who("bot", is_bot=True)
    for one in (ada, bot) if is_first else (bot, ada):
        assert look(club, one) == Looked(others=[])
    assert look(club, who("bob")).opponent in {"ada", "bot"}


def begin_to_look(club: Club, name: str) -> tuple[Flow[Looked], Commit]:
    """Have somebody look, and stop just before anything is changed."""
    flow = look_for_opponent(who(name), Seat(0, name, name.title()), club.now_s, club.draw)
    step = next(flow)
    while not isinstance(step, Commit):
        step = flow.send(perform(club.store, step))
    return flow, step


def go_on(club: Club, flow: Flow[Looked], step: Commit) -> Looked:
    """Carry the rest of it out."""

    def rest() -> Flow[Looked]:
        answer = yield step
        try:
            asked = flow.send(answer)
            while True:
                asked = flow.send((yield asked))
        except StopIteration as end:
            looked: Looked = end.value
            return looked

    return club.do(rest())


def test_two_who_come_at_the_same_moment_meet_at_the_next_look(club: Club) -> None:
    ada, bob = begin_to_look(club, "ada"), begin_to_look(club, "bob")
    assert go_on(club, *ada) == go_on(club, *bob) == Looked(others=[])
    met = look(club, who("bob"))
    assert (met.opponent, look(club, who("ada"))) == ("ada", Looked(met.room, "bob"))


def test_a_look_is_refused_once_another_has_met_the_one_who_was_found(club: Club) -> None:
    look(club, who("ada"))
    bob = begin_to_look(club, "bob")
    met = look(club, who("cy"))
    # Bob comes second: he waits on, and has opened no room.
    assert go_on(club, *bob) == Looked(others=[])
    assert look(club, who("ada")) == Looked(met.room, "cy")
    assert not perform(club.store, Read((rooms_key("bob"),))).documents[0].version


def test_two_do_not_meet_again_within_a_minute_once_one_has_left(club: Club) -> None:
    club.do(note_parting(Seat(0, "bob", "Bob"), "ada", club.now_s, club.draw))
    look(club, who("ada"))
    assert not look(club, who("bob")).room
    assert look(club, who("cy")).opponent in {"ada", "bob"}
    club.now_s += PARTED_S + 1
    look(club, who("ada"))
    assert look(club, who("bob")).opponent == "ada"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Seat(0, "eve", "Eve"), Seat(0, "eve", "Eve")),
        (Seat(0, f"{GUEST}1", "", address="cafe"), Seat(0, f"{GUEST}2", "", address="cafe")),
    ],
)
def test_who_has_left_two_matches_waits_a_minute(club: Club, first: Seat, second: Seat) -> None:
    club.do(note_parting(first, "ada", club.now_s, club.draw))
    club.do(check_leaver(second, club.now_s))
    club.do(note_parting(second, "bob", club.now_s, club.draw))
    with pytest.raises(RoomError, match=r"quick\.left") as refused:
        club.do(check_leaver(second, club.now_s))
    assert refused.value.told == {"count": 2, "seconds": PARTED_S}
    club.do(check_leaver(Seat(0, "cy", "Cy", address="cafe"), club.now_s))
    club.now_s += PARTED_S
    club.do(check_leaver(second, club.now_s))
    club.do(note_parting(first, "cy", club.now_s, club.draw))
    with pytest.raises(RoomError, match=r"quick\.left"):
        club.do(check_leaver(second, club.now_s))
    club.now_s += LEFT_S + 1
    club.do(note_parting(first, "cy", club.now_s, club.draw))
    club.do(check_leaver(second, club.now_s))
