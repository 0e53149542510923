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
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from typing import Final

from jminesweeper.server.config import AdminConfig, Backend, ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.invitation import invitations, own_hosts
from jminesweeper.server.listening import (
    INHERITED,
    Inherited,
    SocketAddress,
    format_address,
    listening_addresses,
    open_listeners,
    take_inherited,
)
from jminesweeper.server.notify import READY, STOPPING, keeping_alive, teller
from jminesweeper.server.supervisor import Supervisor, own_command
from jminesweeper.server.tls import CertificateError

OpenBackend = Callable[[], AbstractAsyncContextManager[Backend]]
"""Opens store and workers on the server's event loop, and closes them after the last player."""

SWITCH_INTERVAL_S: Final = 0.0002
"""How long a thread may keep the interpreter from another. With Python's default of 5 ms the thread
of a store sleeps and wakes once for each action: it needs the interpreter for microseconds, and
gets it only when the event loop waits for the network."""

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


def run_processes(config: ServerConfig, count: int) -> int:
    """Serve with so many processes until a signal; return the exit code."""
    raise_descriptor_limit()
    with ExitStack() as opened:
        game = take_inherited(os.environ, os.getpid()).game
        game = game or open_listeners(config.host, config.port or 0)
        handed = _hand_out(game, config.admin, count)
        for listener in {each for place in handed for kind in place for each in kind}:
            opened.enter_context(listener)
        addresses = [address for listener in game for address in listening_addresses(listener)]
        tell = teller(os.environ)

        def tell_and_invite(state: str) -> None:
            if state == READY:
                has_page = importlib.util.find_spec("websockets") is not None
                _invite(addresses, config, has_page=has_page)
            tell(state)

        supervisor = Supervisor(handed, own_command(), os.environ, tell_and_invite)
        return asyncio.run(supervisor.run())


def _hand_out(
    game: Sequence[socket.socket], admin: AdminConfig | None, count: int
) -> list[Inherited]:
    """Open admin ports: one where any process answers, and the next ones for each alone."""
    if admin is None:
        return [Inherited(game)] * count
    health = open_listeners(admin.host, admin.port)
    first = admin.port and admin.port + 1
    for listener in health:
        place = format_address(listening_addresses(listener)[0])
        logger.info("health of all processes on %s", place, extra={"address": place})
    return [
        Inherited(game, open_listeners(admin.host, first and first + number), health)
        for number in range(count)
    ]


def is_supervised(environment: Mapping[str, str]) -> bool:
    """Whether this process is one of several that a supervisor has started."""
    return INHERITED in environment


async def _serve(config: ServerConfig, open_backend: OpenBackend) -> None:
    has_supervisor = is_supervised(os.environ)
    # A service manager sends SIGHUP to reload files, a terminal to end the program.
    reloads = config.tls_files is not None or "NOTIFY_SOCKET" in os.environ
    stop = _stop_on_signal(has_supervisor=has_supervisor, reloads=reloads)
    tell = teller(os.environ, is_supervised=has_supervisor)
    inherited = take_inherited(os.environ, os.getpid())
    async with (
        open_backend() as backend,
        GameServer(config, backend, inherited=inherited) as server,
    ):
        # What exists by now stays for good: no collection needs to look at it again.
        gc.freeze()
        if reloads:
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, _reload, server)
        if not has_supervisor:
            _invite(server.addresses, config, has_page=backend.new_web_socket is not None)
        logger.info("games are kept %s", backend.kept)
        logger.info("started")
        tell(READY)
        # What browsers need is loaded now: nobody waits for it, and no upgrade comes in between.
        importlib.import_module("jminesweeper.server.browser")
        with keeping_alive(os.environ, tell):
            received = await stop
            logger.info("stopping on %s", received.name)
            tell(STOPPING)
            # After Ctrl-C somebody waits, and a supervisor has other processes that serve.
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


def _invite(addresses: Sequence[SocketAddress], config: ServerConfig, *, has_page: bool) -> None:
    for invitation in invitations(addresses, [*own_hosts()], config, has_page=has_page):
        logger.info("%s", invitation)


def _reload(server: GameServer) -> None:
    try:
        server.load_certificate()
    except CertificateError as error:
        logger.warning("the certificate stays the old one: %s", error)
    else:
        logger.info("the certificate was read again")


def _stop_on_signal(*, has_supervisor: bool, reloads: bool) -> asyncio.Future[signal.Signals]:
    """Complete on the first signal; the second one ends the process at once.

    Under a supervisor, the supervisor decides that, and its end is a signal as well.
    """
    loop = asyncio.get_running_loop()
    stop: asyncio.Future[signal.Signals] = loop.create_future()
    numbers = list(STOP_SIGNALS)
    if not reloads and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        numbers.append(signal.SIGHUP)  # but not under nohup

    def on_signal(received: signal.Signals) -> None:
        if stop.done():
            return
        stop.set_result(received)
        for number in () if has_supervisor else numbers:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)

    for number in numbers:
        loop.add_signal_handler(number, on_signal, number)
    if has_supervisor:
        loop.add_reader(sys.stdin.fileno(), _hear_supervisor, on_signal)
    return stop


def _hear_supervisor(on_signal: Callable[[signal.Signals], None]) -> None:
    """Stop with the supervisor: its end of the socket closes."""
    asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
    on_signal(signal.SIGTERM)
