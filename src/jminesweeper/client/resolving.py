"""Host names to numbers."""

from __future__ import annotations

import socket
from functools import partial

from jminesweeper.client.background import in_background
from jminesweeper.client.errors import ConnectError


async def resolve(host: str, port: int) -> list[str]:
    """Numeric addresses of a host, in the order to try them; ConnectError if there are none."""
    try:
        # Numbers need no name server, and so no thread.
        return _look_up(host, port, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return await _resolve_name(host, port)


async def _resolve_name(host: str, port: int) -> list[str]:
    try:
        return await in_background(partial(_look_up, host, port))
    except (OSError, UnicodeError) as error:
        raise ConnectError(f"The name {host} cannot be resolved.") from error


def _look_up(host: str, port: int, flags: int = 0) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
