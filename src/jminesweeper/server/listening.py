"""Listening sockets, accepting their connections, and what addresses mean, peers' and one's own.

Friends type a line for each address at which they may reach this server (`invitations`).
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from ipaddress import ip_address
from typing import Final

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.server.config import DEFAULT_PORT, ServerConfig

SocketAddress = tuple[str, int] | tuple[str, int, int, int]

BACKLOG: Final = 4096
"""The kernel cuts it to its own limit; a burst of players must not be refused for lack of it."""

PEEK_SIZE: Final = 4096
"""More than the longest header of a proxy."""
ACCEPTS_PER_STEP: Final = 64
REST_S: Final = 0.5
"""Pause in accepting after the system had no room for a connection: it keeps reporting the
waiting connection, and trying again at once would only burn the processor."""

_REASONS: Mapping[int | None, str] = {
    errno.EADDRINUSE: "the port is in use already; stop the program that has it, or choose another",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "no permission; ports below 1024 need a privilege",
}
_NO_IPV6: Final = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT})


_FIRST_OF_SYSTEMD: Final = 3

logger = logging.getLogger("jminesweeper.server")


def format_address(address: SocketAddress) -> str:
    """`host:port`, with brackets around an IPv6 host."""
    host = plain_host(address)
    return f"[{host}]:{address[1]}" if ":" in host else f"{host}:{address[1]}"


def origin_of(address: SocketAddress) -> str:
    """Return what the limit per address counts: one IPv6 customer owns a whole /64."""
    host = plain_host(address)
    if ":" not in host:
        return host
    network = socket.inet_pton(socket.AF_INET6, host)[:8] + bytes(8)
    return f"{socket.inet_ntop(socket.AF_INET6, network)}/64"


def plain_host(address: SocketAddress) -> str:
    """See through a dual-stack socket, which shows an IPv4 peer as ::ffff:a.b.c.d."""
    host = address[0].partition("%")[0]
    return host.removeprefix("::ffff:") if "." in host else host


class ListenError(JMinesweeperError):
    """The server cannot listen where it should."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        self.host = host
        self.port = port
        reason = _REASONS.get(error.errno, error.strerror)
        super().__init__(f"Cannot listen on {host or 'all interfaces'}, port {port}: {reason}.")


def open_listeners(host: str, port: int) -> list[socket.socket]:
    """Sockets on every address of the host, all with the same port; "" is all interfaces."""
    try:
        listeners = _open_named(host, port) if host else [_open_everywhere(port)]
    except UnicodeError as error:
        unknown = OSError(socket.EAI_NONAME, "no host can have that name")
        raise ListenError(host, port, unknown) from error
    except OSError as error:
        raise ListenError(host, port, error) from error
    for listener in listeners:
        # No reply waits for another to fill a segment; connections inherit it.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listeners


def take_inherited(environment: Mapping[str, str], pid: int) -> list[socket.socket]:
    """Use listening sockets from systemd, if there are any.

    They are from 3 on, as many as LISTEN_FDS says, if LISTEN_PID means us.
    """
    count = environment.get("LISTEN_FDS", "")
    if environment.get("LISTEN_PID") != str(pid) or not count.isdecimal():
        return []
    with ExitStack() as opened:
        listeners: list[socket.socket] = []
        for number in range(_FIRST_OF_SYSTEMD, _FIRST_OF_SYSTEMD + int(count)):
            try:
                listener = opened.enter_context(socket.socket(fileno=number))
                _check_listening(listener)
            except OSError as error:
                raise ListenError("the inherited socket", number, error) from error
            listener.set_inheritable(False)
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            listeners.append(listener)
        opened.pop_all()
    return listeners


def _check_listening(listener: socket.socket) -> None:
    if listener.family not in {socket.AF_INET, socket.AF_INET6}:
        raise OSError(errno.EAFNOSUPPORT, "it is not for TCP")
    if not listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        raise OSError(errno.EINVAL, "it does not listen")


def _open_everywhere(port: int) -> socket.socket:
    """One socket for IPv6 and IPv4, or for IPv4 where the machine has no IPv6."""
    try:
        return socket.create_server(
            ("", port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=True
        )
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_IPV6:
            raise
        return socket.create_server(("", port), backlog=BACKLOG)


def _open_named(host: str, port: int) -> list[socket.socket]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    with ExitStack() as opened:
        listeners: list[socket.socket] = []
        for family, _, _, _, address in dict.fromkeys(found):
            place = (address[0], port)
            listener = socket.create_server(place, family=family, backlog=BACKLOG)
            listeners.append(opened.enter_context(listener))
            port = listener.getsockname()[1]
        opened.pop_all()
    return listeners


def listening_addresses(listener: socket.socket) -> list[SocketAddress]:
    """Return the addresses of a socket; a dual-stack socket has two."""
    address: SocketAddress = listener.getsockname()
    is_dual = listener.family == socket.AF_INET6 and not listener.getsockopt(
        socket.IPPROTO_IPV6, socket.IPV6_V6ONLY
    )
    return [("0.0.0.0", address[1]), address] if is_dual else [address]


async def peek(connection: socket.socket, least: int) -> bytes:
    """Wait for the first bytes, at least so many, and leave them there; fewer if no more come."""
    loop = asyncio.get_running_loop()
    has_come = asyncio.Event()
    # Or the loop would be told of the bytes that are too few, over and over.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, least)
    loop.add_reader(connection, has_come.set)
    try:
        await has_come.wait()
    finally:
        loop.remove_reader(connection)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
    return connection.recv(PEEK_SIZE, socket.MSG_PEEK)


class Acceptor:
    """Accepts connections on one listening socket.

    A server of asyncio or uvloop would save a tenth of a short visit. But when file descriptors run
    out, asyncio logs a line for each place in the queue, and uvloop drops the connections that wait
    and does not know the addresses of those that have already hung up.
    """

    def __init__(
        self,
        listener: socket.socket,
        welcome: Callable[[socket.socket, SocketAddress], None],
        *,
        is_shared: bool = False,
    ) -> None:
        self._listener = listener
        # A process that shares the socket leaves the next connection to a less busy one.
        self._most_at_once = 1 if is_shared else ACCEPTS_PER_STEP
        self._welcome = welcome
        self._loop = asyncio.get_running_loop()
        self._rest: asyncio.TimerHandle | None = None
        listener.setblocking(False)
        self._resume()

    def close(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
        self._loop.remove_reader(self._listener)
        self._listener.close()

    def _resume(self) -> None:
        self._rest = None
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        for _ in range(self._most_at_once):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                self._take_a_rest(error)
                return
            self._welcome(connection, address)

    def _take_a_rest(self, error: OSError) -> None:
        logger.warning("no connection can be taken just now: %s", error.strerror)
        self._loop.remove_reader(self._listener)
        self._rest = self._loop.call_later(REST_S, self._resume)


# Addresses for friends

_ADDRESS_OF_INTERFACE: Final = 0x8915 if sys.platform == "linux" else 0xC0206921
"""The number of the system call SIOCGIFADDR, which knows IPv4 alone."""


def own_hosts() -> Iterator[str]:
    """Find the machine's addresses that others may know: one for each network interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # It has no address.
                request = struct.pack("256s", name.encode())
                answer = fcntl.ioctl(asking, _ADDRESS_OF_INTERFACE, request)
                host = socket.inet_ntoa(answer[20:24])
                if not ip_address(host).is_loopback:
                    yield host


def invitations(
    addresses: Sequence[SocketAddress],
    hosts: Sequence[str],
    config: ServerConfig,
    *,
    has_page: bool,
    has_ssh: bool = False,
) -> Iterator[str]:
    """Say what to type, where a server on all interfaces has these hosts."""
    if config.public_url and has_page:
        yield f"to play in a browser: {config.public_url}"
    if config.proxies:  # Nobody reaches it at these addresses.
        return
    places: dict[tuple[str, int], None] = {}
    for address in addresses:
        host, port = plain_host(address), address[1]
        known = hosts if ip_address(host).is_unspecified else [host]
        places |= dict.fromkeys((each, port) for each in known)
    for host, port in places:
        named = f"[{host}]" if ":" in host else host
        client = f"{'tls://' if config.tls_files else ''}{named}"
        client += "" if port == DEFAULT_PORT else f":{port}"
        page = f", or in a browser: http{'s' if config.tls_files else ''}://{named}:{port}/"
        if has_ssh:
            yield f"to play with nothing installed: ssh {host} -p {port}"
        yield f"to play: ./run_client.sh {client}{page if has_page else ''}"
