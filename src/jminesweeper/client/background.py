"""Blocking calls of the operating system, in threads that never delay the end of the program.

Two things have no other form: asking a name server, and reading standard input of any kind.
"""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from functools import partial
from typing import Final, TypeVar

from jminesweeper.client.errors import ConnectError

_READ_AT_ONCE: Final = 65536

_Result = TypeVar("_Result")


async def in_background(call: Callable[[], _Result]) -> _Result:
    """Await a call that may never return.

    asyncio waits for its own threads when its loop is closed: a name server that does not answer,
    or a player who types nothing, would keep the program from ending.
    """
    outcome = Future[_Result]()
    # From now on nobody can cancel it: what comes when nobody waits any more is dropped.
    outcome.set_running_or_notify_cancel()

    def work() -> None:
        try:
            outcome.set_result(call())
        except (OSError, UnicodeError) as error:
            outcome.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return await asyncio.wrap_future(outcome)


async def resolve(host: str, port: int) -> list[str]:
    """Return the numeric addresses of a host, in the order to try them."""
    try:
        # Numbers need no name server, and so no thread.
        return _look_up(host, port, socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return await _resolve_name(host, port)


async def _resolve_name(host: str, port: int) -> list[str]:
    try:
        return await in_background(partial(_look_up, host, port))
    except (OSError, UnicodeError) as error:
        raise ConnectError(f"Unknown host {host}.") from error


def _look_up(host: str, port: int, flags: int = 0) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Yield lines as they arrive, reading no further ahead than one read returns."""
    held = b""
    while data := await in_background(partial(os.read, descriptor, _READ_AT_ONCE)):
        *lines, held = (held + data).split(b"\n")
        for line in lines:
            yield line.decode(errors="replace")
    if held:
        yield held.decode(errors="replace")
