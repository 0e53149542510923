"""The world of a test: a server and its players, without waiting.

Hub, keeper, connections, conversations, sessions, tables and journals are the real ones. Around
them stand an event loop and a clock that only a test moves (`loop`), a store in memory whose line
can fail or be held up, solvers that say what a test has them say, and a network of which each end
is a list of bytes. So a test is synchronous, and each step of it is over once nothing more can
happen without time passing.

`World.player` connects somebody (`player`): packets go in as bytes, and what comes back is read as
a client reads it. `World.elsewhere` is another server of the same store and bus.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from functools import partial
from random import Random
from typing import Any, Final, TypeVar

from jminesweeper.bus import Bus, Unsubscribe
from jminesweeper.bus.local import LocalBus
from jminesweeper.core.minefield import Minefield, RandomBits
from jminesweeper.core.rules import Rules
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import Hello, Join, OpenRoom, Ready
from jminesweeper.protocol.vocabulary import Feature, RoomKind
from jminesweeper.records.days import DaySeeds
from jminesweeper.records.meeting import find_room
from jminesweeper.records.rooms import Room
from jminesweeper.server.assistance import play_board
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.connection import Connection
from jminesweeper.server.hub import SWEEP_STEPS, Hub
from jminesweeper.server.keeper import GATHER_NS
from jminesweeper.server.workers import WorkerLoad, Workers
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.figures import Rival
from jminesweeper.session.matches import Match, Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.reply import (
    Analyse,
    FoundHint,
    FoundOdds,
    FoundReview,
    FoundSolved,
    LayBoard,
    PlayBoard,
    RaceSolver,
    Rebuild,
    Review,
)
from jminesweeper.session.session import Session
from jminesweeper.session.settings import setup_of_day
from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import (
    Commit,
    Fault,
    Job,
    Operation,
    Scan,
    StoreError,
    StoreUnavailableError,
)
from tests.world.games import KEY, Games, waiting
from tests.world.loop import FakeClock, FakeLoop, FakeTransport
from tests.world.player import Player, same_seed

T = TypeVar("T")

KNOWN = Hello(key=KEY, name="Ada", features=Feature.RESUME)
UNDECIDED = replace(KNOWN, features=Feature(0))
"""Somebody who did not say whether to resume what waits."""
LIVE = replace(KNOWN, features=Feature.LIVE | Feature.RESUME)
ANONYMOUS = Hello()
DAY_SEEDS = DaySeeds(bytes(32))
BROKEN: Final = StoreUnavailableError(Fault.BROKEN)
EPOCH_MS: Final = 1_000_000_000_000
CONFIG = SessionConfig(
    has_store=True,
    has_solver=True,
    epoch_ms=lambda: EPOCH_MS,
    day_seed=DAY_SEEDS.of,
)
PATIENT = ServerConfig(silence_timeout_s=1e12, idle_timeout_s=1e12)
"""Nobody is disconnected for saying nothing, however long a test lets pass."""
RACE = OpenRoom(RoomKind.RACE, board="beginner")
SHARED = OpenRoom(RoomKind.SHARED, board="beginner")


def daily(day: date, board: str = "beginner") -> Setup:
    """Set up what sessions here get as the board of the day."""
    return setup_of_day(CONFIG, board, day)


class StoreLine:
    """The line to a store in memory: it answers in a later step, and can fail or be held up."""

    def __init__(self, loop: FakeLoop, store: MemoryStore) -> None:
        self.store = store
        self.fault: StoreError | None = None
        """The answer to everything, while it is set."""
        self.is_reached = False
        """Operations that fail are carried out all the same, and nobody hears of it."""
        self.is_held = False
        """Batches wait until they are let through."""
        self.is_late = False
        """Batches are carried out at once, and answered when they are let through."""
        self.waiting: deque[Sequence[Job]] = deque()
        self._on_their_way: deque[Sequence[Callable[[], object]]] = deque()
        self.operations: list[Operation] = []
        self._failing: set[int] = set()
        self._asked = 0
        self._loop = loop

    def submit(self, jobs: Sequence[Job]) -> None:
        self.operations += [job.operation for job in jobs]
        if self.is_late:
            self._on_their_way.append(self._carry_out(jobs))
            return
        self.waiting.append(tuple(jobs))
        if not self.is_held:
            self._loop.call_soon(self.let_through)

    def close(self) -> None:
        """Leave what waits undone, as a kill does."""

    def fail_at(self, *numbers: int) -> None:
        """Fail at some of what is asked from now on, counted from 0."""
        self._failing = {self._asked + number for number in numbers}

    def let_through(self) -> bool:
        """Answer the oldest batch; return False if there is none."""
        if not (self._on_their_way or self.waiting):
            return False
        late = self._on_their_way
        for answer in late.popleft() if late else self._carry_out(self.waiting.popleft()):
            answer()
        return True

    def _carry_out(self, jobs: Sequence[Job]) -> Sequence[Callable[[], object]]:
        """Carry operations out, or fail; return what tells of it."""
        told: list[Callable[[], object]] = []
        for operation, done in jobs:
            answers: list[object] = []
            fault = BROKEN if self._asked in self._failing else self.fault
            self._asked += 1
            if fault is None or self.is_reached:
                self.store.submit([Job(operation, answers.append)])
            told.append(partial(done, *answers) if fault is None else partial(done, fault))
        return told


class FakeWorkers(Workers):
    """Answers with what a test has prepared; reviews wait until they are told of."""

    def __init__(self, world: World) -> None:
        super().__init__(0, 0)
        self._world = world

    def ask(
        self, request: object, asker: Hashable, origin: str, done: Callable[[object], None]
    ) -> None:
        world = self._world
        if isinstance(request, Review):
            world.reviews.append((request, done))
        else:
            world.questions.append(request)
            world.loop.call_soon(done, world.solve(request))

    @property
    def load(self) -> WorkerLoad:
        world = self._world
        return WorkerLoad(world.processes or len(world.boards), 0, len(world.reviews))


class BugAlarm(logging.Handler):
    """Remembers errors that the server of a world logged, so that they fail the test."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.bugs: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        is_here = isinstance(asyncio._get_running_loop(), FakeLoop)
        if is_here and record.exc_info and record.exc_info[1] is not None:
            self.bugs.append(record.exc_info[1])


ALARM: Final = BugAlarm()
logging.getLogger("jminesweeper").addHandler(ALARM)


OPEN: Final[list[World]] = []
"""The worlds of the test that runs."""


def end_worlds() -> None:
    """Have everybody hang up: what is under way must not end in another test."""
    while OPEN:
        world = OPEN.pop()
        for player in world.players:
            player.hang_up()


class World(Games):
    """A server with its players; `beside` another one it shares the store, the bus and the time."""

    is_shared = True
    """There may be other servers."""

    def __init__(
        self,
        config: SessionConfig = CONFIG,
        *,
        server: ServerConfig = PATIENT,
        beside: World | None = None,
        store: MemoryStore | None = None,
        bus: Bus | None = None,
        seed: int = 1,
    ) -> None:
        self.clock: FakeClock = FakeClock() if beside is None else beside.clock
        self.loop: FakeLoop = FakeLoop(self.clock) if beside is None else beside.loop
        self.servers: list[World] = [] if beside is None else beside.servers
        self.servers.append(self)
        OPEN.append(self)
        self.players: list[Player] = [] if beside is None else beside.players
        own_bus = bus or LocalBus(self.loop.call_soon)
        self.bus: Bus = own_bus if beside is None else beside.bus
        self.tokens: RandomBits = Random(seed).getrandbits if beside is None else beside.tokens
        self.line = StoreLine(
            self.loop, store or (self.new_store() if beside is None else beside.store)
        )
        self.is_alive = True
        self.expects_bugs = False
        """The test is about an error that the server logs."""
        self.rebuild: Callable[[Rebuild], object] = replay
        """Plays a long log again."""
        self.shows_at_once = True
        """Players are shown at once what others do, and not thirty times a second."""
        self.hints: deque[FoundHint | FoundOdds | FoundSolved | None] = deque()
        self.boards: deque[int | None] = deque()
        self.rivals: deque[Rival | None] = deque()
        self.analyses: deque[tuple[Any, ...] | None] = deque()
        """The answers that solvers will give."""
        self.processes = 0
        """Workers that could be asked, even where no answer is prepared."""
        self.reviews: list[tuple[Review, Callable[[object], None]]] = []
        self.questions: list[object] = []
        """The questions to solvers, and the logs to be replayed."""
        self.matches = Matches(config.epoch_ms)
        self.config = replace(config, tokens=self.tokens)
        self._next: tuple[SessionConfig, RandomBits] = self.config, same_seed
        self._subscriptions: list[Unsubscribe] = []
        backend = Backend(
            new_session=self._new_session,
            store=self.line,
            workers=FakeWorkers(self),
            matches=self.matches,
            tokens=self.tokens,
            bus=self,
            rebuild=self._rebuild,
        )
        with self.loop.running():
            self.hub = Hub(server, backend, self.clock)

    def subscribe(self, topic: str, listener: Callable[[bytes], None]) -> Unsubscribe:
        unsubscribe = self.bus.subscribe(topic, listener)
        self._subscriptions.append(unsubscribe)
        return unsubscribe

    def publish(self, topic: str, message: bytes) -> None:
        if self.is_alive:
            self.bus.publish(topic, message)

    def new_store(self) -> MemoryStore:
        return MemoryStore(now_s=lambda: (EPOCH_MS + self.now_ms) // 1000)

    def _new_session(self) -> Session:
        config, entropy = self._next
        return Session(config, entropy, self.matches)

    def _rebuild(self, asked: Rebuild) -> object:
        self.questions.append(asked)
        return self.rebuild(asked)

    # Players, and what time does

    def player(
        self,
        config: SessionConfig | None = None,
        *,
        entropy: RandomBits = same_seed,
        address: str = "192.0.2.1",
        transport: FakeTransport | None = None,
    ) -> Player:
        """Connect somebody, whose boards are foreseen and whose games have names of their own."""
        self._next = replace(config or self.config, tokens=self.tokens), entropy
        transport = transport or FakeTransport()
        with self.loop.running():
            connection = Connection(self.hub, f"{address}:4321", address)
            self.hub.admit(connection)
            connection.debt_ns = 0
            connection.connection_made(transport)
        player = Player(self, connection, transport)
        self.players.append(player)
        return player

    def friend(
        self,
        name: str = "",
        features: int = Feature.RESUME | Feature.LIVE,
        key: bytes | None = None,
        address: str = "192.0.2.1",
    ) -> Player:
        """Connect somebody by name, who is shown what others do."""
        own = name.encode().ljust(16, b".") if key is None else key
        return self.player(address=address).do(Hello(features, own, name))

    def elsewhere(self) -> World:
        """Return another server of the same store."""
        return World(self.config, beside=self)

    def have(self, do: Callable[..., object], *args: object) -> None:
        """Have something done in the loop, and all that follows from it."""
        with self.loop.running():
            do(*args)
        self.settle()

    def settle(self) -> None:
        """Let everything be done, and shown, for which no time has to pass."""
        while self._has_news():
            pass
        if ALARM.bugs and not self.expects_bugs:
            raise ALARM.bugs.pop()

    def _has_news(self) -> bool:
        self.loop.run()
        before = [(len(player.replies), player.is_connected) for player in self.players]
        with self.loop.running():
            for server in self.servers:
                for count in server.matches.count_ended():
                    server.hub.keeper.run(count, lambda _: None)
            for player in self.players if self.shows_at_once else ():
                if player.connection.conversation.is_stale:
                    player.connection.show()
        self.loop.run()
        for player in tuple(self.players):
            player.see()
        return before != [(len(player.replies), player.is_connected) for player in self.players]

    @property
    def now_ms(self) -> int:
        return self.clock.now_ns // 1_000_000

    def let_pass(self, ms: int) -> None:
        """Let time pass."""
        self.loop.pass_time(ms / 1000)
        self.settle()

    def pass_time(self, ms: int) -> None:
        """Let time pass, with a look at the clock at its end."""
        self.let_pass(ms)
        self.tick()

    def pass_seconds(self, seconds: int) -> None:
        """Let time pass as for a server, which looks at the clock every second."""
        for _ in range(seconds):
            self.pass_time(1_000)

    def tick(self) -> None:
        """Have every server see to what nobody asks for, as it does from time to time."""
        with self.loop.running():
            for server in self.servers:
                for _ in range(SWEEP_STEPS):
                    server.hub.check_time()
                server.hub.keeper.check_time()
        self.settle()

    def look_again(self) -> None:
        """Have everything read again that could not be stored: the store is back."""
        self.have(self.hub.keeper.look_again)

    def die(self) -> None:
        """Hear, say and store nothing any more, as a server that was killed."""
        self.is_alive, self.line.is_held = False, True
        self.servers.remove(self)
        for player in [player for player in self.players if player.world is self]:
            player.is_connected = False
            self.players.remove(player)
        for unsubscribe in self._subscriptions:
            unsubscribe()

    # The store, and what it was asked

    def let_through(self) -> bool:
        """Have a store that is held up answer its oldest batch; return False if there is none."""
        self.let_pass(GATHER_NS // 1_000_000)
        is_there = bool(self.line.waiting)
        self.have(self.line.let_through)
        return is_there

    def let_all_through(self) -> list[MemoryStore]:
        """Have a store that is held up answer everything; return what it had after each batch."""
        moments = [self.copy()]
        while self.let_through():
            moments.append(self.copy())
        return moments

    def copy(self) -> MemoryStore:
        """Return a store with what this one has, as a kill now would leave it."""
        copy = self.new_store()
        perform_all(copy, perform(self.store, Scan(limit=10**6)).commits)
        return copy

    @contextmanager
    def slow_store(self) -> Iterator[None]:
        """Have the store answer nothing before the end of the block."""
        self.line.is_held = True
        yield
        self.line.is_held = False
        while self.line.waiting:
            self.have(self.line.let_through)

    @property
    def store(self) -> MemoryStore:
        return self.line.store

    @store.setter
    def store(self, store: MemoryStore) -> None:
        self.line.store = store

    @property
    def fault(self) -> StoreError | None:
        """The store's answer instead, while it is set."""
        return self.line.fault

    @fault.setter
    def fault(self, fault: StoreError | None) -> None:
        self.line.fault = fault

    @property
    def operations(self) -> list[Operation]:
        """The operations asked of the store since they were taken last."""
        return self.line.operations

    def take_operations(self) -> list[Operation]:
        """Return what was asked of the store since the last time."""
        taken, self.line.operations = self.line.operations, []
        return taken

    @property
    def commits(self) -> list[Commit]:
        """The commits among the operations."""
        return [each for each in self.operations if isinstance(each, Commit)]

    # What solvers say

    def solve(self, request: object) -> Any:
        """Return what a solver answers."""
        match request:
            case PlayBoard():
                return play_board(request, 60.0)
            case LayBoard():
                return self.boards.popleft()
            case RaceSolver():
                return self.rivals.popleft()
            case Analyse():
                return self.analyses.popleft()
            case _:
                return self.hints.popleft()

    @property
    def works(self) -> list[Review]:
        """The reviews that were asked for so far."""
        return [review for review, _ in self.reviews]

    def reviewed(self, found: FoundReview | None, number: int = 0) -> None:
        """Have the solver be done with a review."""
        self.have(self.reviews[number][1], found)

    # Rooms

    def begin(self, *friends: Player, kind: OpenRoom = RACE) -> str:
        """Have friends sit down, and wait for the countdown."""
        host, *others = friends
        host.send(kind)
        code: str = host.members["room"]["code"]
        for friend in others:
            friend.send(Join(code))
        for friend in friends:
            friend.send(Ready())
        self.pass_time(3_000)
        return code

    def room(self, code: str) -> Room:
        found = self.run(find_room(code))
        assert found is not None
        return found

    def records(self, code: str) -> Mapping[str, tuple[int, ...]]:
        """Return the records of the round, and the seats that play them."""
        room = self.run(find_room(code))
        return {} if room is None else room.records

    def minefield(self, code: str) -> Minefield:
        """Return the board of a room's round."""
        setup = self.room(code).setup
        assert setup is not None
        return setup.minefield()

    def match(self, code: str) -> Match:
        (found,) = [match for match in self.matches if match.code == code]
        return found


def late(store: MemoryStore | None = None, seed: int = 1) -> World:
    """Make a world whose store answers a batch when it is let through."""
    world = World(store=store, seed=seed)
    world.line.is_held = True
    return world


def alone(config: SessionConfig | None = None, *, entropy: RandomBits = same_seed) -> Player:
    """Connect somebody to a server without a store."""
    return World(config or SessionConfig()).player(entropy=entropy)


def seated(
    diagram: str, rules: Rules | str = "classic", hello: Hello = KNOWN
) -> tuple[Player, World]:
    """Connect a known player to a game on that board."""
    world = World()
    kept = waiting(diagram, rules)
    world.introduce({"last_board": kept.setup.variant.text})
    world.put(kept)
    player = world.player()
    player.send(hello)
    player.start_counting()
    return player, world
