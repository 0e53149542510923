"""Where players meet: rooms as documents, who is on, and who waits for an opponent.

A room changes by compare and swap alone: what somebody wants is done to the room as it is, and done
again to the one that another left. Whoever is on has a document that ends unless it is renewed, so
a host that dies takes its players off the list by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.generator import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.records import keys
from jminesweeper.records.documents import GameDocument, reading_values
from jminesweeper.records.flows import Flow, new_version, read_document
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import count_hourly, find_game
from jminesweeper.records.rooms import MAX_SEATS, ROOM_S, Kind, Room, RoomError, Seat
from jminesweeper.store.port import (
    DONE,
    Append,
    Check,
    Commit,
    Found,
    Importance,
    Keep,
    Part,
    Place,
    Put,
    Read,
)

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of room codes: none that looks like another or like a digit."""
CODE_LENGTH: Final = 5
MAX_ROOMS: Final = 1_000
MAX_OWN_ROOMS: Final = 3
MAX_ROOMS_OF_ADDRESS: Final = 100
"""A guest is somebody else on each connection, and has none of `MAX_OWN_ROOMS` opened there."""
PRESENT_S: Final = 75
"""How long somebody is on the list after the last renewal, which comes every thirty seconds."""
MAX_PRESENT: Final = 200
MAX_PARTNERS: Final = 50
PARTNERS_S: Final = 90 * DAY_S
"""How long those are remembered with whom somebody has played."""
WAITING_S: Final = 30
"""How long somebody waits for an opponent after the last renewal."""

Change = Callable[[Room], Room]


def parse_code(typed: str) -> str:
    """Read a room's code as people type it; RoomError if it is none."""
    code = typed.strip().upper().replace("-", "").replace(" ", "")
    if len(code) != CODE_LENGTH or not set(code) <= set(LETTERS):
        raise RoomError("A room's code has five letters, for instance KRTPW.")
    return code


def _draw_room_code(draw: RandomBits) -> str:
    letters = ""
    while len(letters) < CODE_LENGTH:
        number = draw(5)
        letters += LETTERS[number] if number < len(LETTERS) else ""
    return letters


# Rooms


def open_room(
    kind: Kind,
    variant: Variant,
    seat: Seat,
    now_s: int,
    draw: RandomBits,
    *,
    allows_bots: bool = True,
    address: str = "",
) -> Flow[Room]:
    """Open a room for whoever takes the first seat."""
    bounds = [("all", MAX_ROOMS, "This server has too many rooms; try again later.")]
    if address:
        too_many = "Your address has opened too many rooms; try again later."
        bounds.append((keys.address_name(address), MAX_ROOMS_OF_ADDRESS, too_many))
    while True:
        own_key = keys.rooms_key(seat.player)
        own = yield from read_document(own_key)
        open_codes = yield from _those_open(own.body.split())
        if len(open_codes) >= MAX_OWN_ROOMS:
            raise RoomError(f"You have {MAX_OWN_ROOMS} rooms; join one: {', '.join(open_codes)}.")
        checks, puts = [Check(own_key, own.version)], list[Put]()
        for name, limit, refusal in bounds:
            key = keys.opened_key(name)
            check, put = yield from count_hourly(key, limit, now_s, RoomError(refusal))
            checks.append(check)
            puts.append(put)
        code = _draw_room_code(draw)
        room = Room(code, kind, variant, allows_bots=allows_bots)
        room = room.sit(seat.player, seat.name, is_bot=seat.is_bot)
        puts.append(Put(own_key, " ".join((*open_codes, code)), now_s + ROOM_S))
        commit = Commit(
            new_version(draw),
            (Check(keys.room_key(code), 0), *checks),
            (Put(keys.room_key(code), room.format(), now_s + ROOM_S), *puts),
            importance=Importance.LOW,
        )
        if (yield commit) is DONE:
            return room


def _those_open(codes: Sequence[str]) -> Flow[Sequence[str]]:
    found: Found = yield Read(tuple(map(keys.room_key, codes)))
    return [code for code, each in zip(codes, found.documents, strict=True) if each.version]


def find_room(code: str) -> Flow[Room | None]:
    return (yield from _read_room(code))[0]


def _read_room(code: str) -> Flow[tuple[Room | None, int]]:
    document = yield from read_document(keys.room_key(code))
    return Room.parse(code, document.body) if document.version else None, document.version


def change_room(code: str, change: Change, now_s: int, draw: RandomBits) -> Flow[Room]:
    """Do something to a room as it is; RoomError if there is none, or it cannot be done."""
    key = keys.room_key(code)
    while True:
        before, version = yield from _read_room(code)
        if before is None:
            raise RoomError(f"There is no room {code}; rooms end after an hour without play.")
        after = change(before)
        if after == before:
            return before
        after = replace(after, revision=before.revision + 1)
        commit = Commit(
            new_version(draw),
            (Check(key, version),),
            (Put(key, after.format() if after.seats else None, now_s + ROOM_S),),
        )
        if (yield commit) is DONE:
            return after


def keep_room(code: str, now_s: int) -> Flow[None]:
    """Keep a room in which somebody plays."""
    yield Commit(keeps=(Keep(keys.room_key(code), now_s + ROOM_S),))


def start_round(code: str, setup: Setup, now_ms: int, draw: RandomBits) -> Flow[Room]:
    """Count a round down on this board, if everybody is still ready.

    The records are made with it, and the board is opened in its first cell: nobody needs a store to
    begin, and whoever comes back finds a record.
    """
    key, now_s = keys.room_key(code), now_ms // 1000
    first = () if setup.first is None else (setup.variant.grid.index(setup.first),)
    opening = pack_entries([pack_entry(0, ActionKind.REVEAL, index) for index in first])
    while True:
        room, version = yield from _read_room(code)
        if room is None or not room.is_ready:
            raise RoomError("Not everybody is ready.")
        codes = [keys.room_game_code(code, draw) for _ in range(MAX_SEATS)]
        after = replace(room.count_down(setup, codes, now_ms), revision=room.revision + 1)
        if room.kind is Kind.SHARED:
            played = {after.game: after.seats}
        else:
            played = {seat.code: (seat,) for seat in after.seats}
        puts = [Put(key, after.format(), now_s + ROOM_S)]
        for each, seats in played.items():
            known = tuple(seat.player for seat in seats if not seat.is_guest)
            game = GameDocument(setup, known, after.starts_at_ms)
            puts.append(Put(keys.game_key(each), game.format(), now_s + DAY_S))
        appends = tuple(Append(keys.game_key(each), 0, b"", opening) for each in played if opening)
        checks = (Check(key, version),)
        if (yield Commit(new_version(draw), checks, tuple(puts), appends)) is DONE:
            return after


def join_record(code: str, player: str, now_s: int, draw: RandomBits) -> Flow[None]:
    """Have a late comer among those whose game this is, unless it has ended."""
    key = keys.game_key(code)
    while True:
        game, version = yield from find_game(code)
        if game is None or game.outcome is not None or player in game.seats:
            return
        joined = replace(game, seats=(*game.seats, player))
        put = Put(key, joined.format(), now_s + DAY_S)
        if (yield Commit(new_version(draw), (Check(key, version),), (put,))) is DONE:
            return


def sit(code: str, seat: Seat, now_s: int, draw: RandomBits) -> Flow[Room]:
    """Take a seat in a room, or the one that is kept."""
    return (
        yield from change_room(
            code, lambda room: room.sit(seat.player, seat.name, is_bot=seat.is_bot), now_s, draw
        )
    )


# Who is on


class Present(NamedTuple):
    """Somebody who plays on one of the servers, as others may see it."""

    handle: str
    """Names the player on the list; it tells nobody who that is elsewhere."""
    name: str
    label: str = ""
    share: int = 0
    """How much of the board is open, in percent."""
    clock_ms: int = 0
    room: str = ""
    code: str = ""
    """The record to watch; empty if nobody may."""
    rank: int = 0
    """How many from the same address were on before. The list has the first of each address, then
    the second of each, and so on: one address with many keys does not fill it."""

    @property
    def place(self) -> str:
        return f"{self.rank:0{_RANK_DIGITS}}{self.handle}"


_RANK_DIGITS: Final = 6


def appear(present: Present, now_s: int, draw: RandomBits) -> Flow[None]:
    """Put somebody on the list of those who are on, or keep them there."""
    body = json.dumps(present[1:], ensure_ascii=False, separators=(",", ":"))
    put = Put(keys.present_key(present.handle), body, now_s + PRESENT_S)
    place = Place(keys.PRESENT, present.place)
    yield Commit(new_version(draw), puts=(put,), places=(place,), importance=Importance.LOW)


def disappear(present: Present) -> Flow[None]:
    place = Place(keys.PRESENT, present.place, is_gone=True)
    yield Commit(puts=(Put(keys.present_key(present.handle), None),), places=(place,))


def who_is_on(player: str = "") -> Flow[Sequence[Present]]:
    """List who is on, first of all those with whom a player has played, the latest first.

    Whose host died meanwhile is taken off the list.
    """
    key = keys.partners_key(player)
    found: Found = yield Read((key,), parts=(Part(keys.PRESENT, MAX_PRESENT),))
    (partners,), (places,) = found.documents, found.parts
    listed = [place[_RANK_DIGITS:] for place in places]
    handles = tuple(dict.fromkeys((*partners.body.split(), *listed)))
    found = yield Read(tuple(map(keys.present_key, handles)))
    bodies = {
        handle: one.body
        for handle, one in zip(handles, found.documents, strict=True)
        if one.version
    }
    gone = [place for place in places if place[_RANK_DIGITS:] not in bodies]
    if gone:
        yield Commit(places=tuple(Place(keys.PRESENT, place, is_gone=True) for place in gone))
    return [_read_present(*known) for known in bodies.items()]


def remember_partners(
    player: str, seats: Sequence[Seat], now_s: int, draw: RandomBits
) -> Flow[None]:
    """Remember with whom somebody plays; guests are others the next time."""
    key = keys.partners_key(player)
    before = yield from read_document(key)
    met = [
        keys.handle_of(seat.player) for seat in seats if seat.player != player and not seat.is_guest
    ]
    handles = tuple(dict.fromkeys((*met, *before.body.split())))[:MAX_PARTNERS]
    if met:
        put = Put(key, " ".join(handles), now_s + PARTNERS_S)
        yield Commit(new_version(draw), puts=(put,), importance=Importance.LOW)


def find_present(handle: str) -> Flow[Present | None]:
    """Find somebody who is on."""
    document = yield from read_document(keys.present_key(handle))
    return _read_present(handle, document.body) if document.version else None


@reading_values()
def _read_present(handle: str, body: str) -> Present:
    return Present(handle, *json.loads(body))


# Quick matches


def look_for_opponent(
    variant: Variant, seat: Seat, now_s: int, draw: RandomBits, address: str = ""
) -> Flow[Room | None]:
    """Meet who waits for the same kind of board; else wait, and ask again to wait on.

    Who comes second opens the room, and leaves its code for the first one.
    """
    key, own, opened = keys.waiting_key(variant.text), keys.met_key(seat.player), None
    while True:
        found: Found = yield Read((own, key))
        met, waiting = found.documents
        if met.version:
            commit = Commit(checks=(Check(own, met.version),), puts=(Put(own, None),))
            if (yield commit) is DONE:
                return (yield from sit(met.body, seat, now_s, draw))
            continue
        puts: tuple[Put, ...] = (Put(key, seat.player, now_s + WAITING_S),)
        if waiting.version and waiting.body != seat.player:
            if opened is None:
                flow = open_room(Kind.RACE, variant, seat, now_s, draw, address=address)
                opened = yield from flow
            puts = (Put(key, None), Put(keys.met_key(waiting.body), opened.code, now_s + WAITING_S))
        commit = Commit(new_version(draw), (Check(key, waiting.version),), puts)
        if (yield commit) is DONE:
            return opened


def stop_looking(variant: Variant, player: str) -> Flow[None]:
    """Wait no longer."""
    key = keys.waiting_key(variant.text)
    waiting = yield from read_document(key)
    if waiting.body == player:
        yield Commit(checks=(Check(key, waiting.version),), puts=(Put(key, None),))
