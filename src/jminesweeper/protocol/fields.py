"""What payloads are made of: numbers of fixed width, and names behind a byte of length."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from struct import Struct
from typing import Final

from jminesweeper.protocol.errors import EncodeError, ProtocolError
from jminesweeper.protocol.vocabulary import PacketType

LONGEST_NAME: Final = 255


def pack_fields(layout: Struct, packet_type: PacketType, values: Sequence[int]) -> bytes:
    """Write numbers side by side; EncodeError if one is too large for its field."""
    try:
        return layout.pack(*values)
    except struct.error as error:
        raise EncodeError(f"{packet_type.name} does not fit the wire: {error}") from error


def encode_name(name: str, packet_type: PacketType) -> bytes:
    """Write a name behind its length in bytes."""
    try:
        text = name.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"the name in {packet_type.name} has no UTF-8 form") from error
    if len(text) > LONGEST_NAME:
        raise EncodeError(f"the name in {packet_type.name} is over {LONGEST_NAME} bytes long")
    return bytes((len(text),)) + text


def decode_name(field_bytes: bytes, packet_type: PacketType) -> str:
    """Read a name that must fill the rest of a payload."""
    if not field_bytes or len(field_bytes) != 1 + field_bytes[0]:
        raise ProtocolError(f"The name in {packet_type.name} is not as long as it says.")
    try:
        return field_bytes[1:].decode()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"The name in {packet_type.name} is not valid UTF-8.") from error
