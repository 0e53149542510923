"""Quick matches: two players wait for an opponent, and meet.

A player who waits has a document that expires unless it is renewed, and a place on the board
`waiting`. A player who looks and finds another opens a room and leaves its code for that one, in
the commit that takes both off the list. If two find each other at the same moment, their commits
check the same two documents: so one is refused, looks again, and finds the code.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.variant import Variant
from jminesweeper.records import keys
from jminesweeper.records.documents import Flow, new_version, read_document, reading_values
from jminesweeper.records.meeting import opening_of_room
from jminesweeper.records.rooms import Kind, RoomError, Seat
from jminesweeper.store.port import DONE, Check, Commit, Found, Importance, Part, Place, Put, Read

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
