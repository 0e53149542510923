"""Listening to a bus."""

from __future__ import annotations

import asyncio

from jminesweeper.bus import MISSED, Bus
from tests.redis_process import RedisProcess


class Ear:
    """Hears one topic, message by message."""

    def __init__(self, bus: Bus, topic: str) -> None:
        self._messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.leave = bus.subscribe(topic, self._messages.put_nowait)

    async def any(self) -> bytes:
        """Return the next message, be it that something was missed."""
        return await self._messages.get()

    async def next(self) -> bytes:
        """Return the next message."""
        while (message := await self.any()) == MISSED:
            continue
        return message

    async def until(self, message: bytes) -> list[bytes]:
        """Return what is heard before this message."""
        heard = []
        while (each := await self.any()) != message:
            heard.append(each)
        return heard


async def await_listeners(redis: RedisProcess, topic: str, count: int) -> None:
    """Wait until so many connections listen to a topic."""
    channel = f"jm:bus:{topic}"
    while True:
        ((_, listening),) = await asyncio.to_thread(redis.client.pubsub_numsub, channel)
        if listening == count:
            return
