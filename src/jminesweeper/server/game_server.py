"""The server: listens, lets players in, looks after them, and says goodbye.

It stops so that players hardly notice: new ones go elsewhere first, then the others bit by bit. A
load balancer asks from time to time whether players may be sent here. A server that has to stop
says no, and continues until it has said so twice: by then no new players are sent here. If no load
balancer asks, there is nothing to wait for. Then the server admits nobody and says goodbye to its
players, spread over some time: clients reconnect at once, to another server, which has to read
their games.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urlsplit

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records.documents import Flow, new_version, read_document
from jminesweeper.records.keys import HOST_KEY
from jminesweeper.server.config import Backend, Clock, ServerConfig, SshHost
from jminesweeper.server.connection import Connection
from jminesweeper.server.door import ProxyError, is_from, load_certificate, speaks_tls, take_header
from jminesweeper.server.hub import MAX_REFUSED, SWEEP_STEPS, Hub, ServerTotals
from jminesweeper.server.keeper import CHECK_S
from jminesweeper.server.listening import (
    Acceptor,
    SocketAddress,
    format_address,
    listening_addresses,
    open_listeners,
    origin_of,
    own_hosts,
    plain_host,
)
from jminesweeper.store.port import Commit, Put

if TYPE_CHECKING:
    from jminesweeper.server.admin import Admin

STOPPING: Final = "The server is shutting down. Thank you for playing."

LONGEST_SWEEP_S: Final = 3.0
"""Longest interval at which each connection is checked: for timeouts, and to publish presence.

A check makes an eighth of an action's calls, and mostly finds nothing to do.
"""
ABORT_TIMEOUT_S: Final = 1.0
ARRIVAL_S: Final = 0.1
"""Time for connections that are being set up when the server stops."""
HANDSHAKE_TIMEOUT_S: Final = 10.0

NOT_FROM_HERE: Final = "Players reach this server through its proxy only."

EMBEDDED: Final = "embedded"
"""The address of a player in the server's own process."""

ANOTHER_KEY: Final = (
    "another server of this store has the SSH host key %s: players who meet both are warned. "
    "Give all of them one file with --ssh-key."
)

logger = logging.getLogger("jminesweeper.server")


class GameServer:
    """Use it with `async with`, or call `start` and `stop`."""

    def __init__(
        self,
        config: ServerConfig,
        backend: Backend,
        clock_ns: Clock = time.monotonic_ns,
        inherited: Sequence[socket.socket] = (),
    ) -> None:
        self._config = config
        self._inherited = inherited
        self.health = HealthChecks()
        self._hub = Hub(config, backend, clock_ns)
        self._admin: Admin | None = None
        self._acceptors: list[Acceptor] = []
        self._addresses: list[SocketAddress] = []
        self._arrivals: set[asyncio.Task[None]] = set()
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}
        timeouts_s = (config.idle_timeout_s, config.write_timeout_s, config.silence_timeout_s)
        self._sweep_s = min(LONGEST_SWEEP_S, min(timeouts_s) / 4)

    @property
    def addresses(self) -> tuple[SocketAddress, ...]:
        return tuple(self._addresses)

    @property
    def port(self) -> int:
        """The port it listens on, also if it chose one itself."""
        return self._addresses[0][1]

    @property
    def ssh(self) -> SshHost | None:
        """The door for players who have only `ssh`."""
        return self._hub.ssh

    @property
    def totals(self) -> ServerTotals:
        return self._hub.totals

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen; ListenError or CertificateError when that is not possible."""
        self.load_certificate()
        async with AsyncExitStack() as undo:
            undo.push_async_callback(self._close_ports)
            if (config := self._config.admin) is not None:
                # Few servers have this port.
                admin = import_module("jminesweeper.server.admin")
                site = admin.AdminSite(self._hub, self.health, needs_store=config.needs_store)
                self._admin = opened = admin.Admin(site)
                await opened.start(open_listeners(config.host, config.port))
            if self._config.port is not None:
                own = self._inherited or open_listeners(self._config.host, self._config.port)
                for listener in own:
                    is_shared = bool(self._inherited)
                    self._acceptors.append(Acceptor(listener, self._welcome, is_shared=is_shared))
                    self._addresses += listening_addresses(listener)
                for address in self._addresses:
                    place = format_address(address)
                    logger.info("listening on %s", place, extra={"address": place})
            await self._hub.keeper.learn_days()
            self._name_doors()
            undo.pop_all()
        step_s = self._sweep_s / SWEEP_STEPS
        self._repeat(step_s, step_s, self._hub.check_time)
        # Work that fell due while no server ran is done at once.
        self._repeat(0, CHECK_S, self._hub.keeper.check_time)
        if self._hub.ssh is not None:
            # Say if another server of the store has another key.
            key, tokens = self._hub.ssh.fingerprint, self._hub.backend.tokens
            note = note_host_key(key, tokens)
            self._hub.keeper.run(note, lambda _: logger.info("the SSH host key is %s", key))

    def _name_doors(self) -> None:
        """Say how others can connect, if the server can know that."""
        hub, url = self._hub, self._config.public_url
        if not self._addresses:
            return
        doors, address = hub.backend.doors, self._addresses[0]
        doors.port = address[1]
        doors.host = plain_host(address)
        if url:
            doors.host = urlsplit(url).hostname or ""
        elif ip_address(doors.host).is_unspecified:
            doors.host = next(own_hosts(), "")
        scheme = "http" if self._config.tls_files is None else "https"
        if hub.backend.new_web_socket is not None and doors.host:
            named = f"[{doors.host}]" if ":" in doors.host else doors.host
            doors.page = url or f"{scheme}://{named}:{doors.port}/"
        doors.ssh_key = "" if hub.ssh is None else hub.ssh.fingerprint

    def load_certificate(self) -> None:
        """Serve TLS to new connections with the certificate that the files hold now."""
        if self._config.tls_files is not None:
            self._hub.tls = load_certificate(*self._config.tls_files)

    async def drain(self, message: str = STOPPING, *, waits_for_checks: bool = True) -> None:
        """Send players elsewhere bit by bit, before `stop`."""
        if waits_for_checks:
            await self.health.refuse()
        await self._close_listeners()
        await say_goodbye_in_turn(self._hub, message)

    async def stop(self, message: str = STOPPING) -> None:
        """Admit nobody any more, say goodbye to everybody, and finish in bounded time."""
        self.health.is_draining = True
        await self._close_listeners()
        for timer in self._timers.values():
            timer.cancel()
        self._hub.say_goodbye(message)
        # These have not said whether they speak TLS, or whose they are.
        for arrival in self._arrivals:
            arrival.cancel()
        await self._hub.emptied(self._config.stop_timeout_s)
        self._hub.abort_all()
        await self._hub.emptied(ABORT_TIMEOUT_S)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hub.keeper.finish(), ABORT_TIMEOUT_S)
        self._hub.close()
        await self._close_ports()

    async def connect_embedded(self) -> socket.socket:
        """Return the player's end of a private connection that needs no port."""
        ours, theirs = socket.socketpair()
        connection = Connection(self._hub, EMBEDDED, EMBEDDED)
        self._hub.admit(connection)
        await self._set_up(ours, connection, None)
        return theirs

    async def _close_ports(self) -> None:
        await self._close_listeners()
        if self._admin is not None:
            self._admin.close()

    async def _close_listeners(self) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        self._acceptors.clear()
        if self._arrivals:
            await asyncio.wait(self._arrivals, timeout=ARRIVAL_S)

    def _welcome(self, accepted: socket.socket, address: SocketAddress) -> None:
        arrival = asyncio.get_running_loop().create_task(self._arrive(accepted, address))
        self._arrivals.add(arrival)
        arrival.add_done_callback(self._arrivals.discard)

    async def _arrive(self, accepted: socket.socket, address: SocketAddress) -> None:
        """Find out the peer's address and protocol, and give the connection a transport."""
        hub, proxies = self._hub, self._config.proxies
        connection, context, has_transport = None, None, False
        try:
            connection = Connection(hub, format_address(address), origin_of(address))
            is_proxied = bool(proxies) and is_from(proxies, address)
            if is_proxied or hub.tls is not None:
                context = await self._look(accepted, connection, is_proxied=is_proxied)
            else:
                hub.admit(connection)
            await self._set_up(accepted, connection, context)
            has_transport = True
        # Who says nothing, hangs up at once or knows no TLS is no error of ours.
        except OSError as error:
            reason = str(error) or type(error).__name__
            peer = format_address(address) if connection is None else connection.peer
            logger.info("%s left before a packet: %s", peer, reason)
        # Nobody awaits an arrival, so its bug is logged here.
        except Exception:
            logger.exception("a connection could not be set up")
        finally:
            if not has_transport:
                accepted.close()
                if connection is not None:
                    hub.release(connection)

    async def _look(
        self, accepted: socket.socket, connection: Connection, *, is_proxied: bool
    ) -> ssl.SSLContext | None:
        """Take the header of a proxy, give the connection a place, and see whether TLS comes."""
        hub = self._hub
        async with asyncio.timeout(self._config.silence_timeout_s):
            try:
                header = await take_header(accepted) if is_proxied else None
            except ProxyError as error:
                logger.warning("%s sent %s", connection.peer, error)
                connection.refusal = NOT_FROM_HERE
                return None
            if header is not None:
                if header.is_local:
                    connection.log_level = logging.DEBUG
                if header.source is not None:
                    connection.come_from(format_address(header.source), origin_of(header.source))
            hub.admit(connection)
            if hub.tls is None or (connection.refusal and len(self._arrivals) > MAX_REFUSED):
                # A crowd that says nothing must not hold sockets that nobody counts.
                return None
            return hub.tls if await speaks_tls(accepted) else None

    async def _set_up(
        self, accepted: socket.socket, connection: Connection, context: ssl.SSLContext | None
    ) -> None:
        await asyncio.get_running_loop().connect_accepted_socket(
            lambda: connection,
            accepted,
            ssl=context,
            ssl_handshake_timeout=HANDSHAKE_TIMEOUT_S if context else None,
            ssl_shutdown_timeout=self._config.linger_s if context else None,
        )

    def _repeat(self, after_s: float, every_s: float, check: Callable[[], None]) -> None:
        """Call this for the first time after a while, then again and again, even if it fails."""
        loop = asyncio.get_running_loop()

        def call() -> None:
            self._timers[check] = loop.call_later(every_s, call)
            check()

        self._timers[check] = loop.call_later(after_s, call)


def note_host_key(fingerprint: str, random_bits: RandomBits) -> Flow[None]:
    """Note this server's SSH host key, and warn if another server of the store had another one."""
    noted = (yield from read_document(HOST_KEY)).body
    if noted == fingerprint:
        return
    if noted:
        logger.warning(ANOTHER_KEY, noted)
    yield Commit(new_version(random_bits), puts=(Put(HOST_KEY, fingerprint),))


# Draining

ENOUGH: Final = 2
"""Checks that must be answered with no: one may be lost, or not count."""
CHECKS_WAIT_S: Final = 5.0
"""Time to wait for them."""
SPREAD_S: Final = 2.0
"""Time that farewells to a crowd take."""
STEPS: Final = 200
GREETING_SHARE: Final = 0.1
"""The share of that time in which new connections may still send their first packet."""


class HealthChecks:
    """The state of draining: whether players may be sent here, and who asked."""

    def __init__(self) -> None:
        self.is_draining = False
        self._is_asked = False
        self._refused = 0
        self._has_refused_enough = asyncio.Event()

    def answer(self) -> bool:
        self._is_asked = True
        if self.is_draining:
            self._refused += 1
            if self._refused >= ENOUGH:
                self._has_refused_enough.set()
        return not self.is_draining

    async def refuse(self, wait_s: float = CHECKS_WAIT_S) -> None:
        """Say no from now on, and wait until that was heard, if anybody asks."""
        self.is_draining = True
        if self._is_asked:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_refused_enough.wait(), wait_s)


async def say_goodbye_in_turn(hub: Hub, message: str, spread_s: float = SPREAD_S) -> None:
    """Disconnect everybody; a new connection first gets a screen, and so knows to reconnect."""
    players = hub.close_door(message)
    await _let_go([each for each in players if each.conversation.packets], hub, message, spread_s)
    if hub.connections:
        await asyncio.sleep(spread_s * GREETING_SHARE)
    await _let_go([*hub.connections], hub, message, spread_s)


async def _let_go(leaving: Sequence[Connection], hub: Hub, message: str, spread_s: float) -> None:
    share = math.ceil(len(leaving) / STEPS)
    for place in range(0, len(leaving), share or 1):
        for connection in hub.connections.intersection(leaving[place : place + share]):
            connection.disconnect(message)
        await asyncio.sleep(spread_s / STEPS)
