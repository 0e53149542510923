"""The header by which a proxy says whose connection it forwards: PROXY protocol, version 2.

A connection that comes through a proxy shows the proxy's address. Limits per address and the log
need the player's, so the proxy sends a header before all else:

    12 bytes  signature, which begins no other stream
     1 byte   version 2, and a command: PROXY (for somebody) or LOCAL (the proxy's own, a check)
     1 byte   family of the addresses, and transport
     2 bytes  length of what follows: addresses, and then extensions, which are skipped

A header may name any address. So it is read only from the networks that `--proxy-from` names, and
is required there: a proxy that left it out would let its clients forge it.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.server.config import Network
from jminesweeper.server.listening import SocketAddress, peek, plain_host

SIGNATURE: Final = b"\r\n\r\n\x00\r\nQUIT\n"
LONGEST_HEADER: Final = 2048
"""Real ones take less than 600 bytes, extensions included."""

_FIXED: Final = struct.Struct(">12sBBH")
_LOCAL, _PROXY = 0x20, 0x21
_TCP4, _TCP6 = 0x11, 0x21
_ADDRESSES4: Final = struct.Struct(">4s4sHH")
_ADDRESSES6: Final = struct.Struct(">16s16sHH")


class ProxyError(JMinesweeperError):
    """These bytes are not a proxy's header."""


@dataclass(frozen=True, slots=True)
class ProxyHeader:
    """The content of a header."""

    size: int
    is_local: bool
    """True if the proxy itself has connected."""
    source: SocketAddress | None
    """The player's address; None if the proxy names none."""


def is_from(networks: Collection[Network], address: SocketAddress) -> bool:
    host = ip_address(plain_host(address))
    return any(host in network for network in networks)


async def take_header(connection: socket.socket) -> ProxyHeader:
    """Read the header, and leave on the connection what follows it."""
    data = b""
    while (header := parse_header(data)) is None:
        more = await peek(connection, len(data) + 1)
        if len(more) <= len(data):
            raise ProxyError("half a proxy header")
        data = more
    connection.recv(header.size)
    return header


def parse_header(data: bytes) -> ProxyHeader | None:
    """Read the header that a stream begins with; None if too little of it has come."""
    if not SIGNATURE.startswith(data[: len(SIGNATURE)]):
        raise ProxyError("no proxy header")
    if len(data) < _FIXED.size:
        return None
    _, command, family, length = _FIXED.unpack_from(data)
    if command not in {_LOCAL, _PROXY}:
        raise ProxyError(f"a proxy header of unknown version or command {command:#04x}")
    size = _FIXED.size + length
    if size > LONGEST_HEADER:
        raise ProxyError(f"a proxy header of {size} bytes")
    if len(data) < size:
        return None
    if command == _LOCAL:
        return ProxyHeader(size, is_local=True, source=None)
    body, source = data[_FIXED.size : size], None
    try:
        if family == _TCP4:
            host, _, port, _ = _ADDRESSES4.unpack_from(body)
            source = str(IPv4Address(host)), port
        elif family == _TCP6:
            host, _, port, _ = _ADDRESSES6.unpack_from(body)
            address = IPv6Address(host)
            source = str(address.ipv4_mapped or address), port
    except struct.error as error:
        raise ProxyError("a proxy header without its addresses") from error
    return ProxyHeader(size, is_local=False, source=source)
