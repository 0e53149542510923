"""One TCP connection to a server: bytes in, events out."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Sequence
from typing import Final, cast

from jminesweeper.client.address import Address
from jminesweeper.client.errors import ConnectError, NobodyListensError
from jminesweeper.client.events import Deliver, Garbled, Lost, Received
from jminesweeper.client.resolving import resolve
from jminesweeper.protocol import Direction, Packet, PacketReader, ProtocolError

CONNECT_TIMEOUT_S: Final = 10.0
# A host that vanished without a word is given up after this long, not after TCP's quarter hour.
_SILENCE_S: Final = 30


class Connection(asyncio.Protocol):
    """Delivers what the server sent, and at most one reason why nothing more will come.

    It stops reading after every chunk until `resume` is called: a server that sends faster than
    the terminal can show is slowed down, not buffered.
    """

    def __init__(self, name: str, deliver: Deliver) -> None:
        self.closed = asyncio.Event()
        self._name = name
        self._deliver = deliver
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._transport: asyncio.Transport | None = None
        self._is_settled = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        _notice_silence(transport.get_extra_info("socket"))

    def data_received(self, data: bytes) -> None:
        if self._is_settled:
            return
        try:
            packets = self._reader.feed(data)
        except ProtocolError as error:
            self._hand_over(error.packets)
            self._settle(
                Garbled(f"{self._name} does not speak JMinesweeper's protocol: {error.reason}")
            )
            self.abort()
        else:
            self._hand_over(packets)

    def connection_lost(self, exc: Exception | None) -> None:
        reason = "closed the connection" if exc is None else f"is gone: {explain(exc)}"
        self._settle(Lost(f"{self._name} {reason}."))
        self.closed.set()

    def send(self, data: bytes) -> None:
        """Send at once, unless there is nobody left to send to."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def resume(self) -> None:
        """Read on: what was delivered has been painted."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def abort(self) -> None:
        """Drop the connection at once, and say no more about it."""
        self._is_settled = True
        if self._transport is not None:
            self._transport.abort()

    async def finish(self, timeout_s: float) -> None:
        """Let the server read what was sent, and hang up first."""
        self._is_settled = True
        self.resume()
        try:
            async with asyncio.timeout(timeout_s):
                await self.closed.wait()
        except TimeoutError:
            self.abort()

    def _hand_over(self, packets: Sequence[Packet]) -> None:
        if self._transport is not None and packets:
            self._transport.pause_reading()
            self._deliver(Received(tuple(packets)))

    def _settle(self, ending: Lost | Garbled) -> None:
        if not self._is_settled:
            self._is_settled = True
            self._deliver(ending)


async def connect(
    address: Address, name: str, deliver: Deliver, timeout_s: float = CONNECT_TIMEOUT_S
) -> Connection:
    """Open a connection; ConnectError says in a sentence why there is none."""
    refusal = ConnectError(f"{address} cannot be reached.")
    try:
        async with asyncio.timeout(timeout_s):
            hosts = await resolve(address.host, address.port)
    except TimeoutError as error:
        raise _refusal(address, error) from error
    for host in hosts:
        try:
            # A share of the time for each: where IPv6 leads nowhere, IPv4 still gets its turn.
            async with asyncio.timeout(timeout_s / len(hosts)):
                return await _connect_to(host, address.port, name, deliver)
        except OSError as error:
            refusal = _refusal(address, error)
    raise refusal


async def adopt(sock: socket.socket, name: str, deliver: Deliver) -> Connection:
    """Take over a socket that is connected already."""
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Connection(name, deliver), sock=sock)
    return connection


async def _connect_to(host: str, port: int, name: str, deliver: Deliver) -> Connection:
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Connection(name, deliver), host, port)
    return connection


def _refusal(address: Address, error: OSError) -> ConnectError:
    match error:
        case ConnectionRefusedError():
            return NobodyListensError(f"Nobody listens at {address}.")
        case TimeoutError():
            return ConnectError(f"{address} did not answer in time.")
        case _:
            return ConnectError(f"{address} cannot be reached: {explain(error)}.")


def explain(error: Exception) -> str:
    """Name the operating system's reason without numbers and arguments."""
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number else str(error) or type(error).__name__


def _notice_silence(sock: socket.socket) -> None:
    if sock.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEPALIVE:
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


# By name, because not every system has all of them.
_KEEPALIVE: Final = (
    ("TCP_KEEPIDLE", _SILENCE_S // 2),
    ("TCP_KEEPINTVL", _SILENCE_S // 6),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", _SILENCE_S * 1000),
)
