"""Reporting the state of this process to its starter, in the words of systemd's `sd_notify`.

systemd listens at the socket that NOTIFY_SOCKET names. States are READY=1, STOPPING=1 and, twice in
the time that WATCHDOG_USEC gives, WATCHDOG=1: a process that hangs does not send that, and is
replaced. A process that nobody watches sends nothing.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
ALIVE: Final = "WATCHDOG=1"

Tell = Callable[[str], None]


def teller(environment: Mapping[str, str]) -> Tell:
    address = environment.get("NOTIFY_SOCKET", "")
    # `@` begins the name of a socket that is no file.
    name = f"\0{address[1:]}" if address.startswith("@") else address
    return partial(_send, name) if name else lambda _state: None


@contextmanager
def keeping_alive(environment: Mapping[str, str], tell: Tell) -> Iterator[None]:
    """Report that the event loop runs, as often as requested, during the block."""
    is_meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    microseconds = environment.get("WATCHDOG_USEC", "")
    if not (is_meant and microseconds.isascii() and microseconds.isdigit() and int(microseconds)):
        yield
        return
    # Half of the time within which a report is expected.
    period_s = int(microseconds) / 2e6
    timers: list[asyncio.TimerHandle] = []

    def say_so() -> None:
        tell(ALIVE)
        timers[:] = [asyncio.get_running_loop().call_later(period_s, say_so)]

    say_so()
    try:
        yield
    finally:
        timers[0].cancel()


def _send(address: str, state: str) -> None:
    # The listener may be gone: the games continue.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender, suppress(OSError):
        sender.setblocking(False)
        sender.sendto(state.encode(), address)
