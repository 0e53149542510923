"""A server as a process: event loop, signals, and the system's limits."""

from __future__ import annotations

import asyncio
import gc
import importlib
import importlib.util
import logging
import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.invitation import invitations, own_hosts
from jminesweeper.server.listening import take_inherited
from jminesweeper.server.notify import READY, STOPPING, keeping_alive, teller
from jminesweeper.server.tls import CertificateError

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
