"""Host names to numbers, without a name server being able to hold up the end of the program."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress

from jminesweeper.client.errors import ConnectError


async def resolve(host: str, port: int) -> list[str]:
    """Numeric addresses of a host, in the order to try them; ConnectError if there are none."""
    try:
        return _look_up(host, port, socket.AI_NUMERICHOST)
    except OSError:
        return await _look_up_elsewhere(host, port)


def _look_up(host: str, port: int, flags: int = 0) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def _look_up_elsewhere(host: str, port: int) -> list[str]:
    """Look up in a thread that dies with the program; asyncio would wait for its own threads."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str]) -> None:
        if not answer.done():
            answer.set_result(addresses)

    def look_up() -> None:
        addresses: list[str] = []
        # UnicodeError: no name that could be looked up at all.
        with suppress(OSError, UnicodeError):
            addresses = _look_up(host, port)
        # The loop may be closed by now: then nobody wants the answer any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, addresses)

    threading.Thread(target=look_up, daemon=True).start()
    addresses = await answer
    if not addresses:
        raise ConnectError(f"The name {host} cannot be resolved.")
    return addresses
