from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.records.keys import handle_of, partners_key, room_key
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.meeting import (
    LETTERS,
    MAX_OWN_ROOMS,
    MAX_PARTNERS,
    PRESENT_S,
    Present,
    appear,
    disappear,
    find_room,
    keep_seat,
    list_present,
    open_room,
    parse_code,
    remember_partners,
)
from jminesweeper.records.players import PlayerCopy, enter
from jminesweeper.records.rooms import GUEST, Kind, Result, Room, RoomError, Seat
from jminesweeper.records.rounds import ROOM_S, SEAT_KEPT_MS, writing
from jminesweeper.store.blocking import perform
from jminesweeper.store.port import DONE, Read, Scan
from tests.unit.records.club import Club

EXPERT = CLASSIC_BOARDS["expert"]
RACING = replace(EXPERT, rules=replace(EXPERT.rules, mine=MineEffect.PENALTY))
ADA, BOB, CY = (Seat(0, name, name.title()) for name in ("ada", "bob", "cy"))


def open_for(club: Club, seat: Seat) -> Room:
    code = club.do(open_room(Kind.RACE, RACING, seat, club.now_s, club.draw))
    room = club.do(find_room(code))
    assert room is not None
    return room


def change(club: Club, room: Room, change: Callable[[Room], Room]) -> None:
    found = perform(club.store, Read((room_key(room.code),))).documents[0]
    commit = writing(room, found.version, change(room), club.now_s, club.draw)
    assert perform(club.store, commit) is DONE


def test_a_room_is_found_by_its_code_as_people_type_it(club: Club) -> None:
    room = open_for(club, ADA)
    typed = f" {room.code[:2].lower()}-{room.code[2:]} "
    assert set(room.code) <= set(LETTERS)
    assert club.do(find_room(parse_code(typed))) == room


@pytest.mark.parametrize("typed", ["", "KRT", "KRTPWXY", "KRTPW0", "ÄRTPWX"])
def test_what_cannot_be_a_code_is_told_apart(typed: str) -> None:
    with pytest.raises(RoomError, match=r"room\.code"):
        parse_code(typed)


def test_a_room_ends_an_hour_after_it_was_opened_unless_something_happens(club: Club) -> None:
    room = open_for(club, ADA)
    club.now_s += ROOM_S - 1
    change(club, room, lambda known: known.sit("bob", "Bob"))
    club.now_s += ROOM_S - 1
    assert club.do(find_room(room.code)) is not None
    club.now_s += 2
    assert club.do(find_room(room.code)) is None


def test_a_room_that_everybody_leaves_is_gone(club: Club) -> None:
    room = open_for(club, ADA)
    change(club, room, lambda known: known.leave(1))
    assert club.do(find_room(room.code)) is None


def test_a_room_that_everybody_has_lost_is_kept_as_long_as_their_seats(club: Club) -> None:
    room = open_for(club, ADA)
    change(club, room, lambda known: known.lose((1,)))
    assert club.do(find_room(room.code)) is not None
    club.now_s += SEAT_KEPT_MS // 1000 + 1
    assert club.do(find_room(room.code)) is None


def test_a_result_that_nobody_looks_at_is_kept_for_two_minutes(club: Club) -> None:
    room = open_for(club, ADA)
    change(club, room, lambda known: known.sit("bob", "Bob"))
    for step in (
        lambda known: known.be_ready(1, is_ready=True).be_ready(2, is_ready=True),
        lambda known: known.deal(1, Setup(RACING, seed=1), club.now_s * 1000),
        lambda known: known.lose((1, 2)),
    ):
        found = club.do(find_room(room.code))
        assert found is not None
        change(club, found, step)
    club.now_s += ROOM_S - 1
    playing = club.do(find_room(room.code))
    assert playing is not None
    change(club, playing, lambda known: known.end(Result(1, ())))
    club.now_s += SEAT_KEPT_MS // 1000 - 1
    assert club.do(find_room(room.code)) is not None
    club.now_s += 2
    assert club.do(find_room(room.code)) is None


def test_a_player_has_so_many_rooms_at_once(club: Club) -> None:
    rooms = [open_for(club, ADA) for _ in range(MAX_OWN_ROOMS)]
    with pytest.raises(RoomError, match=r"rooms\.own") as refused:
        open_for(club, ADA)
    codes = ", ".join(room.code for room in rooms)
    assert refused.value.told == {"most": MAX_OWN_ROOMS, "codes": codes}
    open_for(club, BOB)
    change(club, rooms[1], lambda known: known.leave(1))
    open_for(club, ADA)
    with pytest.raises(RoomError, match=r"rooms\.own"):
        open_for(club, ADA)
    club.now_s += ROOM_S + 1
    open_for(club, ADA)


@pytest.mark.parametrize("may_come", [True, False])
def test_a_seat_is_noted_even_where_an_address_has_too_many_new_players(
    club: Club, monkeypatch: pytest.MonkeyPatch, *, may_come: bool
) -> None:
    if not may_come:
        monkeypatch.setattr("jminesweeper.records.players.MAX_NEWCOMERS", 0)
    held = PlayerCopy("ada", club.draw, address="192.0.2.1")
    club.do(keep_seat(held, "Ada", {}, "KRTPWX", club.now_s))
    assert held.is_known == may_come
    assert club.do(enter(PlayerCopy("ada", club.draw))).room == "KRTPWX"


def test_of_a_room_that_ended_nothing_is_left(club: Club) -> None:
    at_home = ADA._replace(address="home")
    club.do(open_room(Kind.RACE, RACING, at_home, club.now_s, club.draw))
    club.now_s += DAY_S + 1
    assert perform(club.store, Scan()).commits == []


def open_from(club: Club, address: str, number: int) -> str:
    guest = Seat(0, f"{GUEST}{number}", "Eve", address=address)
    return club.do(open_room(Kind.RACE, RACING, guest, club.now_s, club.draw))


def test_a_server_has_so_many_rooms_open_at_a_time(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_ROOMS", 2)
    monkeypatch.setattr("jminesweeper.records.meeting.ROOMS_FOR_OTHERS", 0)
    first = open_for(club, ADA)
    open_for(club, BOB)
    with pytest.raises(RoomError, match=r"rooms\.all"):
        open_for(club, CY)
    # One that has ended makes room for another.
    change(club, first, lambda known: known.leave(1))
    open_for(club, CY)


def test_some_rooms_are_kept_for_addresses_that_have_none(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_ROOMS", 4)
    monkeypatch.setattr("jminesweeper.records.meeting.ROOMS_FOR_OTHERS", 2)
    open_from(club, "home", 1)
    open_from(club, "home", 2)
    with pytest.raises(RoomError, match=r"rooms\.all"):
        open_from(club, "home", 3)
    open_from(club, "school", 4)
    open_from(club, "office", 5)
    with pytest.raises(RoomError, match=r"rooms\.all"):
        open_from(club, "club", 6)


def test_rooms_of_one_address_are_bounded_while_they_are_open(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_ROOMS_OF_ADDRESS", 2)
    for number in range(2):
        open_from(club, "home", number)
    with pytest.raises(RoomError, match=r"rooms\.address"):
        open_from(club, "home", 2)
    open_from(club, "school", 3)
    club.now_s += ROOM_S + 1
    # Opening and leaving rooms costs nobody else a room.
    for number in range(4, 9):
        room = club.do(find_room(open_from(club, "home", number)))
        assert room is not None
        change(club, room, lambda known: known.leave(1))


def test_a_full_list_is_looked_through_in_parts(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.records.meeting.MAX_ROOMS", 6)
    monkeypatch.setattr("jminesweeper.records.meeting.ROOMS_FOR_OTHERS", 0)
    monkeypatch.setattr("jminesweeper.records.meeting._LOOKED_AT", 2)
    rooms = [open_from(club, f"a{number}", number) for number in range(6)]
    ended = club.do(find_room(rooms[3]))
    assert ended is not None
    change(club, ended, lambda known: known.leave(1))
    opened = 0
    for number in range(30):
        with suppress(RoomError):
            opened += bool(open_from(club, f"b{number}", 10 + number))
    assert opened == 1


def test_who_is_on_is_listed_until_nobody_says_so_any_more(club: Club) -> None:
    ada = Present("h1", "Ada", "expert 30x16", 40, 12_000, code="game1")
    bob = Present("h2", "Bob", room="KRTPWX")
    for each in (ada, bob):
        club.do(appear(each, club.now_s, club.draw))
    assert club.do(list_present()) == [ada, bob]
    club.now_s += PRESENT_S - 1
    club.do(appear(ada._replace(share=60), club.now_s, club.draw))
    club.now_s += 2
    assert club.do(list_present()) == [ada._replace(share=60)]
    club.do(disappear(ada.handle, ada.rank))
    assert club.do(list_present()) == []


def test_with_whom_one_played_last_comes_first_and_is_remembered_for_a_while(club: Club) -> None:
    for name in ("ada", "bob", "cy"):
        one = Present(handle_of(name), name)
        club.do(appear(one, club.now_s, club.draw))
    guest = Seat(0, f"{GUEST}dan", "Dan")
    for seats in ((ADA, BOB, guest), (ADA, CY), (ADA,)):
        club.do(remember_partners("ada", seats, club.now_s, club.draw))
    assert [one.name for one in club.do(list_present("ada"))][:2] == ["cy", "bob"]
    crowd = [Seat(0, f"p{number}", "") for number in range(MAX_PARTNERS)]
    club.do(remember_partners("ada", crowd, club.now_s, club.draw))
    found = perform(club.store, Read((partners_key("ada"),)))
    assert found.documents[0].body.split() == [handle_of(seat.player) for seat in crowd]
