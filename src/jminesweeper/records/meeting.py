"""Places to meet: rooms as documents, the players online, and players who wait for an opponent.

A room changes at its tables (`table`). A player online has a document that ends unless it is
renewed, so a host that dies takes its players off the list by itself.

For a quick match two players wait, and meet. A player who waits has a document that expires unless
it is renewed, and a place on the board `waiting`. A player who looks and finds another opens a room
and leaves its code for that one, in the commit that takes both off the list. If two find each other
at the same moment, their commits check the same two documents: so one is refused, looks again, and
finds the code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.variant import Variant
from jminesweeper.records import keys
from jminesweeper.records.documents import Flow, new_version, read_document, reading_values
from jminesweeper.records.limits import DAY_S
from jminesweeper.records.players import PlayerCopy, put_player
from jminesweeper.records.rooms import Kind, Room, RoomError, Seat
from jminesweeper.records.rounds import MAX_ROOMS, ROOM_S
from jminesweeper.store.port import (
    DONE,
    Check,
    Commit,
    Found,
    Importance,
    Part,
    Place,
    Put,
    Read,
    StoreLimitError,
)

LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""Of room codes: none that looks like another or like a digit."""
CODE_LENGTH: Final = 6
ROOMS_FOR_OTHERS: Final = 200
"""Of `MAX_ROOMS`, those that only addresses without a room may open."""
MAX_OWN_ROOMS: Final = 3
MAX_ROOMS_OF_ADDRESS: Final = 30
"""A guest is somebody else on each connection, and has none of `MAX_OWN_ROOMS` opened there."""
_LOOKED_AT: Final = 50
"""Rooms of a full list that are looked up at a time."""
PRESENT_S: Final = 75
"""Time on the list after the last renewal, which comes every thirty seconds."""
MAX_PRESENT: Final = 200
MAX_PARTNERS: Final = 50
PARTNERS_S: Final = 90 * DAY_S
"""Time for which partners are remembered."""


def parse_code(typed: str) -> str:
    """Read a room's code as people type it; RoomError if it is none."""
    code = typed.strip().upper().replace("-", "").replace(" ", "")
    if len(code) != CODE_LENGTH or not set(code) <= set(LETTERS):
        raise RoomError("room.code")
    return code


# Rooms


def open_room(
    kind: Kind,
    variant: Variant,
    seat: Seat,
    now_s: int,
    draw: RandomBits,
    *,
    allows_bots: bool = True,
    is_open: bool = False,
) -> Flow[str]:
    """Open a room whose first seat a player has; return its code."""
    while True:
        flow = opening_of_room(
            kind, variant, seat, now_s, draw, allows_bots=allows_bots, is_open=is_open
        )
        code, commit = yield from flow
        if (yield commit) is DONE:
            return code


def opening_of_room(
    kind: Kind,
    variant: Variant,
    seat: Seat,
    now_s: int,
    draw: RandomBits,
    *,
    allows_bots: bool,
    is_open: bool,
) -> Flow[tuple[str, Commit]]:
    """Return the code of a new room, and the commit that opens it."""
    own = OpenRooms(keys.rooms_key(seat.player), MAX_OWN_ROOMS)
    of_all = OpenRooms(keys.opened_key("all"), MAX_ROOMS)
    of_address = OpenRooms(keys.opened_key(seat.address), MAX_ROOMS_OF_ADDRESS)
    lists = [own, of_all, of_address] if seat.address else [own, of_all]
    for each in lists:
        yield from each.read(draw)
    if own.is_full:
        raise RoomError("rooms.own", most=MAX_OWN_ROOMS, codes=", ".join(own.codes))
    if of_address.is_full:
        raise RoomError("rooms.address")
    is_last = len(of_all.codes) >= MAX_ROOMS - ROOMS_FOR_OTHERS
    if of_all.is_full or (is_last and of_address.codes):
        raise RoomError("rooms.all")
    code = ""
    while len(code) < CODE_LENGTH:
        number = draw(5)
        code += LETTERS[number] if number < len(LETTERS) else ""
    room = Room(code, kind, variant, f"{draw(63):x}", allows_bots=allows_bots, is_open=is_open)
    room = room.sit(seat.player, seat.name, is_bot=seat.is_bot, address=seat.address, now_s=now_s)
    put = Put(keys.room_key(code), replace(room, revision=1).text, now_s + ROOM_S)
    return code, Commit(
        new_version(draw),
        (Check(keys.room_key(code), 0), *(each.check for each in lists)),
        (put, *(each.put(code, now_s) for each in lists)),
        importance=Importance.LOW,
    )


class OpenRooms:
    """The codes of open rooms that count against one bound.

    Rooms that have ended are looked for only once the bound is reached, in a random part of the
    list: so requests to a full server cost it little.
    """

    def __init__(self, key: str, limit: int) -> None:
        self._key = key
        self._limit = limit
        self._version = 0
        self.codes: Sequence[str] = ()

    def read(self, draw: RandomBits) -> Flow[None]:
        known = yield from read_document(self._key)
        self._version, self.codes = known.version, known.body.split()
        if self.is_full:
            start = draw(16) % len(self.codes)
            codes = [*self.codes[start:], *self.codes[:start]]
            some, others = codes[:_LOOKED_AT], codes[_LOOKED_AT:]
            found: Found = yield Read(tuple(map(keys.room_key, some)))
            kept = [code for code, one in zip(some, found.documents, strict=True) if one.version]
            self.codes = [*others, *kept]

    @property
    def is_full(self) -> bool:
        return len(self.codes) >= self._limit

    @property
    def check(self) -> Check:
        return Check(self._key, self._version)

    def put(self, code: str, now_s: int) -> Put:
        return Put(self._key, " ".join((*self.codes, code)), now_s + DAY_S)


def find_room(code: str) -> Flow[Room | None]:
    document = yield from read_document(keys.room_key(code))
    return Room.parse(code, document.body) if document.version else None


def room_that_plays(record: str) -> Flow[Room | None]:
    """Find the room of a record whose round is on; None of any other game."""
    code = keys.room_of(record)
    room = (yield from find_room(code)) if code else None
    return room if room is not None and record in room.records else None


def keep_seat(
    held: PlayerCopy,
    name: str,
    settings: Mapping[str, str],
    code: str,
    now_s: int,
) -> Flow[None]:
    """Note where a player has a seat, to ask on coming back whether to return there.

    The store has to know a player whose races it will count.
    """
    kept = Put(keys.seat_key(held.id), code, now_s + ROOM_S)
    if not held.is_known:
        # Where an address has too many new players the seat is noted all the same.
        with suppress(StoreLimitError):
            yield from put_player(held, name, settings, now_s, kept)
            return
    yield Commit(new_version(held.draw), puts=(kept,), importance=Importance.LOW)


def give_seat_up(player: str) -> Flow[None]:
    yield Commit(puts=(Put(keys.seat_key(player), None),))


# Players online


class Present(NamedTuple):
    """A player on one of the servers, as others may see them."""

    handle: str
    """Names the player on the list; it tells nobody who that is elsewhere."""
    name: str
    label: str = ""
    share: int = 0
    """Open part of the board, in percent."""
    clock_ms: int = 0
    room: str = ""
    """The room in which the player is, if it is open to everybody."""
    code: str = ""
    """The record to watch; empty if nobody may."""
    waits: str = ""
    """The board for which the player waits for an opponent, as text."""
    is_in_room: bool = False
    """True also in a room that takes its code, which is not published."""
    rank: int = 0
    """Number of players from the same address who were on before. The list has the first of each
    address, then the second of each, and so on: one address with many keys does not fill it."""
    is_over: bool = False
    """The game has ended."""
    rating: str = ""
    """On the board that the player plays or waits for; empty for a player without one."""

    @property
    def place(self) -> str:
        return keys.ranked(self.rank, self.handle)


def appear(present: Present, now_s: int, draw: RandomBits) -> Flow[None]:
    """Put somebody on the list of players online, or keep them there."""
    body = json.dumps(present[1:], ensure_ascii=False, separators=(",", ":"))
    put = Put(keys.present_key(present.handle), body, now_s + PRESENT_S)
    place = Place(keys.PRESENT, present.place)
    yield Commit(new_version(draw), puts=(put,), places=(place,), importance=Importance.LOW)


def disappear(handle: str, rank: int) -> Flow[None]:
    place = Place(keys.PRESENT, keys.ranked(rank, handle), is_gone=True)
    yield Commit(puts=(Put(keys.present_key(handle), None),), places=(place,))


def list_present(player: str = "") -> Flow[Sequence[Present]]:
    """List the players online, first of all those with whom a player has played, the latest first.

    Players whose host has died are taken off the list.
    """
    key = keys.partners_key(player)
    found: Found = yield Read((key,), parts=(Part(keys.PRESENT, MAX_PRESENT),))
    (partners,), (places,) = found.documents, found.parts
    handles = tuple(dict.fromkeys((*partners.body.split(), *map(keys.ranked_handle, places))))
    found = yield Read(tuple(map(keys.present_key, handles)))
    bodies = {
        handle: one.body
        for handle, one in zip(handles, found.documents, strict=True)
        if one.version
    }
    gone = [place for place in places if keys.ranked_handle(place) not in bodies]
    if gone:
        yield Commit(places=tuple(Place(keys.PRESENT, place, is_gone=True) for place in gone))
    return [_read_present(*known) for known in bodies.items()]


def remember_partners(
    player: str, seats: Sequence[Seat], now_s: int, draw: RandomBits
) -> Flow[None]:
    """Remember with whom somebody plays; guests are others the next time."""
    met = [
        keys.handle_of(seat.player) for seat in seats if seat.player != player and not seat.is_guest
    ]
    if not met:
        return
    key = keys.partners_key(player)
    before = yield from read_document(key)
    handles = tuple(dict.fromkeys((*met, *before.body.split())))[:MAX_PARTNERS]
    put = Put(key, " ".join(handles), now_s + PARTNERS_S)
    yield Commit(new_version(draw), puts=(put,), importance=Importance.LOW)


def find_present(handle: str) -> Flow[Present | None]:
    """Find somebody online."""
    document = yield from read_document(keys.present_key(handle))
    return _read_present(handle, document.body) if document.version else None


@reading_values()
def _read_present(handle: str, body: str) -> Present:
    return Present(handle, *json.loads(body))


# Quick matches

WAITING_S: Final = 30
"""Time that a player stays on the list after the last renewal."""
MAX_WAITING: Final = 100
PARTED_S: Final = 60
"""Time for which two players do not meet again after one has left the other."""
LEFT_S: Final = 600
"""Time for which the number of matches that a player has left is remembered."""
MOST_LEFT: Final = 2
"""Number of matches left after which a player waits a minute for the next one."""


class Waiting(NamedTuple):
    """A player who waits for an opponent."""

    handle: str
    player: str
    name: str
    board: Variant
    allows_bots: bool = True
    is_bot: bool = False
    since_s: int = 0
    rank: int = 0
    """Number of players from the same address who waited before: the list begins with the first of
    each, so one address with many guests does not fill it."""

    @property
    def place(self) -> str:
        return keys.ranked(self.rank, self.handle)

    @property
    def body(self) -> str:
        row = (self.player, self.name, self.board.text, *self[4:])
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @staticmethod
    @reading_values()
    def read(handle: str, body: str) -> Waiting:
        player, name, board, *rest = json.loads(body)
        return Waiting(handle, player, name, Variant.parse(board), *rest)

    def suits(self, other: Waiting) -> bool:
        """Return False if one is a bot and the other wants none."""
        is_welcome = self.allows_bots or not other.is_bot
        return is_welcome and (other.allows_bots or not self.is_bot)


class Looked(NamedTuple):
    """The outcome of looking for an opponent."""

    room: str = ""
    """The room in which the two meet; empty while there is nobody."""
    opponent: str = ""
    is_opener: bool = False
    """The room was opened here, and the opponent does not know of it yet."""
    others: Sequence[Waiting] = ()
    """Players who wait for other boards, the longest wait first."""


class _Candidate(NamedTuple):
    waiting: Waiting
    version: int
    has_parted: bool
    """One of the two has just left the other."""


def look_for_opponent(own: Waiting, seat: Seat, now_s: int, draw: RandomBits) -> Flow[Looked]:
    """Meet a player who waits for the same kind of board; while there is nobody, wait.

    Ask again to stay on the list.
    """
    own_key, met_key = keys.waiting_key(own.handle), keys.met_key(own.player)
    while True:
        found: Found = yield Read((met_key, own_key), parts=(Part(keys.WAITING, MAX_WAITING),))
        (met, mine), (places,) = found.documents, found.parts
        if met.version:
            commit = Commit(checks=(Check(met_key, met.version),), puts=(Put(met_key, None),))
            if (yield commit) is DONE:
                room, opponent = met.body.split()
                return Looked(room, opponent)
            continue
        candidates = yield from _find_candidates(own, places)
        same = [one for one in candidates if one.waiting.board == own.board and not one.has_parted]
        if not same:
            put = Put(own_key, own.body, now_s + WAITING_S)
            check, place = Check(own_key, mine.version), Place(keys.WAITING, own.place)
            commit = Commit(new_version(draw), (check,), (put,), places=(place,))
            if (yield commit) is DONE:
                others = [one.waiting for one in candidates if one.waiting.board != own.board]
                return Looked(others=others)
            continue
        other, version, _ = same[0]
        flow = opening_of_room(
            Kind.RACE, own.board, seat, now_s, draw, allows_bots=own.allows_bots, is_open=True
        )
        code, opening = yield from flow
        theirs = keys.waiting_key(other.handle)
        left = Put(keys.met_key(other.player), f"{code} {own.player}", now_s + WAITING_S)
        commit = opening._replace(
            checks=(Check(own_key, mine.version), Check(theirs, version), *opening.checks),
            puts=(Put(own_key, None), Put(theirs, None), left, *opening.puts),
            places=tuple(Place(keys.WAITING, each.place, is_gone=True) for each in (own, other)),
        )
        if (yield commit) is DONE:
            return Looked(code, other.player, is_opener=True)


def _find_candidates(own: Waiting, places: Sequence[str]) -> Flow[Sequence[_Candidate]]:
    """Find possible opponents, best first; drop vanished ones from the list.

    The first of each address come before the second, and of those the longest wait.
    """
    listed = dict.fromkeys(map(keys.ranked_handle, places))
    handles = [each for each in listed if each != own.handle]
    found: Found = yield Read(tuple(map(keys.waiting_key, handles)))
    known = [
        (Waiting.read(handle, each.body), each.version)
        for handle, each in zip(handles, found.documents, strict=True)
        if each.version
    ]
    here = {own.place, *(one.place for one, _ in known)}
    if gone := [place for place in places if place not in here]:
        yield Commit(places=tuple(Place(keys.WAITING, each, is_gone=True) for each in gone))
    known = [(one, version) for one, version in known if own.suits(one)]
    found = yield Read(tuple(keys.parted_key(own.player, one.player) for one, _ in known))
    candidates = [
        _Candidate(one, version, parted.version > 0)
        for (one, version), parted in zip(known, found.documents, strict=True)
    ]
    return sorted(candidates, key=lambda one: (one.waiting.rank, one.waiting.since_s))


def stop_looking(handle: str, rank: int) -> Flow[None]:
    """Leave the list of players who wait."""
    put = Put(keys.waiting_key(handle), None)
    yield Commit(
        puts=(put,), places=(Place(keys.WAITING, keys.ranked(rank, handle), is_gone=True),)
    )


# Leaving


def check_leaver(seat: Seat, now_s: int) -> Flow[None]:
    """Refuse a match to a player who has just left too many."""
    known = yield from read_document(keys.left_key(_leaver(seat)))
    count, at_s = _read_left(known.body)
    if count >= MOST_LEFT and now_s < at_s + PARTED_S:
        left_s = at_s + PARTED_S - now_s
        raise RoomError("quick.left", count=count, seconds=left_s)


def note_parting(seat: Seat, opponent: str, now_s: int, draw: RandomBits) -> Flow[None]:
    """Note that a player left an opponent before their race was over."""
    key = keys.left_key(_leaver(seat))
    while True:
        before = yield from read_document(key)
        count, _ = _read_left(before.body)
        parted = Put(keys.parted_key(seat.player, opponent), "-", now_s + PARTED_S)
        left = Put(key, f"{count + 1} {now_s}", now_s + LEFT_S)
        check = Check(key, before.version)
        commit = Commit(new_version(draw), (check,), (left, parted), importance=Importance.LOW)
        if (yield commit) is DONE:
            return


def _leaver(seat: Seat) -> str:
    """Name a leaver: a guest comes back as another player, but from the same address."""
    return seat.address if seat.is_guest and seat.address else seat.player


@reading_values()
def _read_left(body: str) -> tuple[int, int]:
    """Read the number of matches left, and the time of the last one."""
    count, at_s = map(int, body.split()) if body else (0, 0)
    return count, at_s
