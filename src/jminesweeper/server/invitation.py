"""The lines that friends type, one for each address at which they may reach this server."""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from jminesweeper.server.config import DEFAULT_PORT, ServerConfig
from jminesweeper.server.listening import SocketAddress, plain_host

_ADDRESS_OF_INTERFACE: Final = 0x8915 if sys.platform == "linux" else 0xC0206921
"""The number of the system call SIOCGIFADDR, which knows IPv4 alone."""


def own_hosts() -> Iterator[str]:
    """Find the machine's addresses that others may know: one for each network interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # It has no address.
                request = struct.pack("256s", name.encode())
                answer = fcntl.ioctl(asking, _ADDRESS_OF_INTERFACE, request)
                host = socket.inet_ntoa(answer[20:24])
                if not ip_address(host).is_loopback:
                    yield host


def invitations(
    addresses: Sequence[SocketAddress],
    hosts: Sequence[str],
    config: ServerConfig,
    *,
    has_page: bool,
    has_ssh: bool = False,
) -> Iterator[str]:
    """Say what to type, where a server on all interfaces has these hosts."""
    if config.public_url and has_page:
        yield f"to play in a browser: {config.public_url}"
    if config.proxies:  # Nobody reaches it at these addresses.
        return
    places: dict[tuple[str, int], None] = {}
    for address in addresses:
        host, port = plain_host(address), address[1]
        known = hosts if ip_address(host).is_unspecified else [host]
        places |= dict.fromkeys((each, port) for each in known)
    for host, port in places:
        named = f"[{host}]" if ":" in host else host
        client = f"{'tls://' if config.tls_files else ''}{named}"
        client += "" if port == DEFAULT_PORT else f":{port}"
        page = f", or in a browser: http{'s' if config.tls_files else ''}://{named}:{port}/"
        if has_ssh:
            yield f"to play with nothing installed: ssh {host} -p {port}"
        yield f"to play: ./run_client.sh {client}{page if has_page else ''}"
