"""Races on servers that share Redis and are killed at the worst moments: each ends as it must."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from os import urandom

import pytest

from jminesweeper.protocol.packets import Join, Ready
from jminesweeper.records.meeting import find_room
from jminesweeper.records.reading import read_statistics
from jminesweeper.records.rooms import Room
from jminesweeper.store.blocking import run
from jminesweeper.store.redis import RedisStore
from tests.haproxy_process import wait_until
from tests.integration.server_process import ServerProcess, running_server, server_command
from tests.integration.test_together import RACE, Club, cells, finish, open_cell
from tests.redis_process import RedisProcess


class Place:
    """Servers that share Redis, and two friends on the first two."""

    def __init__(self, redis: RedisProcess, opened: ExitStack) -> None:
        self._url, self._opened, self._salt = redis.url, opened, urandom(8)
        self.one, self.other = self.start(), self.start()
        self.club = self.club_on(self.one)
        self.ada = self.club.friend("Ada")
        self.bob = self.club_on(self.other).friend("Bob")
        self.ada.say_and_see(RACE, lambda known: known.get("room"))
        self.code: str = self.ada.known["room"]["code"]
        self.bob.say_and_see(Join(self.code), lambda known: known.get("room"))
        self.players = {seat.name: seat.player for seat in self.room().seats}

    def start(self) -> ServerProcess:
        options = ("--workers=0", f"--store={self._url}")
        command = server_command(*options, program=["-m", "tests.integration.impatient_server"])
        return self._opened.enter_context(running_server(command=command))

    def club_on(self, server: ServerProcess) -> Club:
        return Club(server.port, partial(RedisStore, self._url), self._opened, self._salt)

    def room(self) -> Room:
        return self.club.room(self.code)

    def begin(self) -> None:
        for friend in (self.ada, self.bob):
            friend.send(Ready())
        for friend in (self.ada, self.bob):
            friend.see(lambda known: known.get("state") == "playing")

    def expect(self, places: dict[str, int]) -> None:
        """Wait for the result, with these places, each counted once."""
        with closing(RedisStore(self._url)) as store:

            def is_over() -> bool:
                room = run(store, find_room(self.code))
                return room is not None and room.last is not None

            wait_until(is_over)
            room = run(store, find_room(self.code))
            assert room is not None
            assert room.last is not None
            assert {line.name: line.place for line in room.last.lines} == places
            for name, place in places.items():
                read = run(store, read_statistics(self.players[name]))
                assert (read.races, read.races_won) == (1, int(place == 1))


@pytest.fixture(name="place")
def place_on(empty_redis: RedisProcess) -> Iterator[Place]:
    with ExitStack() as opened:
        yield Place(empty_redis, opened)


def test_a_server_that_is_killed_in_the_countdown_keeps_nobody_from_playing(place: Place) -> None:
    for friend in (place.ada, place.bob):
        friend.send(Ready())
    place.bob.see(lambda known: known["room"]["state"] == "countdown")
    place.one.kill()
    place.bob.see(lambda known: known.get("state") == "playing")
    finish(place.bob, place.club.minefield(place.code))
    # Ada's seat is kept for a while, and then nobody waits for her.
    place.expect({"Bob": 1, "Ada": 0})


def test_a_player_whose_server_is_killed_in_a_race_comes_back_and_wins(place: Place) -> None:
    place.begin()
    field = place.club.minefield(place.code)
    open_cell(place.bob, cells(field, field.safe)[-1])
    before = place.bob.faces
    place.other.kill()
    back = place.club.friend("Bob")
    back.say_and_see(Join(place.code), lambda known: known.get("state") == "playing")
    assert back.faces == before
    finish(back, field)
    finish(place.ada, field)
    place.expect({"Bob": 1, "Ada": 2})


def test_a_win_that_was_answered_counts_though_its_server_and_player_are_gone(place: Place) -> None:
    place.begin()
    field = place.club.minefield(place.code)
    finish(place.bob, field)
    assert place.bob.known["state"] == "won"
    place.other.kill()
    finish(place.ada, field)
    place.expect({"Bob": 1, "Ada": 2})
    place.ada.see(lambda known: known["room"]["state"] == "over")


def test_a_race_is_counted_if_all_servers_are_killed_at_its_end(place: Place) -> None:
    place.begin()
    finish(place.bob, place.club.minefield(place.code))
    place.one.kill()
    place.other.kill()
    place.start()
    place.expect({"Bob": 1, "Ada": 0})
