"""A connection to a server: what is sent, what is due, and what came in its place.

Version 1 is written down here from docs/protocol.md alone, so that a defect of our own codec
cannot hide itself; version 2 is read with our protocol package. A connection asks its network for
the bytes and for the time, so a test can put a server in its place that is as far away as it likes.
"""

from __future__ import annotations

import dataclasses
import math
import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from jminesweeper.check.suite import (
    DeviationError,
    NoConnectionError,
    ServerClosedError,
    SilenceError,
    Transcript,
    expect,
)
from jminesweeper.client.address import Address
from jminesweeper.protocol import packets as version_2
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction, ProtocolError

# The packets of version 1

LARGEST: Final = 1 << 20
"""No payload is longer, in either direction."""
NAMES: Final = (
    "0",
    "MOVE_LEFT",
    "MOVE_RIGHT",
    "MOVE_UP",
    "MOVE_DOWN",
    "REVEAL",
    "TOGGLE_BOMB_MARK",
    "START",
    "QUIT",
    "SCREEN_CONTENT",
    "TOGGLE_DEBUG_MODE",
)


class Packet(NamedTuple):
    """A type, and a payload where that type has one."""

    kind: int
    payload: bytes = b""

    def __str__(self) -> str:
        if self.kind == START and len(self.payload) == 3:
            return "START {}x{} level {}".format(*self.payload)
        if self.kind < len(NAMES):
            return NAMES[self.kind]
        return f"a packet of type {self.kind} with {len(self.payload)} bytes"


START: Final = 7
SCREEN_CONTENT: Final = 9
LEFT, RIGHT, UP, DOWN, REVEAL, MARK = (Packet(kind) for kind in range(1, 7))
QUIT, DEBUG = Packet(8), Packet(10)


def start(columns: int, rows: int, level: int) -> Packet:
    return Packet(START, bytes((columns, rows, level)))


def encode(packet: Packet) -> bytes:
    length = struct.pack(">I", len(packet.payload)) if has_length(packet.kind) else b""
    return bytes((packet.kind,)) + length + packet.payload


def has_length(kind: int) -> bool:
    return kind in {START, SCREEN_CONTENT} or kind > DEBUG.kind


P = TypeVar("P")


class WireVersion(Protocol[P]):
    """A version of the protocol: packets to bytes, and a stream of bytes to packets."""

    @property
    def is_at_boundary(self) -> bool:
        """True if no part of a packet is waiting for the rest."""

    def encode(self, packet: P, /) -> bytes: ...

    def describe(self, packet: P, /) -> str: ...

    def screen(self, packet: P, /) -> bytes | None:
        """Return the text of a screen of version 1."""

    def feed(self, data: bytes, /) -> list[P]:
        """Return the packets that are complete now; DeviationError if these are none."""


class Version1:
    """Version 1, as a server sends it or as a client does.

    A client may send types above 10. A server that nobody has greeted sends screens alone, so a
    length that is too small is noticed at the first byte that is left over.
    """

    def __init__(self, *, is_server: bool) -> None:
        self._is_server = is_server
        self._waiting = b""

    @property
    def is_at_boundary(self) -> bool:
        return not self._waiting

    @staticmethod
    def encode(packet: Packet) -> bytes:
        return encode(packet)

    @staticmethod
    def describe(packet: Packet) -> str:
        return str(packet)

    @staticmethod
    def screen(packet: Packet) -> bytes | None:
        return packet.payload if packet.kind == SCREEN_CONTENT else None

    def feed(self, data: bytes) -> list[Packet]:
        self._waiting += data
        packets: list[Packet] = []
        while self._waiting:
            kind, header = self._waiting[0], self._waiting[:5]
            begin = 5 if has_length(kind) else 1
            length = int.from_bytes(header[1:], "big") if begin == 5 and len(header) == 5 else 0
            is_known = (kind == SCREEN_CONTENT) is self._is_server and kind != 0
            fits = length <= LARGEST and (kind != START or length == 3 or len(header) < 5)
            if not (is_known and fits):
                after = f", after a screen of {len(packets[-1].payload)} bytes" if packets else ""
                came = f"bytes that are no packet{after}: {describe_bytes(self._waiting)}"
                raise DeviationError(came, "packets of the protocol")
            if len(self._waiting) < begin + length:
                break
            packets.append(Packet(kind, self._waiting[begin : begin + length]))
            self._waiting = self._waiting[begin + length :]
        return packets


class Version2:
    """Version 2, read and written by our own package."""

    def __init__(self) -> None:
        self._reader = PacketReader(Direction.FROM_SERVER)

    @property
    def is_at_boundary(self) -> bool:
        return self._reader.is_at_boundary

    @staticmethod
    def encode(packet: version_2.Packet) -> bytes:
        return version_2.encode(packet)

    @staticmethod
    def describe(packet: version_2.Packet) -> str:
        """Describe a packet in a few words."""
        if isinstance(packet, Command):
            return packet.name
        if isinstance(packet, version_2.UnknownPacket):
            return f"a packet of type {packet.packet_type} with {packet.length} bytes"
        fields = [
            f"{each.name}={_shorten(getattr(packet, each.name))}"
            for each in dataclasses.fields(packet)
            if each.repr
        ]
        return " ".join([packet.packet_type.name, *fields])

    @staticmethod
    def screen(packet: version_2.Packet) -> bytes | None:
        return packet.text if isinstance(packet, version_2.ScreenContent) else None

    def feed(self, data: bytes) -> list[version_2.Packet]:
        try:
            return self._reader.feed(data)
        except ProtocolError as error:
            came = f"{describe_bytes(data)}: {error.reason}"
            raise DeviationError(came, "packets of the protocol") from error


def _shorten(value: object) -> str:
    if isinstance(value, bytes):
        return f"({len(value)} bytes)"
    return str(int(value)) if isinstance(value, int) else repr(value)


def describe_bytes(data: bytes) -> str:
    """Name the first bytes, and the text that they begin with: it may name who sent it."""
    more = "" if len(data) <= 24 else f" and {len(data) - 24} more"
    text = ""
    if len(data) >= 4 and data[:4].isascii() and data[:4].decode().isprintable():
        line = data[:60].decode("ascii", errors="replace").splitlines()[0]
        text = f" ({line!r})"
    return f"the bytes {data[:24].hex(' ')}{more}{text}"


# Bytes and time

SEGMENT: Final = 65536


class Stream(Protocol):
    """The bytes of one connection. Anything that breaks it is an OSError."""

    def send(self, data: bytes, most_s: float) -> None: ...

    def receive(self, most_s: float) -> bytes | None:
        """Return bytes as they come, none at the end, and None if nothing comes in time."""

    def close(self) -> None: ...

    def segments(self) -> int | None:
        """Count the segments with data that have arrived, where the system tells."""

    def segment_bytes(self) -> int:
        """Return the most bytes that fit one segment."""


class ServerNetwork(Protocol):
    """A way to servers, and a clock."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...

    def connect(self, address: Address, most_s: float) -> Stream: ...


class SocketStream:
    """A connection over TCP."""

    tcp_info_bytes: Final = 160
    data_segments_in: Final = 152
    """The place where Linux, since 4.6, counts the segments with data that arrived."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, data: bytes, most_s: float) -> None:
        self.socket.settimeout(most_s)
        self.socket.sendall(data)

    def receive(self, most_s: float) -> bytes | None:
        # No time to wait means to take what is there.
        self.socket.settimeout(most_s)
        try:
            return self.socket.recv(SEGMENT)
        except (TimeoutError, BlockingIOError):
            return None

    def close(self) -> None:
        self.socket.close()

    def segments(self) -> int | None:
        if not sys.platform.startswith("linux"):
            return None
        info = self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, self.tcp_info_bytes)
        if len(info) < self.tcp_info_bytes:
            return None
        (segments,) = struct.unpack_from("=I", info, self.data_segments_in)
        return int(segments)

    def segment_bytes(self) -> int:
        return self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG)


class SocketNetwork:
    """The machine's own network and clock."""

    @staticmethod
    def now() -> float:
        return time.monotonic()

    @staticmethod
    def sleep(seconds: float) -> None:
        time.sleep(seconds)

    @staticmethod
    def connect(address: Address, most_s: float) -> SocketStream:
        return SocketStream(socket.create_connection((address.host, address.port), most_s))


SOCKETS: Final[ServerNetwork] = SocketNetwork()

# Connections

ALONE_S: Final = 20.0
"""The patience of a connection without a suite."""
MANY: Final = 64
SHORT_WAIT_S: Final = 0.3
"""The wait for bytes that must not come; a server that closes after QUIT ends it early."""
Patience: TypeAlias = Callable[[], float]


class CheckedConnection(Generic[P]):
    """One connection to a server.

    `patience` says how long to wait for what is due; it may raise an error of its own.
    """

    def __init__(
        self,
        wire: WireVersion[P],
        address: Address,
        transcript: Transcript | None = None,
        patience: Patience = lambda: ALONE_S,
        *,
        name: str = "",
        network: ServerNetwork = SOCKETS,
        quit_answers: int | None = 0,
    ) -> None:
        self._wire = wire
        self._transcript = transcript or Transcript()
        self._patience = patience
        self._prefix = f"{name}: " if name else ""
        self._waiting: list[P] = []
        self._now = network.now
        self._quit_answers = quit_answers
        self.is_open = True
        try:
            self._stream = network.connect(address, patience())
        except OSError as error:
            reason = error.strerror or str(error)
            raise NoConnectionError(f"no connection: {reason}", "a connection") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self.is_open = False
        self._stream.close()

    def send(self, *packets: P) -> None:
        """Send all packets in one segment, as keys typed ahead arrive."""
        for packet in packets:
            self._transcript.add(self._prefix + self._wire.describe(packet))
        self._write(b"".join(map(self._wire.encode, packets)))

    def send_bytes(self, data: bytes) -> None:
        self._transcript.add(self._prefix + describe_bytes(data))
        self._write(data)

    def receive(self, due: str = "a packet", most_s: float = math.inf) -> P:
        """Return the next packet; the patience is for all of it, however slowly it drips."""
        patience_s = min(most_s, self._patience())
        end_s = self._now() + patience_s
        while not self._waiting:
            left_s = end_s - self._now()
            data = self._read(due, left_s) if left_s > 0 else None
            if data is None:
                # An error of its own if the suite's time is up: then the server is not at fault.
                self._patience()
                part = "a part of a packet, and no more of it in"
                came = "nothing for" if self._wire.is_at_boundary else part
                raise SilenceError(f"{came} {patience_s:.1f} s", due)
            self._waiting = self._wire.feed(data)
        return self._waiting.pop(0)

    def receive_screen(self, due: str = "a SCREEN_CONTENT") -> bytes:
        """Return the text of the next packet, which must be a screen of version 1."""
        packet = self.receive(due)
        text = self._wire.screen(packet)
        if text is None:
            raise DeviationError(self._wire.describe(packet), due)
        return text

    def ask(self, packet: P) -> bytes:
        """Send a packet and read its screen."""
        self.send(packet)
        return self.receive_screen(
            f"one SCREEN_CONTENT as the answer to {self._wire.describe(packet)}"
        )

    def receive_until_closed(self) -> list[P]:
        """Return everything that still comes; the server must close, and not within a packet."""
        due = "the end of the connection"
        packets: list[P] = []
        with suppress(ServerClosedError):
            while len(packets) < MANY:
                packets.append(self.receive(due))
            raise DeviationError(f"{MANY} packets and no end", due)
        whole = self._wire.is_at_boundary
        expect(whole, "the connection ended within a packet", "whole packets")
        return packets

    def expect_nothing_unasked(self) -> None:
        """Expect nothing to read, while no answer is due."""
        # A connection that has ended says so at the next packet.
        with suppress(OSError):
            self._waiting += self._wire.feed(self._stream.receive(0.0) or b"")
        came = f"{_counted(self._waiting)} after the reply was there"
        expect(not self._waiting, came, "one reply for each packet")

    def expect_silence(self, seconds: float) -> None:
        """Expect nothing for so long."""
        with suppress(SilenceError):
            packet = self.receive("nothing", seconds)
            raise DeviationError(f"{self._wire.describe(packet)}, unasked", "nothing")

    def expect_no_more(self) -> None:
        """Quit, and expect nothing else; a server that closes ends the wait.

        A server that answers QUIT, or does not close, has failed one check already.
        """
        most = self._quit_answers or 0
        if self._quit_answers is not None:
            self._transcript.add(f"{self._prefix}QUIT")
            self._write(encode(QUIT))
        surplus: list[P] = []
        with suppress(ServerClosedError, SilenceError):
            while len(surplus) < MANY:
                surplus.append(self.receive(most_s=SHORT_WAIT_S))
        came = f"{_counted(surplus[most:])} that nothing was sent for"
        expect(len(surplus) <= most, came, "one reply for each packet, and none for QUIT")

    def expect_closed(self, most: int = 0) -> None:
        """Expect the server to close, after at most so many last screens."""
        packets = self.receive_until_closed()
        expected = "the end of the connection"
        if most:
            expected += ", after a last screen at most"
        expect(len(packets) <= most, f"{_counted(packets)}, then the end", expected)

    def segments(self) -> int | None:
        """Count the segments with data that have arrived, where the system tells."""
        return self._stream.segments()

    def segment_bytes(self) -> int:
        """Return the most bytes that fit one segment."""
        return self._stream.segment_bytes()

    def _read(self, due: str, most_s: float) -> bytes | None:
        """Return what comes; None if nothing does in time."""
        try:
            data = self._stream.receive(most_s)
        except OSError as error:
            raise ServerClosedError(f"the connection broke: {error.strerror}", due) from error
        if data == b"":
            raise ServerClosedError("the server closed the connection", due)
        return data

    def _write(self, data: bytes) -> None:
        try:
            self._stream.send(data, self._patience())
        except OSError as error:
            raise ServerClosedError(
                f"the connection broke: {error.strerror or error}", "a server that reads on"
            ) from error


def _counted(packets: Sequence[object]) -> str:
    return {0: "nothing", 1: "one packet"}.get(len(packets), f"{len(packets)} packets")


class Peer(CheckedConnection[version_2.Packet]):
    """One connection of version 2."""

    def __init__(
        self,
        address: Address,
        transcript: Transcript | None = None,
        patience: Patience = lambda: ALONE_S,
        *,
        name: str = "",
        network: ServerNetwork = SOCKETS,
        quit_answers: int | None = 0,
    ) -> None:
        super().__init__(Version2(), address, transcript, patience, name=name, network=network)
