"""What a server measures while it plays.

All of it is measured always: a count costs less than the question whether it is
wanted. Nothing here says who plays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, get_args

from jminesweeper.protocol import Command, FramedPacket, Packet
from jminesweeper.server.config import JobStore
from jminesweeper.server.exposition import Histogram
from jminesweeper.store import Job

PacketKind: TypeAlias = Command | type[Packet]
"""A packet that is only its type, or the class of those that carry more."""

KINDS: Final[Sequence[PacketKind]] = (*Command, *get_args(FramedPacket))


def kind_of(packet: Packet) -> PacketKind:
    return packet if isinstance(packet, Command) else type(packet)


class Measures:
    """Counts and times of one server."""

    __slots__ = ("batch_jobs", "packet_ns", "packets", "rejected", "store_ns")

    def __init__(self) -> None:
        self.packets: dict[PacketKind, int] = dict.fromkeys(KINDS, 0)
        self.packet_ns = Histogram()
        """How long each packet took to answer."""
        self.rejected = 0
        """Connections that sent an invalid packet."""
        self.batch_jobs = Histogram()
        self.store_ns = Histogram()
        """How long the store took for a batch, to its last answer."""


class MeasuredStore:
    """Passes batches on to the store, and measures their sizes and times."""

    def __init__(self, store: JobStore, measures: Measures, clock_ns: Callable[[], int]) -> None:
        self._store = store
        self._measures = measures
        self._clock_ns = clock_ns

    def submit(self, jobs: Sequence[Job[Any]], /) -> None:
        *others, last = jobs
        begun_ns = self._clock_ns()

        def end(answer: Any) -> None:
            self._measures.store_ns.observe(self._clock_ns() - begun_ns)
            last.done(answer)

        self._measures.batch_jobs.observe(len(jobs))
        self._store.submit([*others, Job(last.operation, end)])
