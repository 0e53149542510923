"""Version 1 of the wire, from docs/protocol.md alone: a defect of our codec must not hide."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from jminesweeper.check.suite import DeviationError

LARGEST: Final = 1 << 20
"""No payload is longer, in either direction."""
_NAMES: Final = (
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
        if self.kind < len(_NAMES):
            return _NAMES[self.kind]
        return f"a packet of type {self.kind} with {len(self.payload)} bytes"


START: Final = 7
SCREEN_CONTENT: Final = 9
LEFT, RIGHT, UP, DOWN, REVEAL, MARK = (Packet(kind) for kind in range(1, 7))
QUIT, DEBUG = Packet(8), Packet(10)


def start(columns: int, rows: int, level: int) -> Packet:
    return Packet(START, bytes((columns, rows, level)))


def has_length(kind: int) -> bool:
    return kind in {START, SCREEN_CONTENT} or kind > DEBUG.kind


class Codec:
    """Packets to bytes, and a stream of what the other side sends to packets."""

    def __init__(self, *, is_server: bool) -> None:
        """Read what a server sends, or what a client does."""
        self._sends = {SCREEN_CONTENT} if is_server else {1, 2, 3, 4, 5, 6, 7, 8, 10}
        self._waiting = b""

    @property
    def is_at_boundary(self) -> bool:
        """Whether no part of a packet is waiting for the rest."""
        return not self._waiting

    @staticmethod
    def encode(packet: Packet) -> bytes:
        length = struct.pack(">I", len(packet.payload)) if has_length(packet.kind) else b""
        return bytes((packet.kind,)) + length + packet.payload

    @staticmethod
    def describe(packet: Packet) -> str:
        return str(packet)

    @staticmethod
    def screen(packet: Packet) -> bytes | None:
        """Return the text of a screen."""
        return packet.payload if packet.kind == SCREEN_CONTENT else None

    def feed(self, data: bytes) -> list[Packet]:
        """Return what is complete now."""
        self._waiting += data
        packets: list[Packet] = []
        while self._waiting:
            kind, header = self._waiting[0], self._waiting[:5]
            begin = 5 if has_length(kind) else 1
            length = int.from_bytes(header[1:], "big") if begin == 5 and len(header) == 5 else 0
            is_known = kind in self._sends or kind > DEBUG.kind
            fits = length <= LARGEST and (kind != START or length == 3 or len(header) < 5)
            if not (is_known and fits):
                came = f"bytes that are no packet: {describe_bytes(self._waiting)}"
                raise DeviationError(came, "packets of the protocol")
            if len(self._waiting) < begin + length:
                break
            packets.append(Packet(kind, self._waiting[begin : begin + length]))
            self._waiting = self._waiting[begin + length :]
        return packets


_MOST_BYTES: Final = 24
_LEAST_LETTERS: Final = 4
"""This many printable characters are a text, which may name the program that sent it."""
_MOST_LETTERS: Final = 60


def describe_bytes(data: bytes) -> str:
    more = "" if len(data) <= _MOST_BYTES else f" and {len(data) - _MOST_BYTES} more"
    return f"the bytes {data[:_MOST_BYTES].hex(' ')}{more}{_letters(data)}"


def _letters(data: bytes) -> str:
    start = data[:_LEAST_LETTERS]
    if len(start) < _LEAST_LETTERS or not (start.isascii() and start.decode().isprintable()):
        return ""
    text = data[:_MOST_LETTERS].decode("ascii", errors="replace")
    return f" ({text.splitlines()[0]!r})"
