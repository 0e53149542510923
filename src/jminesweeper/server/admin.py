"""Health and figures of a server, for an operator's programs.

    /healthz   200 while players are welcome, else 503 and the reason
    /haproxy   the same, but 404 while draining: HAProxy's `disable-on-404` then sends nobody here
               any more, and leaves players to the server's own farewell
    /metrics   figures for Prometheus

It has a port of its own, on the loopback interface unless the operator says otherwise: it knows no
password, and says how busy the server is, never who plays.

No request holds up the players. A connection gets one answer and a few seconds to read it; when
there are too many the oldest is dropped, so silent ones keep no health check out; and figures are
computed once a second at most.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from typing import Final

from jminesweeper.server.draining import HealthChecks
from jminesweeper.server.figures import CONTENT_TYPE, process_families, server_families
from jminesweeper.server.hub import Hub
from jminesweeper.server.listening import SocketAddress, format_address, listening_addresses
from jminesweeper.web.exchange import LONGEST_HEAD, HttpError, read_request
from jminesweeper.web.site import Response

BACKLOG: Final = 32
MAX_CONNECTIONS: Final = 32
PATIENCE_S: Final = 5.0
"""Time that a connection may take to ask and to read its answer."""
LASTING_NS: Final = 1_000_000_000
"""Time for which computed figures are used again."""

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
                fault = self._hub.backend.store_fault() if self._needs_store else None
                if fault is not None:
                    return _say(503, f"the store {fault.value}\n", method)
                return _say(200, "ok\n", method)
            case "/metrics":
                now_ns = self._hub.clock_ns()
                if now_ns - self._figures_ns >= LASTING_NS:
                    self._figures_ns = now_ns
                    families = server_families(self._hub, is_draining=self._health.is_draining)
                    self._figures = "".join((*families, *process_families()))
                return _say(200, self._figures, method, **{"Content-Type": CONTENT_TYPE})
            case _:
                return _say(404, "404 Not Found: try /healthz or /metrics\n", method)


class Admin:
    """The port, and its clients."""

    def __init__(self, site: AdminSite) -> None:
        self.site = site
        self.addresses: list[SocketAddress] = []
        self._asking: dict[asyncio.StreamWriter, None] = {}
        """The oldest first."""
        self._servers: list[asyncio.Server] = []

    async def start(self, listeners: Sequence[socket.socket]) -> None:
        """Answer requests from now on."""
        for listener in listeners:
            self.addresses += listening_addresses(listener)
            self._servers.append(
                await asyncio.start_server(
                    self._answer, sock=listener, backlog=BACKLOG, limit=2 * LONGEST_HEAD
                )
            )
        for address in self.addresses:
            place = format_address(address)
            logger.info("health and metrics on %s", place, extra={"address": place})

    def close(self) -> None:
        for server in self._servers:
            server.close()
        while self._asking:
            self._drop_oldest()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request, or hang up on who takes too long."""
        self._asking[writer] = None
        if len(self._asking) > MAX_CONNECTIONS:
            self._drop_oldest()
        try:
            async with asyncio.timeout(PATIENCE_S):
                response = await self._respond(reader)
                writer.write(response.head + b"Connection: close\r\n\r\n" + response.body)
                await writer.drain()
                writer.close()
                await writer.wait_closed()
        except (OSError, TimeoutError):
            logger.debug("nobody waited for an answer")
        finally:
            writer.transport.abort()
            self._asking.pop(writer, None)

    async def _respond(self, reader: asyncio.StreamReader) -> Response:
        data, found = b"", None
        try:
            while found is None:
                if not (more := await reader.read(LONGEST_HEAD)):
                    raise ConnectionResetError
                data += more
                found = read_request(data)
        except HttpError as error:
            return _say(error.status, "bad request\n")
        return self.site.respond(found[0].method, found[0].path)

    def _drop_oldest(self) -> None:
        oldest = next(iter(self._asking))
        del self._asking[oldest]
        oldest.transport.abort()


def _say(status: int, text: str, method: str = "GET", **headers: str) -> Response:
    body = text.encode()
    fields = {
        "Content-Type": _PLAIN,
        "Cache-Control": "no-store",
        "Content-Length": str(len(body)),
        **headers,
    }
    return Response(status, fields, b"" if method == "HEAD" else body)
