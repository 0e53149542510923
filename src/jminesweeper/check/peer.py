"""A connection in the packets of our own protocol package, which version 2 is checked with."""

from __future__ import annotations

import dataclasses

from jminesweeper.check.connection import ALONE_S, Connection, Patience
from jminesweeper.check.suite import DeviationError, Transcript
from jminesweeper.check.wire import describe_bytes
from jminesweeper.client.address import Address
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet, ScreenContent, Start, UnknownPacket, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction


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
            came = f"{describe_bytes(data)}: {error.reason}"
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
    match packet:
        case Command():
            return packet.name
        case Start(columns, rows, level):
            return f"START {columns}x{rows} level {level}"
        case UnknownPacket(number, length):
            return f"a packet of type {number} with {length} bytes"
        case _:
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
