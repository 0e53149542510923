"""Who gets the next turn.

Answering a packet takes from microseconds to some ten milliseconds, as the peer likes, and any
number of peers may ask for the costly ones as fast as they can. Players who press a key now and
then must not notice. So turns are given by *virtual time*, as an operating system shares a
processor:

- Each connection has an account: the virtual time up to which it has used its turns. A turn begins
  at the account, or at the present virtual time if that is later, and moves the account on by the
  processor time that it took. An idle one therefore begins in the present, and saves nothing up.
- Of all that wait, the one whose turn begins first is next, and the present virtual time is that
  beginning. So a flood of cheap packets and a flood of costly ones get the same time, and cost
  others the same.
- A connection at most `CREDIT_NS` ahead of the present does not wait at all, but is answered when
  its bytes arrive. That is every player who does not flood, and most packets of one who does.
- A connection that rested for `REST_NS` after its last turn waits in a second queue, and so does a
  new one: where many flood, virtual time is slow, and a player whose terminal makes each key costly
  would otherwise wait until each of the flood had as much. The two queues get the same time. In
  this one keys come before packets that begin a game or name a terminal, which are the costly ones;
  but where keys never cease these get a share of the time, or a full house would let nobody in. Of
  each kind the one comes first that has waited longest, less what its last turn cost; new
  connections count as costly.

Turns are given in a step of the event loop of their own, and for at most `ROUND_NS` in each step:
then the loop looks for the keys of those who need not wait. Nor may those take much more than that
in one step, or a thousand new connections would hold up all others by a costly packet each. When
they have, all that come in the same step queue as well.

What is charged is processor time, for a turn may also have taken long because the machine was busy
with something else. Reading that clock is a system call, so a turn that took less than `QUICK_NS`
by the wall's clock is charged by that, and for a longer one it is enough to know what the processor
has done since it was looked at last, at most `SAMPLE_NS` before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Final, Protocol

CREDIT_NS: Final = 2_000_000
REST_NS: Final = 80_000_000
ROUND_NS: Final = 2_000_000
LARGE_NS: Final = 10_000_000
"""Turns that cost more than this are charged as much, so that nobody waits forever."""
NEWCOMER_NS: Final = 20_000_000
"""The assumed cost of a connection's first turn."""
PATIENCE_NS: Final = 10_000_000
"""For how long keys have turns before a costly packet that waits gets one."""
KEYS_SHARE: Final = 4
"""Then keys have this many times as long as costly packets."""
QUICK_NS: Final = 500_000
SAMPLE_NS: Final = 1_000_000

Clock = Callable[[], int]


class TurnTaker(Protocol):
    """A connection, as `Turns` sees it."""

    account_ns: int
    """The virtual time up to which it has used its turns."""
    cost_ns: int
    """What its last turn cost; 0 if it is new."""
    served_ns: int
    """When it had the last turn that it had to wait for, by the wall clock."""

    @property
    def waits_for_key(self) -> bool:
        """Whether its next packet is a key."""

    def take_turn(self) -> bool:
        """Answer some of what waits; return whether another turn is needed for the rest."""


class Turns:
    """The two queues for turns; each connection is in one of them at most."""

    __slots__ = (
        "_balance_ns",
        "_before_round",
        "_clock_ns",
        "_costly",
        "_cpu_clock_ns",
        "_is_called",
        "_keys",
        "_numbers",
        "_pressing",
        "_put_off_ns",
        "_sampled_cpu_ns",
        "direct_limit_ns",
        "direct_ns",
        "sample_due_ns",
        "virtual_ns",
    )

    def __init__(
        self, clock_ns: Clock, cpu_clock_ns: Clock, before_round: Callable[[], None]
    ) -> None:
        self._clock_ns = clock_ns
        self._cpu_clock_ns = cpu_clock_ns
        self._before_round = before_round
        """Does what must not wait until a round is over."""
        self.virtual_ns = 0
        """The present virtual time."""
        self.direct_limit_ns = CREDIT_NS
        """Connections whose account is no higher need not wait."""
        self.direct_ns = 0
        """The time taken by turns that did not wait."""
        self._pressing: list[tuple[int, int, TurnTaker]] = []
        """Ordered by the beginning of the turn, then by arrival."""
        self._keys: list[tuple[int, int, TurnTaker]] = []
        """The keys of those who rested, ordered by arrival and the likely cost of the turn."""
        self._costly: list[tuple[int, int, TurnTaker]] = []
        """Their other packets, ordered in the same way."""
        self._put_off_ns = 0
        """How long keys have had turns while costly packets waited, beyond their share."""
        self._balance_ns = 0
        """How much more time the second queue has had than the first, while both waited."""
        self._numbers = count()
        self._is_called = False
        self._sampled_cpu_ns = 0
        self.sample_due_ns = 0
        """When `sample` is to be called before a turn is taken that did not wait."""

    def queue(self, taker: TurnTaker) -> None:
        """Call `take_turn` in a later step of the loop, when it is this one's turn."""
        now_ns = self._clock_ns()
        if now_ns - taker.served_ns >= REST_NS:
            expected_ns = min(taker.cost_ns, LARGE_NS) or NEWCOMER_NS
            resting = self._keys if taker.waits_for_key else self._costly
            heappush(resting, (now_ns + expected_ns, next(self._numbers), taker))
        else:
            self._press(taker)
        self._call()

    @property
    def waiting(self) -> int:
        """How many connections wait for a turn."""
        return len(self._keys) + len(self._costly) + len(self._pressing)

    def charge_direct(self, taker: TurnTaker, took_ns: int) -> None:
        """Charge a turn that did not have to wait."""
        # Every key press comes here: no call that can be spared, not even of `max`.
        if took_ns >= QUICK_NS:
            took_ns = self.work_ns(took_ns)
        taker.cost_ns = took_ns
        if taker.account_ns < self.virtual_ns:
            taker.account_ns = self.virtual_ns + took_ns
        else:
            taker.account_ns += took_ns
        self.direct_ns += took_ns
        if self.direct_ns > ROUND_NS:
            self.end_direct()

    def end_direct(self) -> None:
        """Make everyone wait who still comes in this step of the loop.

        Only a round resets the count. While no round is due, the time may have been used in many
        steps, and a crowd whose keys come evenly must not be queued for that. So the first call
        only asks for a round, and counts the rest of this step on its own.
        """
        self.direct_ns = 0
        if self._is_called:
            self.direct_limit_ns = -1
        else:
            self._call()

    def sample(self, now_ns: int) -> None:
        """Look at the processor's clock before a turn that may turn out to be long."""
        self._sampled_cpu_ns = self._cpu_clock_ns()
        self.sample_due_ns = now_ns + SAMPLE_NS

    def work_ns(self, took_ns: int) -> int:
        """Return the processor time of a turn, given its time by the wall clock."""
        if took_ns < QUICK_NS:
            return took_ns
        before_ns = self._sampled_cpu_ns
        self.sample(self._clock_ns())
        return min(took_ns, self._sampled_cpu_ns - before_ns)

    def _press(self, taker: TurnTaker) -> None:
        begin_ns = max(taker.account_ns, self.virtual_ns)
        heappush(self._pressing, (begin_ns, next(self._numbers), taker))

    def _call(self) -> None:
        if not self._is_called:
            self._is_called = True
            asyncio.get_running_loop().call_soon(self._give_round)

    def _give_round(self) -> None:
        self._is_called = False
        self._before_round()
        end_ns = self._clock_ns() + ROUND_NS
        for _ in range(self.waiting):
            self._give_turn()
            if self._clock_ns() >= end_ns:
                break
        self.direct_ns = 0
        self.direct_limit_ns = self.virtual_ns + CREDIT_NS
        if self.waiting:
            self._call()

    def _give_turn(self) -> None:
        """Let the next one take its turn, and charge it."""
        has_rested = bool(self._keys or self._costly)
        if not (has_rested and self._pressing):
            self._balance_ns = 0
        if has_rested and (self._balance_ns <= 0 or not self._pressing):
            self._balance_ns += self._give_rested()
        else:
            self.virtual_ns, _, taker = heappop(self._pressing)
            self._balance_ns -= self._charge(taker, self.virtual_ns)

    def _give_rested(self) -> int:
        """Let the next of those who rested take its turn; return what it cost."""
        if not (self._keys and self._costly):
            self._put_off_ns = 0
        if self._keys and self._put_off_ns < PATIENCE_NS:
            took_ns = self._charge(heappop(self._keys)[-1], self.virtual_ns)
            self._put_off_ns += took_ns
        else:
            took_ns = self._charge(heappop(self._costly)[-1], self.virtual_ns)
            self._put_off_ns -= KEYS_SHARE * took_ns
        return took_ns

    def _charge(self, taker: TurnTaker, begin_ns: int) -> int:
        before_ns = self._clock_ns()
        if before_ns >= self.sample_due_ns:
            self.sample(before_ns)
        wants_more = taker.take_turn()
        taker.served_ns = self._clock_ns()
        taker.cost_ns = self.work_ns(taker.served_ns - before_ns)
        taker.account_ns = begin_ns + taker.cost_ns
        if wants_more:
            self._press(taker)
        return taker.cost_ns
