"""Counts and times of a server while it plays.

All of it is measured always: a count costs less than the question whether it is
wanted. Nothing here says who plays.

Observations are whole numbers, counted by their length in bits: one costs two additions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from jminesweeper.protocol.packets import FROM_CLIENT, FROM_SERVER, Packet, UnknownPacket
from jminesweeper.protocol.vocabulary import Command

PacketKind: TypeAlias = Command | type[Packet]
"""A packet that is only its type, or the class of packets that carry more."""

_LONGEST: Final = 64

KINDS: Final[Sequence[PacketKind]] = (*Command, *FROM_CLIENT, *FROM_SERVER, UnknownPacket)


class Histogram:
    """Observed numbers, counted by their length in bits, and their sum."""

    def __init__(self) -> None:
        self.counts = [0] * _LONGEST
        self.total = 0

    def observe(self, number: int) -> None:
        """Count a number from 0 up, of less than 64 bits."""
        self.counts[number.bit_length()] += 1
        self.total += number


class Measures:
    """Counts and times of one server."""

    def __init__(self) -> None:
        self.packets: dict[PacketKind, int] = dict.fromkeys(KINDS, 0)
        self.packet_ns = Histogram()
        """Time to answer each packet."""
        self.rejected = 0
        """Connections that sent an invalid packet."""
        self.batch_jobs = Histogram()
        self.store_ns = Histogram()
        """Time of the store for a batch, to its last answer."""
