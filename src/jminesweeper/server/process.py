"""A server as a process: event loop, signals, the system's limits, and reports to its starter.

The reports are in the words of systemd's `sd_notify`, which listens at the socket that
NOTIFY_SOCKET names. States are READY=1, STOPPING=1 and, twice in the time that WATCHDOG_USEC gives,
WATCHDOG=1: a process that hangs does not send that, and is replaced. A process that nobody watches
sends nothing.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import importlib.util
import logging
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from functools import partial
from typing import Final

from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.door import CertificateError
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.listening import invitations, own_hosts, take_inherited

OpenBackend = Callable[[], AbstractAsyncContextManager[Backend]]
"""Opens store and workers on the server's event loop, and closes them after the last player."""

SWITCH_INTERVAL_S: Final = 0.0002
"""Time that a thread may keep the interpreter from another. With Python's default of 5 ms the
thread of a store sleeps and wakes once for each action: it needs the interpreter for microseconds,
and gets it only when the event loop waits for the network."""

COLLECTED_AFTER: Final = 50_000, 20, 1_000
"""Thresholds of the collector of garbage. With Python's own a server that fills looks at all its
objects again and again, which takes 170 ms with 4,000 players, and everybody waits."""

STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)

logger = logging.getLogger("jminesweeper.server")


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Make uvloop's event loop where it is installed: it needs about half of the time."""
    if importlib.util.find_spec("uvloop") is None:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = importlib.import_module("uvloop").new_event_loop()
    return loop


def raise_descriptor_limit() -> None:
    """Allow as many open sockets as the system lets this user have; shells default to 1,024."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def run_server(config: ServerConfig, open_backend: OpenBackend) -> None:
    """Serve until SIGTERM or SIGINT; ListenError if it cannot start."""
    raise_descriptor_limit()
    before_s = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_serve(config, open_backend))
    finally:
        sys.setswitchinterval(before_s)


async def _serve(config: ServerConfig, open_backend: OpenBackend) -> None:
    # A service manager sends SIGHUP to reload files, a terminal to end the program.
    reloads = config.tls_files is not None or "NOTIFY_SOCKET" in os.environ
    stop = _stop_on_signal(reloads=reloads)
    tell = teller(os.environ)
    inherited = take_inherited(os.environ, os.getpid())
    async with (
        open_backend() as backend,
        GameServer(config, backend, inherited=inherited) as server,
    ):
        # What exists by now stays for good: no collection needs to look at it again.
        gc.freeze()
        gc.set_threshold(*COLLECTED_AFTER)
        if reloads:

            def reload() -> None:
                try:
                    server.load_certificate()
                except CertificateError as error:
                    logger.warning("the certificate stays the old one: %s", error)
                else:
                    logger.info("the certificate was read again")

            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)
        for invitation in invitations(
            server.addresses,
            [*own_hosts()],
            config,
            has_page=backend.new_web_socket is not None,
            has_ssh=server.ssh is not None,
        ):
            logger.info("%s", invitation)
        logger.info("games are kept %s", backend.kept)
        logger.info("started")
        tell(READY)
        # What browsers need is loaded now: nobody waits for it, and no upgrade comes in between.
        importlib.import_module("jminesweeper.server.browser")
        with keeping_alive(os.environ, tell):
            received = await stop
            logger.info("stopping on %s", received.name)
            tell(STOPPING)
            # After Ctrl-C somebody waits.
            await server.drain(waits_for_checks=received is signal.SIGTERM)
    totals = server.totals
    logger.info(
        "stopped after %d connections, %d packets, %d games ended",
        totals.connections,
        totals.packets,
        totals.games,
        extra={
            "connections": totals.connections,
            "refused": totals.refused.total(),
            "packets": totals.packets,
            "games": totals.games,
        },
    )


def _stop_on_signal(*, reloads: bool) -> asyncio.Future[signal.Signals]:
    """Complete on the first signal; the second one ends the process at once."""
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[signal.Signals] = loop.create_future()
    numbers = list(STOP_SIGNALS)
    if not reloads and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        numbers.append(signal.SIGHUP)  # but not under nohup

    def on_signal(received: signal.Signals) -> None:
        if stop.done():
            return
        stop.set_result(received)
        for number in numbers:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)

    for number in numbers:
        loop.add_signal_handler(number, on_signal, number)
    return stop


# Reports

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
