"""The bus on a real Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jminesweeper.bus import MISSED, game_topic
from jminesweeper.bus.redis import MAX_WAITING, RedisBus, open_redis_bus
from jminesweeper.store.redis import open_client
from tests.contract.listening import Ear, await_listeners
from tests.ports import HOST, free_port
from tests.redis_process import RedisProcess, running_redis, running_sentinel

ANN = game_topic("ann")
WAIT_S = 60.0


@asynccontextmanager
async def bus_on(url: str, silence_s: float = 10.0) -> AsyncIterator[RedisBus]:
    async with (
        open_client(url) as client,
        open_redis_bus(client, retry_s=0.02, silence_s=silence_s) as bus,
    ):
        yield bus


async def test_what_nobody_here_listens_to_does_not_come_here(empty_redis: RedisProcess) -> None:
    async with bus_on(empty_redis.url) as bus:
        first, second = Ear(bus, ANN), Ear(bus, ANN)
        await await_listeners(empty_redis, ANN, 1)
        first.leave()
        bus.publish(ANN, b"1")
        assert await second.next() == b"1"
        second.leave()
        await await_listeners(empty_redis, ANN, 0)


async def test_whoever_listens_looks_again_when_redis_is_back(
    redis_program: str, tmp_path: Path
) -> None:
    with running_redis(redis_program, tmp_path / "redis") as redis:
        async with bus_on(redis.url) as bus:
            ear = Ear(bus, ANN)
            await await_listeners(redis, ANN, 1)
            bus.publish(ANN, b"before")
            await ear.until(b"before")
            await asyncio.to_thread(redis.kill)
            bus.publish(ANN, b"lost")
            await asyncio.to_thread(redis.start)
            assert await ear.any() == MISSED
            await await_listeners(redis, ANN, 1)
            bus.publish(ANN, b"after")
            assert b"before" not in await ear.until(b"after")


async def test_a_server_that_went_silent_is_left(redis_program: str, tmp_path: Path) -> None:
    with running_redis(redis_program, tmp_path / "redis") as redis:
        async with bus_on(redis.url, silence_s=0.05) as bus:
            ear = Ear(bus, ANN)
            await await_listeners(redis, ANN, 1)
            redis.freeze()
            while bus.is_connected:
                await asyncio.to_thread(bool)
            redis.thaw()
            await ear.until(MISSED)


async def test_a_server_that_has_nothing_to_say_is_asked_whether_it_is_there(
    empty_redis: RedisProcess,
) -> None:
    # A busy machine has as long to answer a ping, or the bus takes the server for one that is gone.
    async with bus_on(empty_redis.url, silence_s=3.0) as bus:
        ear = Ear(bus, ANN)
        await await_listeners(empty_redis, ANN, 1)
        with empty_redis.client.monitor() as monitor:
            asked = (each["command"] for each in monitor.listen())
            await asyncio.to_thread(next, (each for each in asked if each.upper() == "PING"))
        bus.publish(ANN, b"1")
        assert await ear.next() == b"1"


async def test_what_cannot_be_sent_for_a_while_is_sent_later(
    empty_redis: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    async with bus_on(empty_redis.url) as bus:
        ear, acl = Ear(bus, ANN), empty_redis.client.execute_command
        await await_listeners(empty_redis, ANN, 1)
        await asyncio.to_thread(acl, "ACL", "SETUSER", "default", "-publish")
        bus.publish(ANN, b"1")
        while "1 messages to other servers wait" not in caplog.text:
            await asyncio.to_thread(bool)
        await asyncio.to_thread(acl, "ACL", "SETUSER", "default", "+publish")
        assert await ear.next() == b"1"


async def test_without_redis_messages_beyond_a_bound_are_dropped_and_nobody_waits(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with bus_on(f"redis://{HOST}:{free_port()}") as bus:
        Ear(bus, ANN)
        for _ in range(2 * MAX_WAITING):
            bus.publish(ANN, b"1")
        while f"{MAX_WAITING} messages to other servers wait" not in caplog.text:
            await asyncio.to_thread(bool)


async def test_the_way_through_a_sentinel_leads_to_the_master(
    redis_program: str, tmp_path: Path
) -> None:
    with (
        running_redis(redis_program, tmp_path / "redis") as redis,
        running_redis(redis_program, tmp_path / "copy", replicaof=f"{HOST} {redis.port}"),
        running_sentinel(redis_program, tmp_path / "sentinel", "games", redis) as port,
    ):
        async with bus_on(f"redis+sentinel://{HOST}:{port}/games?replicas=1") as bus:
            ear = Ear(bus, ANN)
            await await_listeners(redis, ANN, 1)
            bus.publish(ANN, b"1")
            assert await ear.next() == b"1"
