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

Figures are text in Prometheus's exposition format, version 0.0.4: a counter only grows, a gauge
goes up and down, a histogram says how many observations were no larger than each of a series of
bounds.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.game_server import HealthChecks
from jminesweeper.server.hub import ORIGIN_FULL, SERVER_FULL, Hub
from jminesweeper.server.listening import SocketAddress, format_address, listening_addresses
from jminesweeper.server.measures import Histogram, PacketKind
from jminesweeper.web.site import LONGEST_HEAD, HttpError, Response, read_request

BACKLOG: Final = 32
MAX_CONNECTIONS: Final = 32
PATIENCE_S: Final = 5.0
"""Time that a connection may take to ask and to read its answer."""
LASTING_NS: Final = 1_000_000_000
"""Time for which computed figures are used again."""

_PLAIN: Final = "text/plain; charset=utf-8"

logger = logging.getLogger("jminesweeper.server")


class AdminSite:
    """The pages for operators and balancers: health, and figures."""

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


# Figures

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NS: Final = 1e-9
PACKET_BITS: Final = range(10, 31)
"""Bounds from a microsecond to a second."""
STORE_BITS: Final = range(16, 33)
BATCH_BITS: Final = range(1, 12)

_REFUSALS: Final = {SERVER_FULL: "server_full", ORIGIN_FULL: "address_full"}
_PROCESS: Final = Path("/proc/self")


def _family(name: str, kind: str, meaning: str, samples: Mapping[str, float]) -> str:
    """Write a figure; its samples differ by what follows the name."""
    lines = [f"{name}{label} {value!r}\n" for label, value in samples.items()]
    return f"# HELP {name} {meaning}\n# TYPE {name} {kind}\n{''.join(lines)}"


def gauge(name: str, meaning: str, value: float) -> str:
    return _family(name, "gauge", meaning, {"": value})


def counter(name: str, meaning: str, value: float) -> str:
    return _family(name, "counter", meaning, {"": value})


def counters(name: str, meaning: str, label: str, values: Mapping[str, int]) -> str:
    samples = {f'{{{label}="{each}"}}': value for each, value in values.items()}
    return _family(name, "counter", meaning, samples)


def histogram(name: str, meaning: str, observed: Histogram, unit: float, bits: range) -> str:
    """Count up to bounds of these numbers of bits; `unit` is the value of 1."""
    sums = list(accumulate(observed.counts))
    bounds = {f"{((1 << each) - 1) * unit:.4g}": sums[each] for each in bits}
    buckets = {f'_bucket{{le="{bound}"}}': count for bound, count in bounds.items()}
    whole = {'_bucket{le="+Inf"}': sums[-1], "_sum": observed.total * unit, "_count": sums[-1]}
    return _family(name, "histogram", meaning, {**buckets, **whole})


def server_families(hub: Hub, *, is_draining: bool) -> Iterator[str]:
    """Report connections, totals and queues."""
    totals, measures, load = hub.totals, hub.measures, hub.backend.workers.load
    reasons = dict.fromkeys((*_REFUSALS.values(), "stopping"), 0)
    for told, count in totals.refused.items():
        reasons[_REFUSALS.get(told, "stopping")] += count
    packets = {_name(kind): count for kind, count in measures.packets.items()}
    games = totals.games + sum(connection.conversation.games for connection in hub.connections)
    version = hub.config.admin.version if hub.config.admin else ""
    away = hub.backend.store_fault() is not None
    own = "jminesweeper_"
    yield _family(f"{own}info", "gauge", "What runs.", {f'{{version="{version}"}}': 1})
    for name, meaning, value in (
        ("draining", "1 while players are sent elsewhere.", int(is_draining)),
        ("connections", "Connections now.", len(hub.connections)),
        ("players", "Known players at a game now.", hub.players),
        ("turn_queue", "Connections that wait for a turn.", hub.turns.waiting),
        ("store_away", "1 while the store cannot be used.", int(away)),
        ("workers", "Processes for hints and boards.", load.processes),
        ("workers_busy", "Those at work.", load.busy),
        ("workers_queue", "Requests that wait for one.", load.waiting),
    ):
        yield gauge(own + name, meaning, value)
    for name, meaning, value in (
        ("connections_total", "Connections that were let in.", totals.connections),
        ("protocol_errors_total", "Connections that sent an invalid packet.", measures.rejected),
        ("games_ended_total", "Games that ended.", games),
    ):
        yield counter(own + name, meaning, value)
    let_out = "Connections that were not let in."
    yield counters(f"{own}refused_total", let_out, "reason", reasons)
    yield counters(f"{own}packets_total", "Packets received.", "type", packets)
    batches, store = "Operations handed to the store together.", "Time the store took for a batch."
    for name, meaning, observed, unit, bits in (
        ("packet_seconds", "Time to answer a packet.", measures.packet_ns, NS, PACKET_BITS),
        ("store_batch_operations", batches, measures.batch_jobs, 1, BATCH_BITS),
        ("store_seconds", store, measures.store_ns, NS, STORE_BITS),
    ):
        yield histogram(own + name, meaning, observed, unit, bits)


def _name(kind: PacketKind) -> str:
    if isinstance(kind, Command):
        return kind.name.lower()
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in kind.__name__)[1:]


def process_families() -> Iterator[str]:
    """Report what the process uses of its machine, by the usual names."""
    yield counter("process_cpu_seconds_total", "Processor time used.", time.process_time())
    if not _PROCESS.exists():
        return
    pages = int((_PROCESS / "statm").read_text(encoding="ascii").split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE")
    files = sum(1 for _ in (_PROCESS / "fd").iterdir())
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield gauge("process_resident_memory_bytes", "Memory in use.", memory)
    yield gauge("process_open_fds", "Open files.", files)
    yield gauge("process_max_fds", "How many files may be open.", limit)
