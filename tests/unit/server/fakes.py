"""Surroundings of real sessions, where a test runs on a real event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.protocol.packets import Start, encode
from jminesweeper.server.config import Backend
from jminesweeper.server.connection import Connection
from jminesweeper.server.hub import Hub
from jminesweeper.server.workers import WorkerLoad, Workers
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.session import Session
from jminesweeper.store.port import Job, Store
from tests.world.loop import FakeTransport

MOVE_BYTE = b"\x02"
QUIT_BYTE = b"\x08"
GARBAGE = b"\x00"
START = encode(Start(9, 9, 1))
NO_STORE = SessionConfig()


def fail(*_: object) -> None:
    raise ZeroDivisionError("a bug")


async def turn() -> None:
    """Let the event loop call everything that is due now."""
    loop = asyncio.get_running_loop()
    passed = loop.create_future()
    loop.call_soon(passed.set_result, None)
    await passed


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
    config: SessionConfig = NO_STORE,
    store: Store | None = None,
    workers: FakeWorkers | None = None,
    rebuild: Callable[[Any], object] = repr,
    bus: Bus | None = None,
    new_web_socket: Callable[[], Any] | None = None,
) -> Backend:
    """Have sessions, of which by default none asks the store for anything."""
    tokens, matches = Random(1).getrandbits, Matches(config.epoch_ms)
    return Backend(
        new_session=lambda: Session(config, tokens, matches),
        matches=matches,
        tokens=tokens,
        bus=bus or LocalBus(asyncio.get_running_loop().call_soon),
        store=store or FakeStore(),
        workers=workers or FakeWorkers(),
        rebuild=rebuild,
        new_web_socket=new_web_socket,
    )


def come(
    hub: Hub, transport: FakeTransport, peer: str = "192.0.2.7:4321", origin: str = "somewhere"
) -> Connection:
    """Connect somebody who has rested, and is answered at once."""
    connection = Connection(hub, peer, origin)
    connection.debt_ns = 0
    hub.admit(connection)
    connection.connection_made(transport)
    return connection
