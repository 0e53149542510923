"""Every bus, at two of its ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TypeAlias

import pytest

from jminesweeper.bus import Bus, game_topic
from jminesweeper.bus.local import LocalBus
from jminesweeper.bus.redis import open_redis_bus
from jminesweeper.store.redis import open_client
from tests.contract.listening import Ear, await_listeners
from tests.redis_process import RedisProcess

ANN, BOB = game_topic("ann"), game_topic("bob")
OpenEnds: TypeAlias = Callable[[], AbstractAsyncContextManager["Ends"]]


class Ends:
    """Two ends of a bus."""

    def __init__(self, here: Bus, there: Bus, redis: RedisProcess | None = None) -> None:
        self.here, self.there = here, there
        self._redis = redis

    async def are_heard(self, topic: str, count: int) -> None:
        """Wait until so many ends listen to a topic."""
        if self._redis is not None:
            await await_listeners(self._redis, topic, count)


@asynccontextmanager
async def ends_of(kind: str, redis: RedisProcess) -> AsyncIterator[Ends]:
    async with AsyncExitStack() as opened:
        if kind == "local":
            bus = LocalBus(asyncio.get_running_loop().call_soon)
            yield Ends(bus, bus)
        else:
            buses = []
            for _ in range(2):
                client = await opened.enter_async_context(open_client(redis.url))
                buses.append(await opened.enter_async_context(open_redis_bus(client)))
            yield Ends(buses[0], buses[1], redis)


@pytest.fixture(params=["local", "redis"])
def open_ends(request: pytest.FixtureRequest, empty_redis: RedisProcess) -> OpenEnds:
    return partial(ends_of, request.param, empty_redis)


async def test_what_is_published_is_heard_at_every_end(open_ends: OpenEnds) -> None:
    async with open_ends() as ends:
        ears = [Ear(ends.here, ANN), Ear(ends.here, ANN), Ear(ends.there, ANN)]
        await ends.are_heard(ANN, 2)
        ends.here.publish(ANN, b"\x00\xff")
        assert [await ear.next() for ear in ears] == [b"\x00\xff"] * 3


async def test_nobody_hears_of_other_topics_or_after_leaving(open_ends: OpenEnds) -> None:
    async with open_ends() as ends:
        heard, other = Ear(ends.there, ANN), Ear(ends.there, BOB)
        left: list[bytes] = []
        end = ends.there.subscribe(ANN, left.append)
        end()
        end()
        await ends.are_heard(ANN, 1)
        await ends.are_heard(BOB, 1)
        ends.here.publish(BOB, b"other")
        ends.here.publish(ANN, b"own")
        assert (await heard.next(), await other.next()) == (b"own", b"other")
        assert left == []


async def test_who_leaves_and_comes_back_at_once_is_heard(open_ends: OpenEnds) -> None:
    async with open_ends() as ends:
        Ear(ends.there, ANN).leave()
        ear = Ear(ends.there, ANN)
        await ends.are_heard(ANN, 1)
        ends.here.publish(ANN, b"1")
        assert await ear.next() == b"1"


async def test_a_bug_of_one_who_listens_is_logged_and_the_others_hear(
    open_ends: OpenEnds, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(_message: bytes) -> None:
        raise ZeroDivisionError

    async with open_ends() as ends:
        ends.there.subscribe(ANN, stumble)
        ear = Ear(ends.there, ANN)
        await ends.are_heard(ANN, 1)
        ends.here.publish(ANN, b"1")
        assert await ear.next() == b"1"
    assert "ZeroDivisionError" in caplog.text
