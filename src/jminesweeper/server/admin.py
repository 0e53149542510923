"""What an operator's programs may ask a server: its health, and its figures.

    /healthz   200 while players are welcome, else 503 and the reason
    /haproxy   the same, but 404 while draining: HAProxy's `disable-on-404` then sends nobody here
               any more, and leaves those who play to the server's own farewell
    /metrics   figures for Prometheus

It has a port of its own, on the loopback interface unless the operator says otherwise: it knows no
password, and says how busy the server is, never who plays. Where several processes serve, any of
them answers there for the health of all; for figures each has one of the ports above.

No request holds up the players. A connection gets one answer and a few seconds to read it; when
there are too many the oldest is dropped, so silent ones keep no health check out; and figures are
computed once a second at most.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from typing import Final, cast

from jminesweeper.server.draining import HealthChecks
from jminesweeper.server.figures import CONTENT_TYPE, process_families, server_families
from jminesweeper.server.hub import Hub
from jminesweeper.server.listening import SocketAddress, format_address, listening_addresses
from jminesweeper.web.request import HttpError, read_request
from jminesweeper.web.site import Response

BACKLOG: Final = 32
MAX_CONNECTIONS: Final = 32
PATIENCE_S: Final = 5.0
"""How long a connection may take to ask and to read its answer."""
LASTING_NS: Final = 1_000_000_000
"""How long computed figures are used again."""

_PLAIN: Final = "text/plain; charset=utf-8"

logger = logging.getLogger("jminesweeper.server")


class AdminSite:
    """The answers."""

    def __init__(self, hub: Hub, health: HealthChecks, *, needs_store: bool) -> None:
        self._hub = hub
        self._health = health
        self._needs_store = needs_store
        self._figures = ""
        self._figures_ns = -LASTING_NS

    def respond(self, method: str, path: str) -> Response:
        if method not in {"GET", "HEAD"}:
            return _say(405, "405 Method Not Allowed\n", method, Allow="GET, HEAD")
        match path:
            case "/healthz" | "/haproxy":
                if not self._health.answer():
                    return _say(404 if path == "/haproxy" else 503, "draining\n", method)
                reason = self._illness()
                return _say(503 if reason else 200, reason or "ok\n", method)
            case "/metrics":
                return _say(200, self._recent_figures(), method, **{"Content-Type": CONTENT_TYPE})
            case _:
                return _say(404, "404 Not Found: try /healthz or /metrics\n", method)

    def _illness(self) -> str:
        """Why players should not be sent here."""
        fault = self._hub.backend.store_fault() if self._needs_store else None
        return f"the store {fault.value}\n" if fault else ""

    def _recent_figures(self) -> str:
        now_ns = self._hub.clock_ns()
        if now_ns - self._figures_ns >= LASTING_NS:
            self._figures_ns = now_ns
            families = server_families(self._hub, is_draining=self._health.is_draining)
            self._figures = "".join((*families, *process_families()))
        return self._figures


class Admin:
    """The port, and its connections."""

    def __init__(self, site: AdminSite) -> None:
        self.site = site
        self.addresses: list[SocketAddress] = []
        self._connections: dict[AdminConnection, None] = {}
        """The oldest first."""
        self._servers: list[asyncio.Server] = []
        self._shared: list[asyncio.Server] = []

    async def start(
        self, own: Sequence[socket.socket], shared: Sequence[socket.socket] = ()
    ) -> None:
        """Answer requests to this process, or to any of several."""
        self._shared = [await self._serve(listener) for listener in shared]
        for listener in own:
            self.addresses += listening_addresses(listener)
            self._servers.append(await self._serve(listener))
        for address in self.addresses:
            place = format_address(address)
            logger.info("health and metrics on %s", place, extra={"address": place})

    async def _serve(self, listener: socket.socket) -> asyncio.Server:
        return await asyncio.get_running_loop().create_server(
            lambda: AdminConnection(self), sock=listener, backlog=BACKLOG
        )

    def leave_to_others(self) -> None:
        """Let the other processes answer for all of them."""
        while self._shared:
            self._shared.pop().close()

    def close(self) -> None:
        self.leave_to_others()
        for server in self._servers:
            server.close()
        for connection in tuple(self._connections):
            connection.abort()

    def enter(self, connection: AdminConnection) -> None:
        self._connections[connection] = None
        if len(self._connections) > MAX_CONNECTIONS:
            oldest = next(iter(self._connections))
            self.leave(oldest)
            oldest.abort()

    def leave(self, connection: AdminConnection) -> None:
        self._connections.pop(connection, None)


class AdminConnection(asyncio.Protocol):
    """One request and its answer."""

    _transport: asyncio.Transport
    _timer: asyncio.TimerHandle

    def __init__(self, admin: Admin) -> None:
        self._admin = admin
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._timer = asyncio.get_running_loop().call_later(PATIENCE_S, self.abort)
        self._admin.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        self._admin.leave(self)

    def data_received(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._data += data
        try:
            found = read_request(self._data)
        except HttpError as error:
            self._answer(_say(error.status, "bad request\n"))
            return
        if found is not None:
            request, _ = found
            self._answer(self._admin.site.respond(request.method, request.path))

    def abort(self) -> None:
        self._transport.abort()

    def _answer(self, response: Response) -> None:
        self._transport.write(response.head + b"Connection: close\r\n\r\n" + response.body)
        self._transport.close()


def _say(status: int, text: str, method: str = "GET", **headers: str) -> Response:
    body = text.encode()
    fields = {
        "Content-Type": _PLAIN,
        "Cache-Control": "no-store",
        "Content-Length": str(len(body)),
        **headers,
    }
    return Response(status, fields, b"" if method == "HEAD" else body)
