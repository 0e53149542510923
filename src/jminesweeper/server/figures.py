"""A server's figures for Prometheus."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.exposition import Family, Kind, by_label, counter, gauge, histogram
from jminesweeper.server.hub import ORIGIN_FULL, SERVER_FULL, Hub
from jminesweeper.server.measures import PacketKind

NS: Final = 1e-9
PACKET_BITS: Final = range(10, 31)
"""Bounds from a microsecond to a second."""
STORE_BITS: Final = range(16, 33)
BATCH_BITS: Final = range(1, 12)

_REFUSALS: Final = {SERVER_FULL: "server_full", ORIGIN_FULL: "address_full"}
_PROCESS: Final = Path("/proc/self")


def server_families(hub: Hub, *, is_draining: bool) -> Sequence[Family]:
    """Report the connections, what has happened, and what waits."""
    totals, measures, load = hub.totals, hub.measures, hub.backend.workers.load
    reasons = dict.fromkeys((*_REFUSALS.values(), "stopping"), 0)
    for told, count in totals.refused.items():
        reasons[_REFUSALS.get(told, "stopping")] += count
    packets = {_name(kind): count for kind, count in measures.packets.items()}
    games = totals.games + sum(connection.games for connection in hub.connections)
    version = hub.config.admin.version if hub.config.admin else ""
    away = hub.backend.store_fault() is not None
    return [
        by_label("jminesweeper_info", Kind.GAUGE, "What runs.", "version", {version: 1}),
        gauge("jminesweeper_draining", "1 while players are sent elsewhere.", int(is_draining)),
        gauge("jminesweeper_connections", "Connections now.", len(hub.connections)),
        gauge("jminesweeper_players", "Known players at a game now.", hub.players),
        counter(
            "jminesweeper_connections_total", "Connections that were let in.", totals.connections
        ),
        by_label(
            "jminesweeper_refused_total",
            Kind.COUNTER,
            "Connections that were not let in.",
            "reason",
            reasons,
        ),
        counter(
            "jminesweeper_protocol_errors_total",
            "Connections that sent an invalid packet.",
            measures.rejected,
        ),
        counter("jminesweeper_games_ended_total", "Games that ended.", games),
        by_label("jminesweeper_packets_total", Kind.COUNTER, "Packets received.", "type", packets),
        histogram(
            "jminesweeper_packet_seconds",
            "Time to answer a packet.",
            measures.packet_ns,
            NS,
            PACKET_BITS,
        ),
        gauge("jminesweeper_turn_queue", "Connections that wait for a turn.", hub.turns.waiting),
        histogram(
            "jminesweeper_store_batch_operations",
            "Operations handed to the store together.",
            measures.batch_jobs,
            1,
            BATCH_BITS,
        ),
        histogram(
            "jminesweeper_store_seconds",
            "Time from handing a batch to the store to its last answer.",
            measures.store_ns,
            NS,
            STORE_BITS,
        ),
        gauge("jminesweeper_store_away", "1 while the store cannot be used.", int(away)),
        gauge("jminesweeper_workers", "Processes for hints and boards.", load.processes),
        gauge("jminesweeper_workers_busy", "Those at work.", load.busy),
        gauge("jminesweeper_workers_queue", "Requests that wait for one.", load.waiting),
    ]


def _name(kind: PacketKind) -> str:
    if isinstance(kind, Command):
        return kind.name.lower()
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in kind.__name__)[1:]


def process_families() -> Sequence[Family]:
    """Report what the process uses of its machine, by the usual names."""
    used = counter("process_cpu_seconds_total", "Processor time used.", time.process_time())
    if not _PROCESS.exists():
        return [used]
    pages = int((_PROCESS / "statm").read_text(encoding="ascii").split()[1])
    memory = pages * os.sysconf("SC_PAGE_SIZE")
    files = sum(1 for _ in (_PROCESS / "fd").iterdir())
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return [
        used,
        gauge("process_resident_memory_bytes", "Memory in use.", memory),
        gauge("process_open_fds", "Open files.", files),
        gauge("process_max_fds", "How many files may be open.", limit),
    ]
