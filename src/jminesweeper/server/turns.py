"""Who gets the next turn: deficit round robin, with a short cut for those who ask for little.

Answering a packet takes from microseconds to some ten milliseconds, as the peer likes, and any
number of peers may ask for the costly ones as fast as they can. Players who press a key now and
then must not notice:

- Each connection has a debt: the time that it was answered for. While that is less than `SHARE_NS`,
  it is answered as soon as its bytes arrive. That is every player who does not flood. A connection
  that has had nothing for `REST_NS` owes nothing.
- Others queue, unless nobody does. Each time that a connection comes to the head of the queue, its
  debt falls by `SHARE_NS`; if that pays it off, the connection has its turn, else it queues again.
  So a flood of cheap packets and a flood of costly ones get the same time. New connections queue as
  well: to connect again is no way to the front.
- Turns are given in a step of the event loop of their own, for at most `ROUND_NS`: then the loop
  looks for the keys of those who need not wait. When these have had as much, all others who come
  in the same step queue; those who rested do so after `RESTED_NS`, so that a player is in front of
  hundreds that flood, and yet a thousand who rested cannot hold up everybody.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jminesweeper.server.connection import Connection

SHARE_NS: Final = 2_000_000
ROUND_NS: Final = 2_000_000
REST_NS: Final = 80_000_000
RESTED_NS: Final = 20_000_000

Clock = Callable[[], int]


class Turns:
    """The queue for turns; each connection is in it once at most."""

    def __init__(self, clock_ns: Clock, before_round: Callable[[], None]) -> None:
        self._clock_ns = clock_ns
        self._before_round = before_round
        """Does what must not wait until a round is over."""
        self._queue: deque[Connection] = deque()
        self._direct_ns = 0
        """The time taken since the last round by turns that did not wait."""
        self._is_called = False

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def may_go(self, connection: Connection, now_ns: int) -> bool:
        limit_ns = ROUND_NS
        if now_ns - connection.served_ns >= REST_NS:
            connection.debt_ns, limit_ns = 0, RESTED_NS
        connection.served_ns = now_ns
        if self._direct_ns >= limit_ns:
            return False
        return connection.debt_ns < SHARE_NS or not self._queue

    def charge(self, connection: Connection, took_ns: int) -> None:
        connection.debt_ns += took_ns
        self._direct_ns += took_ns
        if self._direct_ns >= ROUND_NS:
            self._call()

    def queue(self, connection: Connection) -> None:
        """Call `take_turn` in a later step of the loop, when it is this one's turn."""
        self._queue.append(connection)
        self._call()

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._give_round)

    def _give_round(self) -> None:
        self._is_called = False
        self._direct_ns = 0
        self._before_round()
        now_ns = self._clock_ns()
        end_ns = now_ns + ROUND_NS
        while self._queue and now_ns < end_ns:
            connection = self._queue.popleft()
            connection.debt_ns = max(0, connection.debt_ns - SHARE_NS)
            if connection.debt_ns >= SHARE_NS:
                self._queue.append(connection)
                continue
            wants_more = connection.take_turn()
            connection.served_ns = self._clock_ns()
            connection.debt_ns += connection.served_ns - now_ns
            now_ns = connection.served_ns
            if wants_more:
                self._queue.append(connection)
        if self._queue:
            self._call()
