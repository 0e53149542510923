"""Stand-ins with the shape of what surrounds a connection: session, store, transport, clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, cast

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.protocol.errors import ProtocolError
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.documents import Flow
from jminesweeper.records.journal import Journal
from jminesweeper.server.config import Backend, ServerConfig
from jminesweeper.server.connection import Connection
from jminesweeper.server.hub import SWEEP_STEPS, Hub
from jminesweeper.server.workers import WorkerLoad, Workers
from jminesweeper.session.matches import Matches
from jminesweeper.session.reply import Effects, Event, Reply, Ticked, Wait
from jminesweeper.store.port import Job, Read, Store

MOVE = Command.MOVE_RIGHT
MOVE_BYTE = b"\x02"
QUIT_BYTE = b"\x08"
BUG_BYTE = b"\x0a"
GARBAGE = b"\x00"
PEER = "192.0.2.7:4321"
START = bytes.fromhex("07 00000003 14 0a 01")


Plan: TypeAlias = Mapping[int, Effects | int]


def fail(*_: object) -> None:
    raise ZeroDivisionError("a bug")


async def turn() -> None:
    """Let the event loop call everything that is due now."""
    loop = asyncio.get_running_loop()
    passed = loop.create_future()
    loop.call_soon(passed.set_result, None)
    await passed


def ask(name: str) -> Read:
    """Make something to be asked of the store."""
    return Read((name,))


class Errands:
    """Makes errands, and remembers what each was answered."""

    def __init__(self) -> None:
        self.answers: list[object] = []

    def to(self, *names: str) -> Effects:
        return Effects(errands=[self._ask(name) for name in names])

    def _ask(self, name: str) -> Flow[None]:
        self.answers.append((yield ask(name)))


class FakeJournal:
    """Says whether a reply may be shown, by how much a test says is stored."""

    def __init__(self) -> None:
        self.stored = 0

    def may_show(self, length: int) -> bool:
        return self.stored >= length


class FakeSession:
    """Answers the nth packet with `<n>`, and with the effects planned for it.

    A number in place of effects is how many entries have to be stored before.
    """

    def __init__(self, plan: Plan | None = None) -> None:
        self.plan = plan or {}
        self.journal = FakeJournal()
        self.on_change: Callable[[bool], object] = fail
        self.is_stale = False
        self.shows_every_s = 1 / 30
        self.player_id = ""
        self.drawn = 0
        self.received: list[Packet] = []
        self.answers: list[object] = []
        self.events: list[Event] = []
        self.on_leave = Effects()
        self.reply_size = 0
        self.while_receiving: Callable[[], None] = lambda: None
        self.while_drawing: Callable[[], None] = lambda: None
        self.while_leaving: Callable[[], None] = lambda: None
        self.cannot_draw = False
        self.has_left = False

    def arrive(
        self, address: str, on_change: Callable[[bool], object], show: Callable[[], object]
    ) -> None:
        self.on_change = on_change

    def come_from(self, address: str) -> None:
        """The server names the player's own address."""

    def wait(self, length: int) -> Wait:
        return Wait(cast("Journal", self.journal), length, "before")

    def store(self, stored: int, *, is_rebased: bool = False) -> None:
        """Have the store take so many entries, or bring others' along."""
        self.journal.stored = stored
        self.on_change(is_rebased)

    def receive(self, packet: Packet, now_ms: int) -> Reply:
        self.received.append(packet)
        self.while_receiving()
        if packet is Command.QUIT:
            return b"", Effects(closes=True)
        if packet is Command.TOGGLE_DEBUG_MODE:
            raise ZeroDivisionError("a bug")
        number = len(self.received)
        planned = self.plan.get(number)
        effects = Effects(self.wait(planned)) if isinstance(planned, int) else planned
        if effects is not None and effects.question is not None:
            return b"", effects
        return b"<%d>" % number + b"." * self.reply_size, effects

    def reject(self, error: ProtocolError, now_ms: int) -> Reply:
        return b"<rejected>", Effects(closes=True)

    def resolve(self, answer: object, now_ms: int) -> Reply:
        self.answers.append(answer)
        return f"<answer {answer}>".encode(), None

    def notice(self, event: Event, now_ms: int) -> Reply:
        if not isinstance(event, Ticked):
            self.events.append(event)
            self.is_stale = True
        return b"", None

    def show(self, now_ms: int) -> Reply:
        self.is_stale = False
        return b"<shown>", None

    def draw_again(self, wait: Wait, replies: int, now_ms: int) -> Sequence[Reply]:
        assert wait.before == "before"
        self.while_drawing()
        first, self.drawn = self.drawn + 1, self.drawn + replies
        numbers = range(first, self.drawn + 1)
        return [(b"<again %d>" % number, Effects(self.wait(2))) for number in numbers]

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes:
        if self.cannot_draw:
            raise ZeroDivisionError("a bug")
        return f"<{message}>".encode()

    def leave(self, now_ms: int) -> Effects:
        self.while_leaving()
        self.has_left = True
        return self.on_leave


class FakeStore:
    """Keeps operations waiting until the test says what becomes of them."""

    def __init__(self) -> None:
        self.batches: list[Sequence[Job]] = []
        self._answered = 0

    @property
    def jobs(self) -> list[Job]:
        return [job for batch in self.batches for job in batch]

    def submit(self, jobs: Sequence[Job]) -> None:
        self.batches.append(tuple(jobs))

    def close(self) -> None:
        """Keep what was submitted."""

    def answer(self, answer: object) -> None:
        """Answer the oldest operation that has no answer yet."""
        job = self.jobs[self._answered]
        self._answered += 1
        job.done(answer)


class FakeWorkers(Workers):
    """Notes who asked for what, and answers nothing by itself."""

    def __init__(self) -> None:
        super().__init__(0, 0)
        self.asked: list[object] = []
        self.done: list[Callable[[object], None]] = []
        self.forgotten: list[Hashable] = []

    def ask(
        self, request: object, asker: Hashable, origin: str, done: Callable[[object], None]
    ) -> None:
        self.asked.append(request)
        self.done.append(done)

    @property
    def load(self) -> WorkerLoad:
        return WorkerLoad(2, 1, len(self.asked))

    def forget(self, asker: Hashable) -> None:
        self.forgotten.append(asker)


def backend_of(
    new_session: Callable[[], Any] = FakeSession,
    store: Store | None = None,
    workers: FakeWorkers | None = None,
    rebuild: Callable[[Any], object] = repr,
    bus: Bus | None = None,
    new_web_socket: Callable[[], Any] | None = None,
) -> Backend:
    return Backend(
        new_session=new_session,
        matches=Matches(),
        tokens=Random(1).getrandbits,
        bus=bus or LocalBus(asyncio.get_running_loop().call_soon),
        store=store or FakeStore(),
        workers=workers or FakeWorkers(),
        rebuild=rebuild,
        new_web_socket=new_web_socket,
    )


class FakeTransport(asyncio.Transport):
    """Remembers what was written; its peer reads all of it at once unless told not to."""

    def __init__(self, *, has_half_close: bool = True) -> None:
        super().__init__()
        self.has_half_close = has_half_close
        self.writes: list[bytes] = []
        self.limits: tuple[int | None, int | None] = (None, None)
        self.is_reading_now = True
        self.is_half_closed = False
        self.is_closed = False
        self.is_aborted = False

    @property
    def written(self) -> bytes:
        return b"".join(self.writes)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.is_half_closed
        self.writes.append(bytes(data))

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.limits = (high, low)

    def pause_reading(self) -> None:
        self.is_reading_now = False

    def resume_reading(self) -> None:
        self.is_reading_now = True

    def can_write_eof(self) -> bool:
        return self.has_half_close

    def write_eof(self) -> None:
        self.is_half_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = self.is_aborted = True


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_000

    def __call__(self) -> int:
        return self.now_ns

    def advance(self, seconds: float) -> None:
        self.now_ns += int(seconds * 1e9)


def come(
    hub: Hub, transport: FakeTransport, peer: str = PEER, origin: str = "somewhere"
) -> Connection:
    """Connect somebody who has rested, and is answered at once."""
    connection = Connection(hub, peer, origin)
    connection.debt_ns = 0
    hub.admit(connection)
    connection.connection_made(transport)
    return connection


def hear(connection: asyncio.BufferedProtocol, data: bytes) -> None:
    """Have a connection hear bytes, as a loop does."""
    memoryview(connection.get_buffer(-1))[: len(data)] = data
    connection.buffer_updated(len(data))


def check_time(hub: Hub) -> None:
    """Look at all connections."""
    for _ in range(SWEEP_STEPS):
        hub.check_time()


class Wire:
    """A connection between fakes, driven from the peer's side."""

    def __init__(
        self,
        plan: Plan | None = None,
        *,
        config: ServerConfig | None = None,
        beside: Wire | None = None,
        transport: FakeTransport | None = None,
        peer: str = PEER,
        origin: str = "somewhere",
        rebuild: Callable[[Any], object] = repr,
    ) -> None:
        self.session = FakeSession(plan)
        if beside is None:
            self.clock = FakeClock()
            self.store, self.workers = FakeStore(), FakeWorkers()
            self._next_sessions: list[FakeSession] = []
            self.bus = LocalBus(asyncio.get_running_loop().call_soon)
            backend = backend_of(self._new_session, self.store, self.workers, rebuild, self.bus)
            self.hub = Hub(config or ServerConfig(), backend, self.clock)
        else:
            self.clock, self.store, self.workers = beside.clock, beside.store, beside.workers
            self.bus = beside.bus
            self._next_sessions = beside._next_sessions
            self.hub = beside.hub
        self._next_sessions.append(self.session)
        self.transport = transport or FakeTransport()
        self.connection = come(self.hub, self.transport, peer, origin)

    def _new_session(self) -> FakeSession:
        return self._next_sessions.pop() if self._next_sessions else FakeSession()

    def make_next(self, session: FakeSession) -> None:
        """Have this session made when the next one is."""
        self._next_sessions.append(session)

    def send(self, data: bytes) -> None:
        hear(self.connection, data)

    def hang_up(self) -> None:
        self.connection.connection_lost(None)

    def check_time(self) -> None:
        check_time(self.hub)

    async def stored(self, *answers: object) -> None:
        """Have the store answer the next operations, after what was to be handed over was."""
        await turn()
        for answer in answers:
            self.store.answer(answer)
        await turn()

    async def until_written(self, text: bytes) -> None:
        while text not in self.written:
            await asyncio.wait_for(turn(), 60)

    @property
    def written(self) -> bytes:
        return self.transport.written


def costly_wire(plan: Plan | None = None, *, cost_s: float = 0.01) -> Wire:
    """A connection on which every packet takes longer to answer than a turn may."""
    wire = Wire(plan)
    wire.session.while_receiving = lambda: wire.clock.advance(cost_s)
    return wire
