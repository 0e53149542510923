"""A server's figures, as text that Prometheus reads: its exposition format, version 0.0.4.

A counter only grows, a gauge goes up and down, a histogram says how many observations were no
larger than each of a series of bounds.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Final

from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.hub import ORIGIN_FULL, SERVER_FULL, Hub
from jminesweeper.server.measures import Histogram, PacketKind

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
