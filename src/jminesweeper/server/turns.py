"""Whose packets are answered next when several players have sent more than one turn can answer.

A turn costs from microseconds to some ten milliseconds, as a peer likes, and any number of peers
may ask for the dear ones. So turns are given out one after the other, and in each round of the
event loop only for a few milliseconds: who sends a key now and then waits for one round, not for
all who flood.

Who has taken the least time lately comes first. A turn may also have taken long because the machine
was busy with something else; then the next one comes soon all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final

ROUND_NS: Final = 4_000_000
"""After this long the loop looks for other players' keys before the next turn."""

Turn = Callable[[], None]


class Turns:
    """A queue of turns; every connection has one place in it at most."""

    __slots__ = ("_clock_ns", "_is_called", "_numbers", "_waiting")

    def __init__(self, clock_ns: Callable[[], int]) -> None:
        self._clock_ns = clock_ns
        self._waiting: list[tuple[int, int, Turn]] = []
        self._numbers = count()
        self._is_called = False

    def ask(self, turn: Turn, spent_ns: int = 0) -> None:
        """Queue up, behind those who have taken less time; the turn comes in a later step."""
        heappush(self._waiting, (spent_ns, next(self._numbers), turn))
        self._call()

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._give)

    def _give(self) -> None:
        self._is_called = False
        end_ns = self._clock_ns() + ROUND_NS
        for _ in range(len(self._waiting)):
            _, _, turn = heappop(self._waiting)
            turn()
            if self._clock_ns() >= end_ns:
                break
        if self._waiting:
            self._call()
