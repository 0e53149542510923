"""A line on loopback that delays each direction by half a round trip."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_READ_AT_ONCE = 65_536


@contextmanager
def slow_line(port: int, round_trip_s: float) -> Iterator[SlowLine]:
    """Forward connections to a port of this machine."""
    listener = socket.create_server(("127.0.0.1", 0))
    line = SlowLine(listener.getsockname()[1], port, round_trip_s / 2)
    thread = threading.Thread(target=lambda: asyncio.run(line.run(listener)))
    thread.start()
    line.is_open.wait()
    try:
        yield line
    finally:
        line.close()
        thread.join()


class SlowLine:
    """The line; `near_port` is the one to connect to."""

    def __init__(self, near_port: int, port: int, delay_s: float) -> None:
        self.near_port = near_port
        self.is_open = threading.Event()
        self._port = port
        self._delay_s = delay_s
        self._writers: list[asyncio.StreamWriter] = []
        self._held: list[tuple[asyncio.StreamWriter, bytes]] | None = None

    def hold(self) -> None:
        """Carry nothing more until it is released."""
        self._loop.call_soon_threadsafe(self._hold)

    def release(self) -> None:
        self._loop.call_soon_threadsafe(self._release)

    async def run(self, listener: socket.socket) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with await asyncio.start_server(self._serve, sock=listener):
            self.is_open.set()
            await self._end.wait()
            for writer in self._writers:
                writer.transport.abort()
            for writer in self._writers:
                with suppress(OSError):
                    await writer.wait_closed()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)

    async def _serve(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        far, to_far = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers += [to_near, to_far]
        for writer in (to_near, to_far):
            end = writer.get_extra_info("socket")
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.gather(self._carry(near, to_far), self._carry(far, to_near))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(_READ_AT_ONCE):
                self._loop.call_later(self._delay_s, self._forward, writer, data)
        self._loop.call_later(self._delay_s, writer.close)

    def _forward(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if self._held is None:
            writer.write(data)
        else:
            self._held.append((writer, data))

    def _hold(self) -> None:
        self._held = []

    def _release(self) -> None:
        held, self._held = self._held or [], None
        for writer, data in held:
            writer.write(data)
