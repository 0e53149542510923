"""A plain connection to a server: packets out, as many replies in."""

from __future__ import annotations

import socket
from contextlib import suppress
from types import TracebackType
from typing import Protocol, Self

from jminesweeper.client.address import Address
from jminesweeper.client.bot.outcome import BotError
from jminesweeper.protocol import (
    Command,
    Direction,
    Packet,
    PacketReader,
    ProtocolError,
    ScreenContent,
    encode,
)

TIMEOUT_S = 30.0
_MOST_UNANSWERED = 64
_CHUNK = 1 << 16


class Server(Protocol):
    """Whoever answers every packet with a screen."""

    def ask(self, *packets: Packet) -> bytes:
        """Return the screen after the last of these packets."""


class Line:
    """Blocking on purpose: the bot has nothing else to do than to wait for its screen."""

    def __init__(self, address: Address, timeout_s: float = TIMEOUT_S) -> None:
        self._address = address
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._replies: list[Packet] = []
        try:
            self._socket = socket.create_connection((address.host, address.port), timeout_s)
        except OSError as error:
            raise BotError(f"There is no connection to {address}: {_reason(error)}.") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # Whoever has hung up already needs no farewell.
        with suppress(OSError):
            self._socket.sendall(encode(Command.QUIT))
        self._socket.close()

    def ask(self, *packets: Packet) -> bytes:
        """Send packets, each of which is answered with a screen, and return the last one."""
        screen = b""
        for start in range(0, len(packets), _MOST_UNANSWERED):
            part = packets[start : start + _MOST_UNANSWERED]
            try:
                self._socket.sendall(b"".join(map(encode, part)))
                for _ in part:
                    screen = self._receive()
            except ProtocolError as error:
                raise BotError(f"{self._address} does not speak the protocol: {error}") from error
            except OSError as error:
                raise BotError(f"{self._address} does not answer: {_reason(error)}.") from error
        return screen

    def _receive(self) -> bytes:
        while not self._replies:
            data = self._socket.recv(_CHUNK)
            if not data:
                raise BotError(f"{self._address} has hung up.")
            self._replies += self._reader.feed(data)
        reply = self._replies.pop(0)
        if not isinstance(reply, ScreenContent):
            raise BotError(f"{self._address} answered with something that is no screen.")
        return reply.text


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
