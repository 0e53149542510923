"""What the connections of one server share: limits, turns, the store, and who plays whose game."""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, assert_never

from jminesweeper.bus import Unsubscribe, game_topic
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.measures import MeasuredStore, Measures
from jminesweeper.server.phases import TAKEN_OVER
from jminesweeper.server.turns import Clock, Turns, TurnTaker
from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    LayBoard,
    Question,
    Rebuild,
    Review,
    SolverQuestion,
)
from jminesweeper.store import Job, Operation

SERVER_FULL: Final = "This server is full. Please try again later."
ORIGIN_FULL: Final = "There are too many connections from your address."

MAX_REFUSED: Final = 64
"""How many refused peers get a reason at the same time; more are just closed."""

READ_SIZE: Final = 512
"""Bytes taken off a connection at a time: more than the packets of any key, and so few that
decoding a flood of one-byte packets does not hold up the others."""

CLAIM_BYTES: Final = 8

Done = Callable[[Any], None]

logger = logging.getLogger("jminesweeper.server")


@dataclass(slots=True)
class ServerTotals:
    """What a server has done since it started."""

    connections: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By the reason they were given."""
    packets: int = 0
    games: int = 0


class Visitor(TurnTaker, Protocol):
    """A connection, as the hub sees it."""

    peer: str
    origin: str
    since_ms: int
    key: str
    is_check: bool

    def __hash__(self) -> int: ...

    @property
    def packets(self) -> int: ...

    @property
    def games(self) -> int: ...

    def let_go(self, message: str, *, is_final: bool = False) -> None: ...

    def refuse(self, message: str) -> None: ...

    def look_again(self) -> None: ...

    def check_time(self, now_ms: int) -> None: ...

    def abort(self) -> None: ...


class Claim(NamedTuple):
    """Which connection plays each player's game here."""

    visitor: Visitor
    token: bytes
    """Distinguishes this claim from all others, on any server."""
    unsubscribe: Unsubscribe


def _level_of(visitor: Visitor) -> int:
    """Keep a proxy's checks every second out of the log."""
    return logging.DEBUG if visitor.is_check else logging.INFO


class Hub:
    """The connections of a server, and what they share."""

    def __init__(
        self,
        config: ServerConfig,
        backend: Backend,
        clock_ns: Clock = time.monotonic_ns,
        cpu_clock_ns: Clock = time.thread_time_ns,
    ) -> None:
        self.config = config
        self.backend = backend
        self.clock_ns = clock_ns
        # What came in before a round of turns must not wait for its end to reach the store.
        self.turns = Turns(clock_ns, cpu_clock_ns, before_round=self._hand_over)
        self.totals = ServerTotals()
        self.measures = Measures()
        self._store = MeasuredStore(backend.store.submit, self.measures, clock_ns)
        self.read_buffer = bytearray(READ_SIZE)
        self.tls: ssl.SSLContext | None = None
        """The certificate that TLS is served with."""
        self.visitors: set[Visitor] = set()
        """All connections, refused and expected ones included."""
        self._expected: set[Visitor] = set()
        """Connections of a proxy that has not said whose they are."""
        self._origins: Counter[str] = Counter()
        self._refused: set[Visitor] = set()
        self._claims: dict[str, Claim] = {}
        self._emptied = asyncio.Event()
        self._emptied.set()
        self._closing = ""
        self._jobs: list[Job[Any]] = []
        # A thread shares the processor with the loop in slices, and one is enough to share with.
        self._rebuilder = ThreadPoolExecutor(1, "rebuilder")

    def now_ms(self) -> int:
        return self.clock_ns() // 1_000_000

    @property
    def players(self) -> int:
        """How many known players are at a game."""
        return len(self._claims)

    # Connections come and go

    def expect(self, visitor: Visitor) -> None:
        """Hold a connection whose player's address is not known yet."""
        self.visitors.add(visitor)
        self._expected.add(visitor)
        self._emptied.clear()

    def enter(self, visitor: Visitor) -> None:
        """Admit a connection, or say why not; a refused crowd gets no reason."""
        self._expected.discard(visitor)
        refusal = self._refusal(visitor.origin)
        self.visitors.add(visitor)
        self._emptied.clear()
        if not refusal:
            self.totals.connections += 1
            self._origins[visitor.origin] += 1
            logger.log(
                _level_of(visitor), "%s connected", visitor.peer, extra={"peer": visitor.peer}
            )
            return
        self.totals.refused[refusal] += 1
        self._refused.add(visitor)
        if len(self._refused) > MAX_REFUSED:
            visitor.abort()
            return
        logger.info("%s refused: %s", visitor.peer, refusal, extra={"peer": visitor.peer})
        visitor.refuse(refusal)

    def _refusal(self, origin: str) -> str:
        """Why nobody else from there is admitted; empty if one more may come."""
        config = self.config
        if self._closing:
            return self._closing
        if 0 < config.max_connections <= len(self.visitors) - len(self._refused):
            return SERVER_FULL
        if 0 < config.max_per_address <= self._origins[origin]:
            return ORIGIN_FULL
        return ""

    def change(self, visitor: Visitor, successor: Visitor) -> None:
        """Replace a guest that has not said anything by another on the same connection."""
        for group in (self.visitors, self._refused):
            if visitor in group:
                group.remove(visitor)
                group.add(successor)

    def leave(self, visitor: Visitor) -> None:
        self.visitors.discard(visitor)
        if not self.visitors:
            self._emptied.set()
        for group in (self._expected, self._refused):
            if visitor in group:
                group.remove(visitor)
                return
        self._origins[visitor.origin] -= 1
        if not self._origins[visitor.origin]:
            del self._origins[visitor.origin]
        self._give_up_claim(visitor)
        self.backend.workers.forget(visitor)
        self.totals.packets += visitor.packets
        self.totals.games += visitor.games
        self._log_end(visitor)

    def _log_end(self, visitor: Visitor) -> None:
        duration_s = (self.now_ms() - visitor.since_ms) / 1000
        logger.log(
            _level_of(visitor),
            "%s left after %.1f s: %d packets, %d games ended",
            visitor.peer,
            duration_s,
            visitor.packets,
            visitor.games,
            extra={
                "peer": visitor.peer,
                "duration_s": duration_s,
                "packets": visitor.packets,
                "games": visitor.games,
            },
        )

    def check_time(self) -> None:
        """Check the timeouts of all connections at once: a timer for each would cost more."""
        now_ms = self.now_ms()
        for visitor in tuple(self.visitors):
            visitor.check_time(now_ms)

    def close_door(self, message: str) -> tuple[Visitor, ...]:
        """Refuse new connections; return the present ones."""
        self._closing = message
        return tuple(self.visitors)

    def say_goodbye(self, message: str) -> None:
        """Disconnect everybody, late arrivals included."""
        for visitor in self.close_door(message):
            visitor.let_go(message)

    def abort_all(self) -> None:
        """Drop all connections, even if something is owed."""
        for visitor in tuple(self.visitors):
            visitor.abort()

    async def emptied(self, timeout_s: float) -> None:
        """Wait until all have left, or until the time is up."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._emptied.wait(), timeout_s)

    def close(self) -> None:
        """Store what sessions left behind, and stop replaying logs."""
        self._hand_over()
        self._rebuilder.shutdown(wait=False, cancel_futures=True)

    # Who plays whose game

    def claim(self, key: str, visitor: Visitor) -> None:
        """Make this the one connection that plays for a player, and end the one before.

        On this server it goes at once. On another one it hears of the claim, and asks the store.
        """
        self._give_up_claim(visitor)
        before = self._claims.get(key)
        topic, token = game_topic(key), os.urandom(CLAIM_BYTES)
        if before is None:
            unsubscribe = self.backend.bus.subscribe(topic, partial(self._hear_of_claim, key))
        else:
            unsubscribe = before.unsubscribe
        self._claims[key] = Claim(visitor, token, unsubscribe)
        visitor.key = key
        self.backend.bus.publish(topic, token)
        if before is not None:
            before.visitor.let_go(TAKEN_OVER, is_final=True)

    def _hear_of_claim(self, key: str, token: bytes) -> None:
        """Make the holder check its claim, unless the message is its own."""
        claim = self._claims.get(key)
        if claim is not None and claim.token != token:
            claim.visitor.look_again()

    def _give_up_claim(self, visitor: Visitor) -> None:
        claim = self._claims.get(visitor.key)
        if claim is not None and claim.visitor is visitor:
            del self._claims[visitor.key]
            claim.unsubscribe()

    # Storing, asking, computing

    def store(self, operation: Operation[Any], done: Done) -> None:
        """Submit an operation to the store, together with all others of this step of the loop."""
        if not self._jobs:
            asyncio.get_running_loop().call_soon(self._hand_over)
        self._jobs.append(Job(operation, done))

    def _hand_over(self) -> None:
        if self._jobs:
            jobs, self._jobs = self._jobs, []
            self._store.submit(jobs)

    def ask(self, question: Question, visitor: Visitor, done: Done) -> None:
        """Have a question answered by the store, a worker or a thread."""
        match question:
            case FindHint() | FindOdds() | FindSolved() | LayBoard() | Analyse():
                self.work(question, visitor, done)
            case Rebuild():
                self._rebuild(question, done)
            case Operation():
                self.store(question, done)
            case _:
                assert_never(question)

    def work(self, request: SolverQuestion | Review, visitor: Visitor, done: Done) -> None:
        """Have something computed in another process."""
        self.backend.workers.ask(request, visitor, visitor.origin, done)

    def _rebuild(self, question: Rebuild, done: Done) -> None:
        """Replay long logs in a thread, one at a time; a bug is an answer, too."""

        def finish(played: asyncio.Future[object]) -> None:
            if not played.cancelled():
                done(played.exception() or played.result())

        loop = asyncio.get_running_loop()
        played = loop.run_in_executor(self._rebuilder, self.backend.rebuild, question)
        played.add_done_callback(finish)
