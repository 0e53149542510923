"""The header that a proxy sends before all else, written as HAProxy writes it."""

from __future__ import annotations

import struct
from ipaddress import ip_address

SIGNATURE = bytes.fromhex("0d0a0d0a000d0a515549540a")
LOCAL = SIGNATURE + b"\x20\x00\x00\x00"
UNSPECIFIED = SIGNATURE + b"\x21\x00\x00\x00"


def proxy_header(
    host: str, port: int, *, command: int = 0x21, family: int | None = None, extension: bytes = b""
) -> bytes:
    """Write that a player at this address has connected."""
    source = ip_address(host)
    if family is None:
        family = 0x11 if source.version == 4 else 0x21
    target = bytes(len(source.packed))
    body = source.packed + target + struct.pack(">HH", port, 9999) + extension
    return SIGNATURE + struct.pack(">BBH", command, family, len(body)) + body
