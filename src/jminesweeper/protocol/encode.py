"""Packets to bytes."""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import Final

from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command, PacketType

HEADER: Final = Struct(">BI")
HEADER_BYTES: Final = HEADER.size
_PATCH_HEADER: Final = Struct(">BIBBB")
_PATCH_FIELDS: Final = 3
_FARTHEST: Final = 255


def _encode_command(command: Command) -> bytes:
    if command.packet_type < FIRST_WITH_LENGTH:
        return bytes((command.packet_type,))
    return HEADER.pack(command.packet_type, 0)


_COMMANDS: Mapping[Command, bytes] = {command: _encode_command(command) for command in Command}


def encode(packet: Packet) -> bytes:
    """All bytes of one packet; EncodeError if a value does not fit its field."""
    if isinstance(packet, Command):
        return _COMMANDS[packet]
    payload = packet.payload()
    return HEADER.pack(packet.packet_type, len(payload)) + payload


def encode_screen(*pieces: bytes) -> bytes:
    """SCREEN_CONTENT of the joined pieces, each byte copied once."""
    header = HEADER.pack(PacketType.SCREEN_CONTENT, sum(map(len, pieces)))
    return b"".join((header, *pieces))


def encode_screen_opening(text: bytes, more: int) -> bytes:
    """SCREEN_CONTENT up to the last `more` bytes of its text, which the caller adds."""
    return HEADER.pack(PacketType.SCREEN_CONTENT, len(text) + more) + text


def encode_patch(flags: int, cursor_row: int, cursor_column: int, *pieces: bytes) -> bytes:
    """SCREEN_PATCH of the joined pieces; a cursor beyond position 255 is told as being on it."""
    header = _PATCH_HEADER.pack(
        PacketType.SCREEN_PATCH,
        _PATCH_FIELDS + sum(map(len, pieces)),
        flags,
        min(cursor_row, _FARTHEST),
        min(cursor_column, _FARTHEST),
    )
    return b"".join((header, *pieces))
