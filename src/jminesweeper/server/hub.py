"""The hub: limits, turns, store and known players, shared by all connections of a server.

**Turns** are deficit round robin, with a short cut for connections that ask for little. Answering a
packet takes from microseconds to some ten milliseconds, as the peer likes, and any number of peers
may ask for the costly ones as fast as they can. Players who press a key now and then must not
notice:

- Each connection has a debt: the time that it was answered for. While that is less than
  `SHARE_NS`, it is answered as soon as its bytes arrive. That is every player who does not
  flood. A debt is forgiven with time, a fortieth of it: a packet that took 10 ms, as the screen
  of a huge board does, is forgiven after 0.4 s, so nobody floods by resting in between.
- Others queue, unless nobody does. Those who owe less than a share, and only came in a busy
  step of the loop, have a line of their own, and the two lines take turns. Each time that one
  who owes more comes to the head of the queue, its debt falls by `SHARE_NS`; if that pays it
  off, the connection has its turn, else it queues again. So a flood of cheap packets and a
  flood of costly ones get the same time. A new connection owes a share to begin with, and queues as
  soon as it asks for more than it is forgiven meanwhile: to connect again is no way to the front.
- Turns are given in a step of the event loop of their own, for at most `ROUND_NS`: then the
  loop looks for the keys of players who need not wait. When these have had as much, all others
  who come in the same step queue; those who rested do so after `RESTED_NS`, so that a player is
  in front of hundreds that flood, and yet a thousand who rested cannot hold up everybody.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from jminesweeper.bus import Bus, player_topic
from jminesweeper.server.config import Backend, Clock, ServerConfig, SshHost
from jminesweeper.server.keeper import Keeper
from jminesweeper.server.measures import Measures
from jminesweeper.session.reply import AwaitStored, Question, Rebuild, Review, SolverQuestion, Wish
from jminesweeper.store.port import Commit, Read, Scan

if TYPE_CHECKING:
    from jminesweeper.server.browser import Browser
    from jminesweeper.server.connection import Connection


SHARE_NS: Final = 2_000_000
ROUND_NS: Final = 2_000_000
REST_NS: Final = 80_000_000
"""A connection that has been quiet for so long, and owes nothing, has rested."""
FORGIVEN_AFTER: Final = 40
"""Forty times the time that it was answered for, a connection owes nothing."""
RESTED_NS: Final = 20_000_000
"""The direct turns of one step may take so long before those who rested queue as well."""


class TurnTaker(Protocol):
    """A connection that wants the server's time."""

    debt_ns: int
    served_ns: int

    def take_turn(self) -> bool:
        """Do some of the waiting work; return True if the rest needs another turn."""


class Turns:
    """The queue for turns; its theory is on top of the module."""

    def __init__(self, clock_ns: Clock, before_round: Callable[[], None]) -> None:
        self._clock_ns = clock_ns
        self._before_round = before_round
        """Does the work that must not wait until a round is over."""
        self._queue: deque[TurnTaker] = deque()
        self._light: deque[TurnTaker] = deque()
        """The line of connections that owe less than a share."""
        self._direct_ns = 0
        """The time taken since the last round by turns that did not wait."""
        self._is_called = False

    @property
    def waiting(self) -> int:
        return len(self._queue) + len(self._light)

    def may_go(self, connection: TurnTaker, now_ns: int) -> bool:
        """Return True if a connection is answered at once, without queueing."""
        rest_ns = now_ns - connection.served_ns
        debt_ns, forgiven_ns = connection.debt_ns, rest_ns // FORGIVEN_AFTER
        debt_ns = 0 if forgiven_ns >= debt_ns else debt_ns - forgiven_ns
        connection.debt_ns, connection.served_ns = debt_ns, now_ns
        is_rested = rest_ns >= REST_NS and not debt_ns
        if self._direct_ns >= (RESTED_NS if is_rested else ROUND_NS):
            return False
        return debt_ns < SHARE_NS or not self._queue

    def charge(self, connection: TurnTaker, took_ns: int) -> None:
        connection.debt_ns += took_ns
        self._direct_ns += took_ns
        if self._direct_ns >= ROUND_NS:
            self._call()

    def queue(self, connection: TurnTaker) -> None:
        """Call `take_turn` in a later step of the loop, when it is this one's turn."""
        line = self._light if connection.debt_ns < SHARE_NS else self._queue
        line.append(connection)
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
        is_light = False
        while (self._queue or self._light) and now_ns < end_ns:
            is_light = bool(self._light) and not (is_light and self._queue)
            connection = (self._light if is_light else self._queue).popleft()
            if not is_light:
                connection.debt_ns = max(0, connection.debt_ns - SHARE_NS)
                if connection.debt_ns >= SHARE_NS:
                    self._queue.append(connection)
                    continue
            wants_more = connection.take_turn()
            connection.served_ns = self._clock_ns()
            connection.debt_ns += connection.served_ns - now_ns
            now_ns = connection.served_ns
            if wants_more:
                self.queue(connection)
        if self._queue or self._light:
            self._call()


SERVER_FULL: Final = "This server is full. Please try again later."
ORIGIN_FULL: Final = "There are too many connections from your address."

MAX_REFUSED: Final = 64
"""Number of refused peers that get a reason at the same time; more are just closed."""

SWEEP_STEPS: Final = 50
"""Number of steps in which all connections are checked: ten thousand at once would take 0.2 s."""

READ_SIZE: Final = 512
"""Bytes taken off a connection at a time: more than the packets of any key, and so few that
decoding a flood of one-byte packets does not hold up the others."""

WORKER_AFTER_S: Final = 1.0
"""A worker takes up to two seconds to start, and the first board must not wait meanwhile."""

Done = Callable[[Any], None]

logger = logging.getLogger("jminesweeper.server")


@dataclass(slots=True)
class ServerTotals:
    """Totals of a server since it started."""

    connections: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """By the reason they were given."""
    packets: int = 0
    games: int = 0


class KnownPlayer:
    """The connections of one player."""

    __slots__ = ("connections", "unsubscribe")

    def __init__(self, player: str, bus: Bus) -> None:
        self.connections: tuple[Connection, ...] = ()
        # The object itself: a bound method would be one more object for each player.
        self.unsubscribe = bus.subscribe(player_topic(player), self)

    def __call__(self, message: bytes) -> None:
        """Show the game that the player has begun or resumed, where another one is shown."""
        code = message.decode()
        for each in self.connections:
            if each.conversation.session.game_code != code:
                each.follow()


def epoch_ms() -> int:
    """Return the time to add to a monotonic one to get milliseconds since 1970."""
    return (time.time_ns() - time.monotonic_ns()) // 1_000_000


class Hub:
    """The connections of a server, and their common limits, turns and players."""

    def __init__(
        self,
        config: ServerConfig,
        backend: Backend,
        clock_ns: Clock = time.monotonic_ns,
    ) -> None:
        self.config = config
        self.backend = backend
        self.clock_ns = clock_ns
        self.totals = ServerTotals()
        self.measures = Measures()
        self.keeper = Keeper(backend, self.measures, clock_ns)
        backend.watch_store(self.keeper.look_again)
        # What came in before a round of turns must not wait for its end to reach the store.
        self.turns = Turns(clock_ns, before_round=self.keeper.hand_over_early)
        # A view: asyncio's TLS reads into slices of it.
        self.read_buffer = memoryview(bytearray(READ_SIZE))
        self.tls: ssl.SSLContext | None = None
        """The certificate that TLS is served with."""
        self.connections: set[Connection] = set()
        """All of them, refused ones included."""
        self._sweep_step = 0
        self._admitted = 0
        """Number of connections with a place, those without a transport yet included."""
        self._origins: Counter[str] = Counter()
        """The places by address."""
        self._refused = 0
        """Number of connections without a place."""
        self._players: dict[str, KnownPlayer] = {}
        self._to_show: set[Connection] = set()
        self._emptied = asyncio.Event()
        self._emptied.set()
        self._closing = ""
        self.ssh: SshHost | None = None if backend.open_ssh is None else backend.open_ssh(self)
        """The door for players who have only `ssh`."""
        self._page: asyncio.Future[Callable[[], Browser]] | None = None
        # A thread shares the processor with the loop in slices, and one is enough to share with.
        self._rebuilder = ThreadPoolExecutor(1, "rebuilder")

    def now_ms(self) -> int:
        return self.clock_ns() // 1_000_000

    @property
    def players(self) -> int:
        """Number of known players at a game."""
        return len(self._players)

    def load_page(self) -> asyncio.Future[Callable[[], Browser]]:
        """Load the page when the first browser comes, in a thread: it takes long.

        A server that no browser comes to listens sooner without HTTP and the page.
        """

        def prepare() -> Callable[[], Browser]:
            browser: Any = import_module("jminesweeper.server.browser")
            page: Callable[[], Browser]
            page = browser.prepare(self.backend.new_web_socket, self.config.public_url)
            return page

        if self._page is None:
            self._page = asyncio.get_running_loop().run_in_executor(None, prepare)
        return self._page

    # Connections come and go

    def admit(self, connection: Connection) -> None:
        """Give a connection a place, or a refusal."""
        config, origin = self.config, connection.origin
        if self._closing:
            connection.refusal = self._closing
        elif 0 < config.max_connections <= self._admitted:
            connection.refusal = SERVER_FULL
        elif 0 < config.max_per_address <= self._origins[origin]:
            connection.refusal = ORIGIN_FULL
        else:
            connection.has_place = True
            self._admitted += 1
            self._origins[origin] += 1
            return
        self.totals.refused[connection.refusal] += 1

    def release(self, connection: Connection) -> None:
        if connection.has_place:
            connection.has_place = False
            self._admitted -= 1
            self._origins[connection.origin] -= 1
            if not self._origins[connection.origin]:
                del self._origins[connection.origin]

    def enter(self, connection: Connection) -> None:
        """Let a connection in, or tell it why it has no place; a crowd gets no reason."""
        self.connections.add(connection)
        self._emptied.clear()
        peer, refusal = connection.peer, connection.refusal
        if not refusal:
            self.totals.connections += 1
            logger.log(connection.log_level, "%s connected", peer, extra={"peer": peer})
            return
        self._refused += 1
        if self._refused > MAX_REFUSED:
            connection.abort()
            return
        logger.info("%s refused: %s", peer, refusal, extra={"peer": peer})
        connection.disconnect(refusal)

    def leave(self, connection: Connection) -> None:
        self.connections.discard(connection)
        if not self.connections:
            self._emptied.set()
        if connection.refusal:
            self._refused -= 1
            return
        self.release(connection)
        self._unregister(connection)
        self.backend.workers.forget(connection)
        self.totals.packets += connection.conversation.packets
        self.totals.games += connection.conversation.games
        duration_s = (self.now_ms() - connection.since_ms) / 1000
        said = connection.conversation
        figures = {"duration_s": duration_s, "packets": said.packets, "games": said.games}
        logger.log(
            connection.log_level,
            "%s left after %.1f s: %d packets, %d games ended",
            connection.peer,
            *figures.values(),
            extra={"peer": connection.peer, **figures},
        )

    def check_time(self) -> None:
        """Check the next part of the connections: a timer for each would cost more."""
        now_ms, self._sweep_step = self.now_ms(), (self._sweep_step + 1) % SWEEP_STEPS
        for connection in [*self.connections][self._sweep_step :: SWEEP_STEPS]:
            connection.check_time(now_ms)

    def close_door(self, message: str) -> tuple[Connection, ...]:
        """Refuse new connections; return the present ones."""
        self._closing = message
        return tuple(self.connections)

    def say_goodbye(self, message: str) -> None:
        """Disconnect everybody, late arrivals included."""
        for connection in self.close_door(message):
            connection.disconnect(message)

    def abort_all(self) -> None:
        """Drop all connections, even if something is owed."""
        for connection in tuple(self.connections):
            connection.abort()

    async def emptied(self, timeout_s: float) -> None:
        """Wait until all have left, or until the time is up."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._emptied.wait(), timeout_s)

    def close(self) -> None:
        """Store what sessions left behind, and stop replaying logs."""
        self.keeper.close()
        self._rebuilder.shutdown(wait=False, cancel_futures=True)

    # Who plays

    def register(self, connection: Connection, player: str) -> None:
        """Register the player of a connection, to show the games that they begin elsewhere."""
        if connection.key:
            self._unregister(connection)
        connection.key = player
        if not player:
            return
        if (known := self._players.get(player)) is None:
            known = self._players[player] = KnownPlayer(player, self.backend.bus)
            if len(self._players) == 1:

                def start_worker() -> None:
                    if self._players:
                        self.backend.workers.start_one()

                asyncio.get_running_loop().call_later(WORKER_AFTER_S, start_worker)
        known.connections = (*known.connections, connection)

    def _unregister(self, connection: Connection) -> None:
        known = self._players.get(connection.key)
        if known is not None and connection in known.connections:
            known.connections = tuple(each for each in known.connections if each is not connection)
            if not known.connections:
                del self._players[connection.key]
                known.unsubscribe()

    def show_soon(self, connection: Connection) -> None:
        """Show what others have done, as often as its session says."""
        if connection not in self._to_show:
            self._to_show.add(connection)
            due_s = connection.shown_s + connection.conversation.session.shows_every_s
            asyncio.get_running_loop().call_at(due_s, self._show, connection)

    def _show(self, connection: Connection) -> None:
        self._to_show.discard(connection)
        connection.shown_s = asyncio.get_running_loop().time()
        connection.show()

    # Asking, computing

    def ask(self, question: Question, connection: Connection, done: Done) -> None:
        """Pass a question to the store, a worker, a thread or a table."""
        match question:
            case Commit() | Read() | Scan():
                self.keeper.ask(question, done)
            case Rebuild():
                # Long logs are replayed in a thread, one at a time; a bug is an answer, too.
                def finish(played: asyncio.Future[object]) -> None:
                    if not played.cancelled():
                        done(played.exception() or played.result())

                loop = asyncio.get_running_loop()
                played = loop.run_in_executor(self._rebuilder, self.backend.rebuild, question)
                played.add_done_callback(finish)
            case AwaitStored():
                question.call(done)
            case Wish(code, player, change):
                self.backend.matches.tables.wish(code, player, change, done)
            case _:
                self.work(question, connection, done)

    def work(self, request: SolverQuestion | Review, connection: Connection, done: Done) -> None:
        self.backend.workers.ask(request, connection, connection.origin, done)
