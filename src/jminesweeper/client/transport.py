"""TCP to a server, or to the one inside this program if there is no other.

The transport carries bytes and decides nothing about them. Errors become sentences here, once.
Blocking calls of the operating system are made in threads that never delay the end of the program:
asking a name server, and reading standard input of any kind, have no other form.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

from jminesweeper.client import ClientError
from jminesweeper.client.address import Address
from jminesweeper.client.events import Connected, Deliver, Lost, Received

_READ_AT_ONCE: Final = 65536

_Result = TypeVar("_Result")


class ConnectError(ClientError):
    """The server cannot be reached."""


class NoServerError(ConnectError):
    """The machine answers, but refuses connections to this port."""


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
        pass
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


def trusting(authority: Path | None) -> ssl.SSLContext:
    """Trust the certificates in a file, or those that this system trusts."""
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:
        raise ConnectError(f"{authority} holds no certificate to trust.") from error


def explain_tls(address: Address, error: OSError) -> str:
    """Explain why TLS failed on a connection that was made."""
    match error:
        case ssl.SSLCertVerificationError(verify_message=reason):
            return f"The certificate of {address} is not trusted: {reason.rstrip('.')}."
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "RECORD_LAYER_FAILURE"):
            return f"{address} does not speak TLS; connect without it."
        case ssl.SSLError(reason=reason):
            return (
                f"TLS with {address} failed: {(reason or 'no reason').replace('_', ' ').lower()}."
            )
        case _:
            return f"{address} hung up on TLS; connect without it."


# Connections

CONNECT_TIMEOUT_S: Final = 10.0
# A host that vanished is given up after this long, not after TCP's quarter of an hour.
_SILENCE_S: Final = 30
_QUIT_WAIT_S: Final = 1.0
"""Seconds that a server may take to hang up after QUIT."""
_OFFLINE: Final = "No server found; playing offline."


class ServerConnection(asyncio.Protocol):
    """Delivers what the server sent, and once why nothing more will come.

    It stops reading after every chunk until `resume` is called: a server that sends faster than
    the terminal can show is slowed down, not buffered.
    """

    def __init__(self, name: str, deliver: Deliver) -> None:
        self.closed = asyncio.Event()
        self._name = name
        self._deliver = deliver
        self._transport: asyncio.Transport | None = None
        self._is_abandoned = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        sock = transport.get_extra_info("socket")
        if sock.family not in {socket.AF_INET, socket.AF_INET6}:
            return
        # A server that has vanished is noticed.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE:
            if hasattr(socket, option):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)

    def data_received(self, data: bytes) -> None:
        if self._transport is not None and not self._is_abandoned:
            self._transport.pause_reading()
            self._deliver(Received(data))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_abandoned:
            reason = "closed the connection" if exc is None else f"is gone: {explain(exc)}"
            self._deliver(Lost(f"{self._name} {reason}."))
        self.closed.set()

    def send(self, data: bytes) -> None:
        """Send at once, unless the server is gone."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def resume(self) -> None:
        """Resume reading, because what was delivered has been painted."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def abort(self) -> None:
        """Drop the connection at once, and deliver nothing more."""
        self._is_abandoned = True
        if self._transport is not None:
            self._transport.abort()

    async def finish(self, timeout_s: float) -> None:
        """Let the server read everything and hang up first."""
        self._is_abandoned = True
        self.resume()
        try:
            async with asyncio.timeout(timeout_s):
                await self.closed.wait()
        except TimeoutError:
            self.abort()


async def connect(
    address: Address,
    name: str,
    deliver: Deliver,
    timeout_s: float = CONNECT_TIMEOUT_S,
    *,
    trust: ssl.SSLContext | None = None,
) -> ServerConnection:
    """Open a connection, with TLS if certificates are given to trust."""
    refusal = ConnectError(f"{address} cannot be reached.")
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(timeout_s):
            hosts = await resolve(address.host, address.port)
    except TimeoutError as error:
        raise _refusal(address, error) from error
    for host in hosts:
        try:
            # A share of the time for each: if IPv6 leads nowhere, IPv4 still gets its turn.
            async with asyncio.timeout(timeout_s / len(hosts)):
                _, connection = await loop.create_connection(
                    lambda: ServerConnection(name, deliver),
                    host,
                    address.port,
                    ssl=trust,
                    server_hostname=address.host if trust else None,
                )
                return connection
        except OSError as error:
            refusal = _refusal(address, error)
    raise refusal


async def adopt(sock: socket.socket, name: str, deliver: Deliver) -> ServerConnection:
    """Use a socket that is already connected."""
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: ServerConnection(name, deliver), sock=sock)
    return connection


class Link(NamedTuple):
    """A connection, and what the player should know about where it leads."""

    connection: ServerConnection
    notice: str = ""


Dial: TypeAlias = Callable[[Deliver], Awaitable[Link]]
"""Opens a connection whose events go to the function given, or raises ClientError."""


class Network:
    """A program's connections to one server, of which the last counts; an `Uplink` of its driver.

    Without `dial` there is no server.
    """

    def __init__(self, deliver: Deliver, dial: Dial | None) -> None:
        self._deliver = deliver
        self._dial = dial
        self._connection: ServerConnection | None = None

    async def connect(self) -> None:
        """Open a connection; its outcome is an event."""
        if self._dial is None:
            return
        try:
            self._connection, notice = await self._dial(self._deliver)
        except ClientError as error:
            self._deliver(Lost(str(error)))
        else:
            self._deliver(Connected(notice))

    def send(self, data: bytes) -> None:
        if self._connection is not None:
            self._connection.send(data)

    def resume(self) -> None:
        if self._connection is not None:
            self._connection.resume()

    def abort(self) -> None:
        if self._connection is not None:
            self._connection.abort()

    async def finish(self) -> None:
        """Let the server read everything and hang up first."""
        # Not just closed: a reset could overtake keys that the server has not read yet.
        if self._connection is not None:
            await self._connection.finish(_QUIT_WAIT_S)


class EmbeddedLink(NamedTuple):
    """A connected socket, and what the player should know about the server behind it."""

    socket: socket.socket
    remark: str = ""


Embedded: TypeAlias = Callable[[], Awaitable[EmbeddedLink]]
"""Starts a server in this process, if it is not running yet, and connects to it."""


class Dialler:
    """Opens connections to one address.

    Given an embedded server, it falls back to that if there has never been a server at the
    address: one command on a fresh machine, and you play.
    """

    def __init__(
        self,
        address: Address,
        embedded: Embedded | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._address = address
        self._embedded = embedded
        self._trust = trust
        self._is_embedded = False

    async def __call__(self, deliver: Deliver) -> Link:
        if self._is_embedded and self._embedded is not None:
            return await _connect_embedded(self._embedded, deliver)
        try:
            name = f"The server {self._address}"
            connection = await connect(self._address, name, deliver, trust=self._trust)
        except NoServerError:
            if self._embedded is None:
                raise
            self._is_embedded = True
            return await _connect_embedded(self._embedded, deliver)
        # The game is on the server that answered once: another one would not know it.
        self._embedded = None
        return Link(connection)


async def _connect_embedded(embedded: Embedded, deliver: Deliver) -> Link:
    sock, remark = await embedded()
    connection = await adopt(sock, "The server in this program", deliver)
    return Link(connection, f"{_OFFLINE} {remark}".strip())


def _refusal(address: Address, error: OSError) -> ConnectError:
    match error:
        case ConnectionRefusedError():
            return NoServerError(f"There is no server at {address}.")
        case TimeoutError():
            return ConnectError(f"{address} did not answer in time.")
        case ssl.SSLError() | ConnectionResetError() | ConnectionAbortedError() if address.has_tls:
            return ConnectError(explain_tls(address, error))
        case _:
            return ConnectError(f"{address} cannot be reached: {explain(error)}.")


def explain(error: Exception) -> str:
    """Name the operating system's reason without numbers and arguments."""
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number else str(error) or type(error).__name__


# By name, because not every system has all of them.
_KEEPALIVE: Final = (
    ("TCP_KEEPIDLE", _SILENCE_S // 2),
    ("TCP_KEEPINTVL", _SILENCE_S // 6),
    ("TCP_KEEPCNT", 3),
    ("TCP_USER_TIMEOUT", _SILENCE_S * 1000),
)
