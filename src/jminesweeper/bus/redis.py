"""The bus over Redis: a pub/sub channel for each topic with a listener here.

One connection listens, others send. While Redis is away messages wait, and the connection is
retried: to look again is as right later. After a reconnect every listener looks into the store,
because messages may have been missed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from redis import exceptions
from redis.asyncio import Connection, Redis

from jminesweeper.bus import MISSED, Listener, Unsubscribe
from jminesweeper.bus.local import Listeners

PREFIX: Final = "jm:bus:"
OWN_CHANNEL: Final = f"{PREFIX}open"
"""All buses listen to it, so that a connection always has a channel."""
MAX_WAITING: Final = 10_000
"""Number of messages that may wait to be sent; beyond that the oldest are dropped."""
RETRY_S: Final = 1.0
SILENCE_S: Final = 10.0
"""After this long without a message the server has to answer a ping."""

logger = logging.getLogger("jminesweeper.bus")


@asynccontextmanager
async def open_redis_bus(
    client: Redis, *, retry_s: float = RETRY_S, silence_s: float = SILENCE_S
) -> AsyncIterator[RedisBus]:
    """Run a bus over this client; Redis may be away."""
    bus = RedisBus(client, retry_s, silence_s)
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(bus.hear()), tasks.create_task(bus.send())]
        yield bus
        # `asyncio.wait_for`, which redis-py sends by, may lose a cancellation before Python 3.12.
        bus.is_closing = True
        for task in running:
            task.cancel()


class RedisBus:
    """Open it by `open_redis_bus`."""

    is_shared = True

    def __init__(self, client: Redis, retry_s: float, silence_s: float) -> None:
        self._client = client
        self._retry_s = retry_s
        self._silence_s = silence_s
        self._listeners = Listeners()
        self._hearing: Connection | None = None
        self._changed: set[str] = set()
        """Topics to subscribe to, or to leave."""
        self._outgoing: deque[tuple[str, bytes]] = deque(maxlen=MAX_WAITING)
        self._has_work = asyncio.Event()
        self.is_closing = False

    @property
    def is_connected(self) -> bool:
        return self._hearing is not None

    def publish(self, topic: str, message: bytes) -> None:
        self._outgoing.append((topic, message))
        self._has_work.set()

    def subscribe(self, topic: str, listener: Listener) -> Unsubscribe:
        if self._listeners.add(topic, listener):
            self._change(topic)

        def unsubscribe() -> None:
            if self._listeners.remove(topic, listener):
                self._change(topic)

        return unsubscribe

    def _change(self, topic: str) -> None:
        self._changed.add(topic)
        self._has_work.set()

    # Sending

    async def send(self) -> None:
        """Send queued messages, until the bus is closed."""
        while not self.is_closing:
            connection = self._client.connection_pool.make_connection()
            try:
                while not self.is_closing:
                    await self._has_work.wait()
                    self._has_work.clear()
                    await self._send(connection)
            except (exceptions.RedisError, OSError) as error:
                waiting = len(self._outgoing)
                logger.warning("%d messages to other servers wait: %s", waiting, error)
                self._has_work.set()
                await asyncio.sleep(self._retry_s)
            finally:
                await connection.disconnect()

    async def _send(self, connection: Connection) -> None:
        """Subscribe and unsubscribe as asked since the last time, and send pending messages."""
        changed, self._changed = self._changed, set()
        outgoing = [*self._outgoing]
        self._outgoing.clear()
        try:
            # A later connection subscribes to all topics from its start.
            if self._hearing is not None and changed:
                heard = [topic for topic in changed if self._listeners.has(topic)]
                left = changed.difference(heard)
                for command, named in (("SUBSCRIBE", heard), ("UNSUBSCRIBE", left)):
                    if named:
                        await self._hearing.send_command(command, *map(_channel, named))
            if outgoing:
                commands = [("PUBLISH", _channel(topic), said) for topic, said in outgoing]
                # Of a message the pipeline of a client costs half as much again.
                packed = connection.pack_commands(commands)
                if not connection.is_connected:
                    await connection.connect()
                await connection.send_packed_command(packed, check_health=False)
                for _ in outgoing:
                    await connection.read_response()
        except (exceptions.RedisError, OSError):
            self._outgoing = deque((*outgoing, *self._outgoing), MAX_WAITING)
            raise
        # A bug here must not end the task group, and with it the server.
        except Exception:
            logger.exception("%d messages were dropped", len(outgoing))

    # Receiving

    async def hear(self) -> None:
        """Deliver published messages, until the bus is closed."""
        while not self.is_closing:
            connection = self._client.connection_pool.make_connection()
            try:
                await connection.connect()
                await self._hear(connection)
            except (exceptions.RedisError, OSError) as error:
                logger.warning("no messages from other servers for now: %s", error)
            # A bug here must not end the task group either.
            except Exception:
                logger.exception("no messages from other servers for now")
            finally:
                self._hearing = None
                await connection.disconnect()
            await asyncio.sleep(self._retry_s)

    async def _hear(self, connection: Connection) -> None:
        topics = self._listeners.topics
        self._hearing = connection
        await connection.send_command("SUBSCRIBE", OWN_CHANNEL, *map(_channel, topics))
        for topic in topics:
            self._listeners.deliver(topic, MISSED)
        is_pinged = False
        while not self.is_closing:
            reply = await connection.read_response(timeout=self._silence_s)
            if reply is not None:
                is_pinged = False
                self._receive(reply)
            elif is_pinged:
                raise exceptions.TimeoutError("Redis answers no ping")
            else:
                is_pinged = True
                await connection.send_command("PING")

    def _receive(self, reply: Sequence[bytes]) -> None:
        kind, *rest = reply
        # Besides messages there are confirmations of requests, and answers to pings.
        if kind == b"message":
            channel, message = rest
            self._listeners.deliver(channel.decode().removeprefix(PREFIX), message)


def _channel(topic: str) -> str:
    return f"{PREFIX}{topic}"
