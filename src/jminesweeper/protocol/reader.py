"""Bytes to packets, however the network chopped them.

A stream is at a boundary between packets, or within a header, or within a payload, or within a
payload that is being skipped. What can be refused is refused at the first byte that shows it: a
type at once, a length with the header, so that nothing is kept for a packet that will be refused.
Which packets exist in which direction, and how long their payloads may be, is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from jminesweeper.protocol.packets import (
    FROM_CLIENT,
    FROM_SERVER,
    HEADER,
    HEADER_BYTES,
    FramedPacket,
    Packet,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import (
    FIRST_WITH_LENGTH,
    Command,
    Direction,
    PacketType,
    ProtocolError,
)

DEFAULT_MAX_PAYLOAD: Mapping[Direction, int] = {
    Direction.FROM_CLIENT: 64 * 1024,
    Direction.FROM_SERVER: 1024 * 1024,
}
_NAMES: Mapping[int, str] = {member.value: member.name for member in PacketType}


class StreamError(ProtocolError):
    """A stream that cannot be read any further; `packets` came whole and deserve their answers."""

    def __init__(self, reason: str, packets: Sequence[Packet]) -> None:
        super().__init__(reason)
        self.packets = tuple(packets)


class PayloadFormat(NamedTuple):
    """The length of a payload, and its parser; by default the reader's cap counts."""

    shortest: int
    longest: int | None
    parse: Callable[[bytes], Packet]

    def describe_length(self) -> str:
        if self.longest is None:
            return f"at least {self.shortest}"
        if self.shortest == self.longest:
            return f"{self.shortest}"
        return f"{self.shortest} to {self.longest}"


Formats: TypeAlias = Mapping[int, PayloadFormat]

SINGLE_BYTE: Mapping[Direction, Mapping[int, Command]] = {
    Direction.FROM_CLIENT: {
        command.packet_type: command
        for command in Command
        if command.packet_type < FIRST_WITH_LENGTH
    },
    Direction.FROM_SERVER: {},
}


def _formats(packets: Iterable[type[FramedPacket]]) -> Formats:
    return {
        packet.packet_type: PayloadFormat(packet.shortest, packet.longest, packet.parse)
        for packet in packets
    }


def _empty(command: Command) -> PayloadFormat:
    return PayloadFormat(0, 0, lambda _: command)


_EMPTY_FORMATS: Formats = {
    command.packet_type: _empty(command)
    for command in Command
    if command.packet_type >= FIRST_WITH_LENGTH
}
FORMATS: Mapping[Direction, Formats] = {
    Direction.FROM_CLIENT: {**_formats(FROM_CLIENT), **_EMPTY_FORMATS},
    Direction.FROM_SERVER: _formats(FROM_SERVER),
}


_OF_ONE_LENGTH = {
    number: expected
    for number, expected in FORMATS[Direction.FROM_CLIENT].items()
    if expected.shortest == expected.longest
}
_WHOLE_LENGTHS = frozenset(
    {1, *(HEADER_BYTES + expected.shortest for expected in _OF_ONE_LENGTH.values())}
)


# What a client sends mostly arrives in one piece, a key as one byte, and the same ones come again
# and again: to read each anew took 3 us of START's 13.
@lru_cache(maxsize=4_096)
def _read_whole(data: bytes) -> Packet | None:
    """Read a client's packet of a fixed length; None if the data is not exactly one."""
    if len(data) == 1:
        return SINGLE_BYTE[Direction.FROM_CLIENT].get(data[0])
    number, length = HEADER.unpack_from(data)
    expected = _OF_ONE_LENGTH.get(number)
    if expected is None or length != expected.shortest or len(data) != HEADER_BYTES + length:
        return None
    return expected.parse(data[HEADER_BYTES:])


class PacketReader:
    """Decodes one direction of one connection; once it has raised an error it always does."""

    __slots__ = (
        "_at_boundary",
        "_buffer",
        "_direction",
        "_failure",
        "_formats",
        "_max_payload",
        "_single_byte",
        "_skip_left",
        "_skipped",
        "_whole_lengths",
    )

    def __init__(self, direction: Direction, max_payload: int | None = None) -> None:
        self._direction = direction
        self._max_payload = DEFAULT_MAX_PAYLOAD[direction] if max_payload is None else max_payload
        self._whole_lengths = _WHOLE_LENGTHS if direction is Direction.FROM_CLIENT else frozenset()
        self._single_byte = SINGLE_BYTE[direction]
        self._formats = FORMATS[direction]
        # None between packets: an empty buffer keeps the memory of what it held.
        self._buffer: bytearray | None = None
        self._skipped: UnknownPacket | None = None
        self._skip_left = 0
        self._failure: str | None = None
        self._at_boundary = True

    @property
    def is_at_boundary(self) -> bool:
        """True if the stream is between two packets."""
        return self._at_boundary

    def feed(self, data: bytes) -> list[Packet]:
        """Return the packets that `data` completes; an error carries those before the bad one."""
        if self._at_boundary and len(data) in self._whole_lengths:
            packet = _read_whole(data)
            if packet is not None:
                return [packet]
        if self._failure is not None:
            raise StreamError(self._failure, ())
        buffer = self._buffer or bytearray()
        buffer += data
        packets: list[Packet] = []
        try:
            while (packet := self._next(buffer)) is not None:
                packets.append(packet)
        except ProtocolError as error:
            self._failure = error.reason
            self._buffer, self._at_boundary = None, False
            raise StreamError(error.reason, packets) from error
        self._buffer = buffer or None
        self._at_boundary = not buffer and self._skipped is None
        return packets

    def _next(self, buffer: bytearray) -> Packet | None:
        """Take the next packet from the buffer; None until all of it has come."""
        if self._skipped is not None:
            return self._skip(self._skipped, buffer)
        if not buffer:
            return None
        number = buffer[0]
        command = self._single_byte.get(number)
        if command is not None:
            del buffer[:1]
            return command
        expected, name = self._formats.get(number), _NAMES.get(number)
        if expected is None and number < FIRST_WITH_LENGTH:
            if name is None:
                raise ProtocolError(f"There is no packet of type {number}.")
            raise ProtocolError(f"{name} is not a packet that a {self._direction.value} sends.")
        if len(buffer) < HEADER_BYTES:
            return None
        # The length is checked before the payload has come: nothing is kept of a bad packet.
        length: int = HEADER.unpack_from(buffer)[1]
        if expected is not None and not (
            expected.shortest <= length and (expected.longest is None or length <= expected.longest)
        ):
            right = expected.describe_length()
            raise ProtocolError(f"{name} carries {right} bytes, not {length}.")
        if length > self._max_payload:
            raise ProtocolError(
                f"A packet of type {number} announces {length} bytes; "
                f"more than {self._max_payload} are not accepted."
            )
        if expected is None:
            del buffer[:HEADER_BYTES]
            self._skipped, self._skip_left = UnknownPacket(number, length), length
            return self._skip(self._skipped, buffer)
        end = HEADER_BYTES + length
        if len(buffer) < end:
            return None
        payload = bytes(buffer[HEADER_BYTES:end])
        del buffer[:end]
        return expected.parse(payload)

    def _skip(self, packet: UnknownPacket, buffer: bytearray) -> Packet | None:
        """Drop the payload of an unknown packet; return the packet once all of it has come."""
        dropped = min(self._skip_left, len(buffer))
        del buffer[:dropped]
        self._skip_left -= dropped
        if self._skip_left:
            return None
        self._skipped = None
        return packet
