"""The server: listens, lets players in, looks after them, and says goodbye."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, Self

from jminesweeper.server.addresses import SocketAddress, format_address, origin_of
from jminesweeper.server.backend import Backend
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import Connection
from jminesweeper.server.listening import Acceptor, listening_addresses, open_listeners
from jminesweeper.server.lobby import Lobby, Totals
from jminesweeper.server.refusal import Refusal

STOPPING: Final = "The server is shutting down. Thank you for playing."

MAX_REFUSALS: Final = 64
"""Refused peers that are being told why at the same time; more are just closed."""

LONGEST_SWEEP_S: Final = 5.0
ABORT_TIMEOUT_S: Final = 1.0

EMBEDDED: Final = "embedded"

logger = logging.getLogger("jminesweeper.server")


class GameServer:
    """Use it with `async with`, or call `start` and `stop`."""

    def __init__(
        self,
        config: ServerConfig,
        backend: Backend,
        clock_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._config = config
        self._lobby = Lobby(config, backend, clock_ns)
        self._acceptors: list[Acceptor] = []
        self._addresses: list[SocketAddress] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._sweep_timer: asyncio.TimerHandle | None = None
        self._sweep_s = min(LONGEST_SWEEP_S, config.idle_timeout_s / 4, config.write_timeout_s / 4)

    @property
    def addresses(self) -> tuple[SocketAddress, ...]:
        """Where it listens."""
        return tuple(self._addresses)

    @property
    def port(self) -> int:
        """The port it listens on, also when it was to choose one itself."""
        return self._addresses[0][1]

    @property
    def totals(self) -> Totals:
        return self._lobby.totals

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen; ListenError when that is not possible."""
        if self._config.port is not None:
            self._listen(self._config.host, self._config.port)
        self._plan_sweep()

    def _listen(self, host: str, port: int) -> None:
        for listener in open_listeners(host, port):
            self._acceptors.append(Acceptor(listener, self._welcome))
            self._addresses += listening_addresses(listener)
        for address in self._addresses:
            place = format_address(address)
            logger.info("listening on %s", place, extra={"address": place})

    async def stop(self, message: str = STOPPING) -> None:
        """Take nobody in any more, say goodbye to everybody, and be done in bounded time."""
        for acceptor in self._acceptors:
            acceptor.close()
        self._acceptors.clear()
        if self._sweep_timer is not None:
            self._sweep_timer.cancel()
        if self._tasks:  # Connections that are being set up: no network is involved.
            await asyncio.wait(self._tasks)
        lobby = self._lobby
        for connection in tuple(lobby.connections):
            connection.let_go(message)
        await lobby.emptied(self._config.stop_timeout_s)
        for connection in tuple(lobby.connections):
            connection.abort()
        for refusal in tuple(lobby.refusals):
            refusal.abort()
        await lobby.emptied(ABORT_TIMEOUT_S)

    async def connect_embedded(self) -> socket.socket:
        """Return the player's end of a connection that needs no port and nobody else can get at."""
        ours, theirs = socket.socketpair()
        self._lobby.admission.enter(EMBEDDED)
        await self._play(ours, EMBEDDED, EMBEDDED)
        return theirs

    def _welcome(self, guest: socket.socket, address: SocketAddress) -> None:
        peer = format_address(address)
        origin = origin_of(address)
        reason = self._lobby.admission.refusal(origin)
        if reason is not None:
            self._refuse(guest, peer, reason)
            return
        self._lobby.admission.enter(origin)
        guest.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._run(self._play(guest, peer, origin))

    async def _play(self, guest: socket.socket, peer: str, origin: str) -> None:
        with ExitStack() as on_failure:
            on_failure.callback(self._lobby.admission.leave, origin)
            await self._attach(guest, partial(Connection, self._lobby, peer, origin))
            on_failure.pop_all()

    def _refuse(self, guest: socket.socket, peer: str, reason: str) -> None:
        self._lobby.totals.refused += 1
        if len(self._lobby.refusals) >= MAX_REFUSALS:
            guest.close()
            return
        logger.info("%s refused: %s", peer, reason, extra={"peer": peer})
        self._run(self._attach(guest, partial(Refusal, self._lobby, reason)))

    async def _attach(
        self, guest: socket.socket, new_protocol: Callable[[], asyncio.BaseProtocol]
    ) -> None:
        """Give the socket a transport; whatever goes wrong, it does not stay open."""
        with ExitStack() as on_failure:
            on_failure.callback(guest.close)
            await asyncio.get_running_loop().connect_accepted_socket(new_protocol, guest)
            on_failure.pop_all()

    def _run(self, task: Coroutine[Any, Any, None]) -> None:
        running = asyncio.get_running_loop().create_task(task)
        self._tasks.add(running)
        running.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a connection could not be set up", exc_info=error)

    def _plan_sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self._sweep_timer = loop.call_later(self._sweep_s, self._sweep)

    def _sweep(self) -> None:
        """Look after all connections at once: a timer for each would cost more than they do."""
        now_ms = self._lobby.now_ms()
        for connection in tuple(self._lobby.connections):
            connection.check(now_ms)
        self._plan_sweep()
