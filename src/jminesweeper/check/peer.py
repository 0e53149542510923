"""A small blocking client: it sends packets and reads whole packets."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple, Self

from jminesweeper.check.deviation import (
    DeviationError,
    NoConnectionError,
    ServerClosedError,
    ServerSilentError,
    Transcript,
    describe,
    describe_bytes,
    expect,
)
from jminesweeper.client.address import Address
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet, ScreenContent, ScreenPatch
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction

_ALONE_S: Final = 20.0
"""How long a peer without a suite waits."""
_SEGMENT: Final = 65536
_MANY: Final = 64
_SHORT_WAIT_S: Final = 0.3
"""The wait for what must not come; a server that closes after QUIT ends it early."""

Patience = Callable[[], float]


class _Wait(NamedTuple):
    """A wait that begins now and may last over several reads."""

    seconds: float
    end_s: float

    @staticmethod
    def of(seconds: float) -> _Wait:
        return _Wait(seconds, monotonic() + seconds)

    def left_s(self) -> float:
        """Return how much of it is left; TimeoutError if nothing is."""
        left_s = self.end_s - monotonic()
        if left_s <= 0:
            raise TimeoutError
        return left_s


class Peer:
    """One connection to a server.

    `patience` says how long to wait for what is due; it may raise an error of its own.
    """

    def __init__(
        self,
        address: Address,
        transcript: Transcript | None = None,
        patience: Patience = lambda: _ALONE_S,
        name: str = "",
    ) -> None:
        self._transcript = transcript or Transcript()
        self._patience = patience
        self._prefix = f"{name}: " if name else ""
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._waiting: list[Packet] = []
        try:
            self._socket = socket.create_connection((address.host, address.port), patience())
        except OSError as error:
            reason = error.strerror or str(error)
            raise NoConnectionError(f"no connection: {reason}", "a connection") from error
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    def send(self, *packets: Packet) -> None:
        """Send all packets in one segment, as keys typed ahead arrive."""
        for packet in packets:
            self._transcript.add(self._prefix + describe(packet))
        self._write(b"".join(map(encode, packets)))

    def send_bytes(self, data: bytes) -> None:
        self._transcript.add(self._prefix + describe_bytes(data))
        self._write(data)

    def receive(self, due: str = "a packet") -> Packet:
        """Return the next packet; the patience is for all of it, however slowly it drips."""
        wait = _Wait.of(self._patience())
        while not self._waiting:
            self._waiting = self._parse(self._read(due, wait))
        return self._waiting.pop(0)

    def receive_screen(self, due: str = "a SCREEN_CONTENT") -> bytes:
        """Return the text of the next packet, which must be a screen of version 1."""
        packet = self.receive(due)
        if not isinstance(packet, ScreenContent):
            raise DeviationError(describe(packet), due)
        return packet.text

    def receive_patch(self, due: str = "a SCREEN_PATCH") -> ScreenPatch:
        packet = self.receive(due)
        if not isinstance(packet, ScreenPatch):
            raise DeviationError(describe(packet), due)
        return packet

    def ask(self, packet: Packet) -> bytes:
        """Send a packet and read its screen."""
        self.send(packet)
        return self.receive_screen(f"one SCREEN_CONTENT as the answer to {describe(packet)}")

    def receive_until_closed(self) -> list[Packet]:
        """Return everything that still comes; the server must close, and not within a packet."""
        due = "the end of the connection"
        packets: list[Packet] = []
        with suppress(ServerClosedError):
            while len(packets) < _MANY:
                packets.append(self.receive(due))
            raise DeviationError(f"{_MANY} packets and no end", due)
        expect(self._reader.is_at_boundary, "the connection ended within a packet", "whole packets")
        return packets

    def expect_nothing_unasked(self) -> None:
        """Expect nothing to read, while no answer is due."""
        self._socket.setblocking(False)
        # A connection that has ended says so at the next packet.
        with suppress(OSError):
            self._waiting += self._parse(self._socket.recv(_SEGMENT))
        came = f"{_counted(self._waiting)} after the reply was there"
        expect(not self._waiting, came, "one reply for each packet")

    def expect_no_more(self) -> None:
        """Quit, and expect nothing else; a server that closes ends the wait."""
        self.send(Command.QUIT)
        patience, self._patience = self._patience, lambda: min(_SHORT_WAIT_S, patience())
        surplus: list[Packet] = []
        with suppress(ServerClosedError, ServerSilentError):
            while len(surplus) < _MANY:
                surplus.append(self.receive())
        came = f"{_counted(surplus)} that nothing was sent for"
        expect(not surplus, came, "one reply for each packet, and none for QUIT")

    def expect_closed(self, most: int = 0) -> None:
        """Expect the server to close, after at most so many last screens."""
        packets = self.receive_until_closed()
        expected = "the end of the connection" + (", after a last screen at most" * bool(most))
        expect(len(packets) <= most, f"{_counted(packets)}, then the end", expected)

    def receive_unbuffered(self, length: int) -> bytes:
        """Read the socket only once, as stock clients do."""
        return self._read(f"{length} bytes of a reply", _Wait.of(self._patience()), length)

    def _read(self, due: str, wait: _Wait, most: int = _SEGMENT) -> bytes:
        try:
            self._socket.settimeout(wait.left_s())
            data = self._socket.recv(most)
        except TimeoutError as error:
            # Raises an error of its own if the suite's time is up: then the server is not at fault.
            self._patience()
            raise ServerSilentError(self._describe_silence(wait.seconds), due) from error
        except OSError as error:
            raise ServerClosedError(f"the connection broke: {error.strerror}", due) from error
        if not data:
            raise ServerClosedError("the server closed the connection", due)
        return data

    def _describe_silence(self, seconds: float) -> str:
        if self._reader.is_at_boundary:
            return f"nothing for {seconds:.1f} s"
        return f"a part of a packet, and no more of it in {seconds:.1f} s"

    def _parse(self, data: bytes) -> list[Packet]:
        try:
            return self._reader.feed(data)
        except ProtocolError as error:
            raise DeviationError(
                f"{describe_bytes(data)}: {error.reason}", "packets of the protocol"
            ) from error

    def _write(self, data: bytes) -> None:
        self._socket.settimeout(self._patience())
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise ServerClosedError(
                f"the connection broke: {error.strerror or error}", "a server that reads on"
            ) from error


def _counted(packets: Sequence[Packet]) -> str:
    return {0: "nothing", 1: "one packet"}.get(len(packets), f"{len(packets)} packets")
