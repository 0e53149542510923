"""Stand-ins with the shape of what surrounds a connection: session, store, transport, clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias, cast

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command, ProtocolError
from jminesweeper.records.documents import Flow
from jminesweeper.records.journal import Journal
from jminesweeper.server.config import Backend
from jminesweeper.server.connection import Connection
from jminesweeper.server.hub import SWEEP_STEPS, Hub
from jminesweeper.server.workers import WorkerLoad, Workers
from jminesweeper.session.matches import Matches
from jminesweeper.session.reply import Effects, Event, Reply, Ticked, Wait
from jminesweeper.store.port import Job, Read, Store
from tests.world.loop import FakeTransport

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
        self.hear: Callable[[bool], object] = fail
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
        self, address: str, hear: Callable[[bool], object], show: Callable[[], object]
    ) -> None:
        self.hear = hear

    def come_from(self, address: str) -> None:
        """The server names the player's own address."""

    def wait(self, length: int) -> Wait:
        return Wait(cast("Journal", self.journal), length, "before")

    def store(self, stored: int, *, must_renew: bool = False) -> None:
        """Have the store take so many entries, or bring others' along."""
        self.journal.stored = stored
        self.hear(must_renew)

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

    def renew(self, wait: Wait, replies: int, now_ms: int) -> Sequence[Reply]:
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


def come(
    hub: Hub, transport: FakeTransport, peer: str = PEER, origin: str = "somewhere"
) -> Connection:
    """Connect somebody who has rested, and is answered at once."""
    connection = Connection(hub, peer, origin)
    connection.debt_ns = 0
    hub.admit(connection)
    connection.connection_made(transport)
    return connection


def check_time(hub: Hub) -> None:
    """Look at all connections."""
    for _ in range(SWEEP_STEPS):
        hub.check_time()
