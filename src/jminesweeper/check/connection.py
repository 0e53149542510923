"""A small blocking connection to a server: it sends packets and reads whole ones."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, Generic, NamedTuple, Protocol, Self, TypeVar

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

    def receive(self, due: str = "a packet") -> P:
        """Return the next packet; the patience is for all of it, however slowly it drips."""
        wait = _Wait.of(self._patience())
        while not self._waiting:
            self._waiting = self._codec.feed(self._read(due, wait))
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
        patience, self._patience = self._patience, lambda: min(seconds, patience())
        packet: P | None = None
        with suppress(ServerSilentError):
            packet = self.receive("nothing")
        self._patience = patience
        if packet is not None:
            raise DeviationError(f"{self._codec.describe(packet)}, unasked", "nothing")

    def expect_no_more(self) -> None:
        """Quit, and expect nothing else; a server that closes ends the wait."""
        self._transcript.add(f"{self._prefix}QUIT")
        self._write(wire.Codec.encode(wire.QUIT))
        patience, self._patience = self._patience, lambda: min(_SHORT_WAIT_S, patience())
        surplus: list[P] = []
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

    def segments(self) -> int | None:
        """Count the segments with data that have arrived, where the system tells."""
        if not sys.platform.startswith("linux"):
            return None
        info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        if len(info) < _TCP_INFO_BYTES:
            return None
        (segments,) = struct.unpack_from("=I", info, _DATA_SEGMENTS_IN)
        return int(segments)

    def _read(self, due: str, wait: _Wait) -> bytes:
        try:
            self._socket.settimeout(wait.left_s())
            data = self._socket.recv(_SEGMENT)
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
        if self._codec.is_at_boundary:
            return f"nothing for {seconds:.1f} s"
        return f"a part of a packet, and no more of it in {seconds:.1f} s"

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
