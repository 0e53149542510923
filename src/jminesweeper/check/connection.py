"""A small blocking connection to a server: it sends packets and reads whole ones.

Version 1 has a codec of its own here, `wire`; version 2 is checked with our protocol package.
"""

from __future__ import annotations

import dataclasses
import math
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, Generic, Protocol, Self, TypeVar

from jminesweeper.check import wire
from jminesweeper.check.suite import (
    DeviationError,
    NoConnectionError,
    ServerClosedError,
    ServerSilentError,
    Transcript,
    expect,
)
from jminesweeper.client.address import Address
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet, ScreenContent, UnknownPacket, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction

ALONE_S: Final = 20.0
"""How long a connection without a suite waits."""
_SEGMENT: Final = 65536
_MANY: Final = 64
_SHORT_WAIT_S: Final = 0.3
"""The wait for what must not come; a server that closes after QUIT ends it early."""
_TCP_INFO_BYTES: Final = 160
_DATA_SEGMENTS_IN: Final = 152
"""Where Linux, since 4.6, counts the segments with data that arrived."""

Patience = Callable[[], float]
P = TypeVar("P")


class Codec(Protocol[P]):
    """Packets to bytes and back."""

    @property
    def is_at_boundary(self) -> bool: ...

    def encode(self, packet: P, /) -> bytes: ...

    def describe(self, packet: P, /) -> str: ...

    def screen(self, packet: P, /) -> bytes | None:
        """Return the text of a screen of version 1."""

    def feed(self, data: bytes, /) -> list[P]:
        """Return the packets that are complete now; DeviationError if these are none."""


class Connection(Generic[P]):
    """One connection to a server.

    `patience` says how long to wait for what is due; it may raise an error of its own.
    """

    def __init__(
        self,
        codec: Codec[P],
        address: Address,
        transcript: Transcript | None = None,
        patience: Patience = lambda: ALONE_S,
        name: str = "",
    ) -> None:
        self._codec = codec
        self._transcript = transcript or Transcript()
        self._patience = patience
        self._prefix = f"{name}: " if name else ""
        self._waiting: list[P] = []
        self.is_open = True
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
        self.is_open = False
        self._socket.close()

    def send(self, *packets: P) -> None:
        """Send all packets in one segment, as keys typed ahead arrive."""
        for packet in packets:
            self._transcript.add(self._prefix + self._codec.describe(packet))
        self._write(b"".join(map(self._codec.encode, packets)))

    def send_bytes(self, data: bytes) -> None:
        self._transcript.add(self._prefix + wire.describe_bytes(data))
        self._write(data)

    def receive(self, due: str = "a packet", most_s: float = math.inf) -> P:
        """Return the next packet; the patience is for all of it, however slowly it drips."""
        patience_s = min(most_s, self._patience())
        end_s = monotonic() + patience_s
        while not self._waiting:
            left_s = end_s - monotonic()
            data = self._read(due, left_s) if left_s > 0 else None
            if data is None:
                # An error of its own if the suite's time is up: then the server is not at fault.
                self._patience()
                part = "a part of a packet, and no more of it in"
                came = "nothing for" if self._codec.is_at_boundary else part
                raise ServerSilentError(f"{came} {patience_s:.1f} s", due)
            self._waiting = self._codec.feed(data)
        return self._waiting.pop(0)

    def receive_screen(self, due: str = "a SCREEN_CONTENT") -> bytes:
        """Return the text of the next packet, which must be a screen of version 1."""
        packet = self.receive(due)
        text = self._codec.screen(packet)
        if text is None:
            raise DeviationError(self._codec.describe(packet), due)
        return text

    def ask(self, packet: P) -> bytes:
        """Send a packet and read its screen."""
        self.send(packet)
        return self.receive_screen(
            f"one SCREEN_CONTENT as the answer to {self._codec.describe(packet)}"
        )

    def receive_until_closed(self) -> list[P]:
        """Return everything that still comes; the server must close, and not within a packet."""
        due = "the end of the connection"
        packets: list[P] = []
        with suppress(ServerClosedError):
            while len(packets) < _MANY:
                packets.append(self.receive(due))
            raise DeviationError(f"{_MANY} packets and no end", due)
        whole = self._codec.is_at_boundary
        expect(whole, "the connection ended within a packet", "whole packets")
        return packets

    def expect_nothing_unasked(self) -> None:
        """Expect nothing to read, while no answer is due."""
        self._socket.setblocking(False)
        # A connection that has ended says so at the next packet.
        with suppress(OSError):
            self._waiting += self._codec.feed(self._socket.recv(_SEGMENT))
        came = f"{_counted(self._waiting)} after the reply was there"
        expect(not self._waiting, came, "one reply for each packet")

    def expect_silence(self, seconds: float) -> None:
        """Expect nothing for so long."""
        with suppress(ServerSilentError):
            packet = self.receive("nothing", seconds)
            raise DeviationError(f"{self._codec.describe(packet)}, unasked", "nothing")

    def expect_no_more(self) -> None:
        """Quit, and expect nothing else; a server that closes ends the wait."""
        self._transcript.add(f"{self._prefix}QUIT")
        self._write(wire.Codec.encode(wire.QUIT))
        surplus: list[P] = []
        with suppress(ServerClosedError, ServerSilentError):
            while len(surplus) < _MANY:
                surplus.append(self.receive(most_s=_SHORT_WAIT_S))
        came = f"{_counted(surplus)} that nothing was sent for"
        expect(not surplus, came, "one reply for each packet, and none for QUIT")

    def expect_closed(self, most: int = 0) -> None:
        """Expect the server to close, after at most so many last screens."""
        packets = self.receive_until_closed()
        expected = "the end of the connection"
        if most:
            expected += ", after a last screen at most"
        expect(len(packets) <= most, f"{_counted(packets)}, then the end", expected)

    def segments(self) -> int | None:
        """Count the segments with data that have arrived, where the system tells."""
        if not sys.platform.startswith("linux"):
            return None
        info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        if len(info) < _TCP_INFO_BYTES:
            return None
        (segments,) = struct.unpack_from("=I", info, _DATA_SEGMENTS_IN)
        return int(segments)

    def _read(self, due: str, most_s: float) -> bytes | None:
        """Return what comes; None if nothing does in time."""
        self._socket.settimeout(most_s)
        try:
            data = self._socket.recv(_SEGMENT)
        except TimeoutError:
            return None
        except OSError as error:
            raise ServerClosedError(f"the connection broke: {error.strerror}", due) from error
        if not data:
            raise ServerClosedError("the server closed the connection", due)
        return data

    def _write(self, data: bytes) -> None:
        self._socket.settimeout(self._patience())
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise ServerClosedError(
                f"the connection broke: {error.strerror or error}", "a server that reads on"
            ) from error


def _counted(packets: Sequence[object]) -> str:
    return {0: "nothing", 1: "one packet"}.get(len(packets), f"{len(packets)} packets")


class OurCodec:
    """Packets of our own package, as a connection takes them."""

    def __init__(self) -> None:
        self._reader = PacketReader(Direction.FROM_SERVER)

    @property
    def is_at_boundary(self) -> bool:
        return self._reader.is_at_boundary

    @staticmethod
    def encode(packet: Packet) -> bytes:
        return encode(packet)

    @staticmethod
    def describe(packet: Packet) -> str:
        return describe(packet)

    @staticmethod
    def screen(packet: Packet) -> bytes | None:
        return packet.text if isinstance(packet, ScreenContent) else None

    def feed(self, data: bytes) -> list[Packet]:
        try:
            return self._reader.feed(data)
        except ProtocolError as error:
            came = f"{wire.describe_bytes(data)}: {error.reason}"
            raise DeviationError(came, "packets of the protocol") from error


class Peer(Connection[Packet]):
    """One connection of version 2."""

    def __init__(
        self,
        address: Address,
        transcript: Transcript | None = None,
        patience: Patience = lambda: ALONE_S,
        name: str = "",
    ) -> None:
        super().__init__(OurCodec(), address, transcript, patience, name)


def describe(packet: Packet) -> str:
    """Describe a packet in a few words."""
    if isinstance(packet, Command):
        return packet.name
    if isinstance(packet, UnknownPacket):
        return f"a packet of type {packet.packet_type} with {packet.length} bytes"
    fields = [
        f"{each.name}={_shorten(getattr(packet, each.name))}"
        for each in dataclasses.fields(packet)
        if each.repr
    ]
    return " ".join([packet.packet_type.name, *fields])


def _shorten(value: object) -> str:
    if isinstance(value, bytes):
        return f"({len(value)} bytes)"
    return str(int(value)) if isinstance(value, int) else repr(value)
