"""A guest on a TCP connection, or on any other stream that asyncio has a transport for.

One buffer serves all connections: a loop fills it and hands it over in one step. That spares
memory, and the 256 KiB that asyncio allocates for each read of a plain `Protocol`.

A transport reports as soon as the peer leaves anything unread, so at most a turn's replies ever
wait in it. (TLS that a transport does needs room for a record there: `tls` is above this one.)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, cast

from jminesweeper.server.guest import Guest
from jminesweeper.server.hub import Hub
from jminesweeper.server.phases import Ending

_ONE_BYTE: Final = tuple(bytes((value,)) for value in range(256))


class TcpGuest(Guest, asyncio.BufferedProtocol):
    """The protocol that asyncio drives."""

    __slots__ = ("_buffer", "_take", "_transport")

    _transport: asyncio.Transport
    _take: Callable[[bytes], None]
    """Takes in what the peer has sent."""

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        super().__init__(hub, peer, origin)
        self._buffer = hub.read_buffer
        self._take = self.hear

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.set_write_buffer_limits(high=0)
        self._write = self._transport.write
        self.arrive()

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._take(_ONE_BYTE[self._buffer[0]] if nbytes == 1 else bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool:
        """Keep the transport open if something is still owed."""
        self.hear_end()
        return self.is_owed

    def pause_writing(self) -> None:
        self.stall()

    def resume_writing(self) -> None:
        self.catch_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self.depart()

    def abort(self) -> None:
        self._transport.abort()

    def _set_reading(self, *, is_reading: bool) -> None:
        if self._transport.is_closing():
            return
        if is_reading:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _hang_up(self, ending: Ending) -> None:
        if ending is Ending.NOW or not self._transport.can_write_eof():
            self._transport.close()
            return
        try:
            self._transport.write_eof()
        except OSError:  # The peer has reset the connection, and the loop has not noticed yet.
            self._transport.abort()
