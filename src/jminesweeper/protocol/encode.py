"""Packets to bytes."""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import Final

from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command, PacketType

HEADER: Final = Struct(">BI")
HEADER_BYTES: Final = HEADER.size
_SCREEN: Final = int(PacketType.SCREEN_CONTENT)


def _encode_command(command: Command) -> bytes:
    if command.packet_type < FIRST_WITH_LENGTH:
        return bytes((command.packet_type,))
    return HEADER.pack(command.packet_type, 0)


_COMMANDS: Mapping[Command, bytes] = {command: _encode_command(command) for command in Command}


def encode(packet: Packet) -> bytes:
    """Return all bytes of one packet; EncodeError if a value does not fit its field."""
    if isinstance(packet, Command):
        return _COMMANDS[packet]
    payload = packet.payload()
    return HEADER.pack(packet.packet_type, len(payload)) + payload


def encode_screen(text: bytes) -> bytes:
    """Return SCREEN_CONTENT."""
    return HEADER.pack(_SCREEN, len(text)) + text
