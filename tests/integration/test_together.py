"""People who meet on two real servers: rooms, races, shared boards, and those who watch.

What the rules are is told by tests/unit/session, where the same is played without a network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from os import urandom
from typing import Any, NamedTuple

import pytest

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import COVERED, MINED
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Join,
    MoveTo,
    NewGame,
    OpenMenu,
    OpenRoom,
    Packet,
    Ready,
    Say,
    Watch,
)
from jminesweeper.protocol.vocabulary import Button, Command, Feature, RoomKind
from jminesweeper.records.meeting import find_room
from jminesweeper.records.rooms import Room
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Store
from jminesweeper.store.redis import RedisStore
from tests.integration.server_process import hasty, running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import running_redis

LIVE = Feature.RESUME | Feature.LIVE
BEGINNER = NewGame("beginner")
RACE = OpenRoom(RoomKind.RACE, board="beginner")
SHARED = OpenRoom(RoomKind.SHARED, board="beginner")


class Friend(ViewPlayer):
    """Somebody who is shown what others do."""

    def __init__(self, port: int, name: str, key: bytes) -> None:
        self.name, self.heard = name, list[Any]()
        super().__init__(port, key, name)
        self.play(Hello(LIVE, key, name))

    def read(self) -> None:
        super().read()
        self.heard += self.known.get("said", [])

    @property
    def known(self) -> dict[str, Any]:
        return self._kept.members

    @property
    def faces(self) -> bytes:
        return bytes(self._kept.faces)

    def see(self, what: Callable[[dict[str, Any]], object]) -> None:
        """Read what comes until it is so."""
        while not what(self.known):
            self.read()

    def say_and_see(self, packet: Packet, what: Callable[[dict[str, Any]], object]) -> None:
        self.send(packet)
        self.read_reply()
        self.see(what)

    def read_reply(self) -> None:
        """Read until what was asked for has come."""
        self.read()
        while self.known.get("unasked"):
            self.read()


class Club(NamedTuple):
    """A server, and what its store knows."""

    port: int
    open_store: Callable[[], Store]
    friends: ExitStack
    salt: bytes
    """Makes the players of each test others."""

    def friend(self, name: str) -> Friend:
        key = self.salt + name.encode().ljust(8, b".")
        return self.friends.enter_context(Friend(self.port, name, key))

    def room(self, code: str) -> Room:
        with closing(self.open_store()) as store:
            room = run(store, find_room(code))
        assert room is not None
        return room

    def minefield(self, code: str) -> Minefield:
        """The mines of the round, which nobody who plays it is told."""
        setup = self.room(code).setup
        assert setup is not None
        return setup.minefield()


@pytest.fixture(name="servers", scope="module")
def two_servers(
    redis_program: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[int, int, Callable[[], Store]]]:
    folder = tmp_path_factory.mktemp("redis")
    with (
        running_redis(redis_program, folder, appendfsync="no") as redis,
        running_server(command=hasty("--workers=0", f"--store={redis.url}")) as one,
        running_server(command=hasty("--workers=0", f"--store={redis.url}")) as other,
    ):
        yield one.port, other.port, partial(RedisStore, redis.url)


@pytest.fixture(name="clubs")
def clubs_on(servers: tuple[int, int, Callable[[], Store]]) -> Iterator[tuple[Club, Club]]:
    one, other, open_store = servers
    with ExitStack() as friends:
        yield (
            Club(one, open_store, friends, urandom(8)),
            Club(other, open_store, friends, urandom(8)),
        )


def begin(*friends: Friend, kind: OpenRoom = RACE) -> str:
    """Have friends sit down in a room, and play."""
    host, *others = friends
    host.say_and_see(kind, lambda known: known.get("room"))
    code: str = host.known["room"]["code"]
    for other in others:
        other.say_and_see(Join(code), lambda known: known.get("room"))
    for friend in friends:
        friend.send(Ready())
    for friend in friends:
        friend.see(lambda known: known.get("state") == "playing")
    return code


def cells(field: Minefield, cells: int) -> list[Cell]:
    return list(Grid.of(field.size).cells(cells))


def open_cell(friend: Friend, cell: Cell) -> None:
    columns = friend.known["size"][0]
    seen = friend.faces[cell.row * columns + cell.column]
    friend.send(Act(cell.column, cell.row, Button.OPEN, seen))
    friend.read_reply()


def finish(friend: Friend, field: Minefield) -> None:
    """Open all safe cells that are covered."""
    for cell in cells(field, field.safe):
        place = cell.row * field.size.columns + cell.column
        if friend.known["state"] == "playing" and friend.faces[place] & COVERED:
            open_cell(friend, cell)


def seat(friend: Friend, name: str) -> dict[str, Any]:
    return next(row for row in friend.known["seats"] if row["name"] == name)


def people(friend: Friend, name: str) -> None:
    """Look who is online until somebody is."""
    while True:
        friend.send(OpenMenu("people"))
        friend.read_reply()
        friend.see(lambda known: known.get("menu") or True)
        menu = friend.known.get("menu")
        if menu and any(row["label"] == name and row["value"] != "no game" for row in menu["rows"]):
            return
        if menu:
            friend.send(OpenMenu(""))
            friend.read_reply()


def test_friends_race_on_the_same_board_and_see_who_was_first(clubs: tuple[Club, Club]) -> None:
    ada, bob, cy = clubs[0].friend("Ada"), clubs[1].friend("Bob"), clubs[1].friend("Cy")
    field = clubs[0].minefield(begin(ada, bob, cy))
    assert ada.faces == bob.faces
    assert set(ada.faces) != {COVERED}
    open_cell(ada, cells(field, field.mines)[0])
    bob.see(lambda _: seat(bob, "Ada")["hits"] == 1)
    assert not any(face & MINED for face in bob.faces)
    finish(bob, field)
    ada.see(lambda _: seat(ada, "Bob")["place"] == 1)
    assert ada.known["ends_in"] > 50_000
    assert seat(ada, "Bob")["time"] > 0
    finish(cy, field)
    ada.send(Command.LEAVE)
    for friend in (bob, cy):
        friend.see(lambda known: known["room"]["state"] == "over")
        assert [seat(friend, name)["place"] for name in ("Bob", "Cy")] == [1, 2]
        assert friend.known["figures"]


def test_a_quick_match_on_two_servers_tells_both_at_once(clubs: tuple[Club, Club]) -> None:
    quick = replace(RACE, kind=RoomKind.QUICK)
    ada, bob = clubs[0].friend("Ada"), clubs[1].friend("Bob")
    ada.say_and_see(quick, lambda known: (known.get("message") or {}).get("id") == "quick.wait")
    bob.say_and_see(quick, lambda known: known.get("room"))
    # She would look again by herself after ten seconds only.
    ada.see(lambda known: known.get("room"))
    assert ada.known["room"]["code"] == bob.known["room"]["code"]


def test_who_watches_on_another_server_sees_the_cursor_and_the_next_game(
    clubs: tuple[Club, Club],
) -> None:
    # Of one name a test, for who has left may be listed for a while.
    ada, bob = clubs[0].friend("Yara"), clubs[1].friend("Bob")
    ada.play(BEGINNER)
    open_cell(ada, Cell(4, 4))
    people(bob, "Yara")
    bob.say_and_see(Watch("Yara"), lambda known: known.get("watching") and known.get("size"))
    ada.see(lambda known: known.get("watchers") == 1)
    ada.send(MoveTo(7, 2))
    bob.see(lambda known: known.get("cursor") == [7, 2])
    ada.say_and_see(NewGame("intermediate"), lambda known: known["size"] == [16, 16])
    open_cell(ada, Cell(4, 4))
    bob.see(lambda known: known["size"] == [16, 16] and bob.faces == ada.faces)
    ada.see(lambda known: known.get("watchers") == 1)
    bob.say_and_see(Command.LEAVE, lambda known: known["watching"] is None)
    ada.see(lambda known: known["watchers"] == 0)


def test_friends_share_a_board(clubs: tuple[Club, Club]) -> None:
    ada, bob = clubs[0].friend("Ada"), clubs[1].friend("Bob")
    field = clubs[0].minefield(begin(ada, bob, kind=SHARED))
    mine, safe = cells(field, field.mines)[0], cells(field, field.safe)
    ada.send(Act(mine.column, mine.row, Button.FLAG, COVERED))
    bob.see(lambda known: known["owners"] == [[mine.row * 9 + mine.column, 1]])
    bob.send(MoveTo(8, 8), Say(3))
    ada.see(lambda known: [2, 80] in known["cursors"])
    while not ada.heard:
        ada.read()
    for number, cell in enumerate(safe):
        open_cell(ada if number % 2 else bob, cell)
    for friend in (ada, bob):
        friend.see(lambda known: known["state"] == "won")
    assert ada.faces == bob.faces


def test_a_seat_is_kept_for_who_comes_back_on_another_server(clubs: tuple[Club, Club]) -> None:
    one, other = clubs
    ada, bob = one.friend("Ada"), one.friend("Bob")
    code = begin(ada, bob)
    field = one.minefield(code)
    open_cell(ada, cells(field, field.safe)[-1])
    before = ada.faces
    ada.close()
    bob.see(lambda _: not seat(bob, "Ada")["here"])
    again = other._replace(salt=one.salt).friend("Ada")
    again.say_and_see(Join(code), lambda known: known.get("state") == "playing")
    assert again.faces == before
    bob.see(lambda _: seat(bob, "Ada")["here"])
