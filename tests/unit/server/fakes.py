"""Stand-ins with the shape of what surrounds a connection: a session, a transport, a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any

from jminesweeper.protocol import Command, Packet, ProtocolError
from jminesweeper.server.backend import Backend
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.connection import Connection
from jminesweeper.server.dialogue import TURN_NS
from jminesweeper.server.lobby import Lobby
from jminesweeper.session import Close, Effect, Output

MOVE = Command.MOVE_RIGHT
MOVE_BYTE = b"\x02"
QUIT_BYTE = b"\x08"
GARBAGE = b"\x00"
START = bytes.fromhex("07 00000003 14 0a 01")


def on_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run an asynchronous test on an event loop of its own."""

    @wraps(test)
    def run() -> None:
        async def body() -> None:
            await test()

        asyncio.run(body())

    return run


async def turn() -> None:
    """Let the event loop call everything that is due now."""
    loop = asyncio.get_running_loop()
    passed = loop.create_future()
    loop.call_soon(passed.set_result, None)
    await passed


class FakeSession:
    """Answers the nth packet with `<n>`, and with the effects planned for it."""

    def __init__(self, plan: Mapping[int, tuple[Effect, ...]] | None = None) -> None:
        self.plan = plan or {}
        self.received: list[Packet] = []
        self.answers: list[object] = []
        self.settled: list[tuple[object, object]] = []
        self.on_leave: tuple[Effect, ...] = ()
        self.reply_size = 0
        self.while_receiving: Callable[[], None] = lambda: None
        self.has_left = False

    def receive(self, packet: Packet, now_ms: int) -> Output:
        self.received.append(packet)
        self.while_receiving()
        if packet is Command.QUIT:
            return b"", (Close(),)
        if packet is Command.TOGGLE_DEBUG_MODE:
            raise ZeroDivisionError("a bug")
        number = len(self.received)
        return b"<%d>" % number + b"." * self.reply_size, self.plan.get(number, ())

    def reject(self, error: ProtocolError, now_ms: int) -> Output:
        return b"<rejected>", (Close(),)

    def resolve(self, answer: object, now_ms: int) -> Output:
        self.answers.append(answer)
        return f"<answer {answer}>".encode(), ()

    def settle(self, operation: object, answer: object) -> None:
        self.settled.append((operation, answer))

    def farewell(self, message: str, now_ms: int, *, is_final: bool = False) -> bytes:
        return f"<{message}>".encode()

    def leave(self, now_ms: int) -> tuple[Effect, ...]:
        self.has_left = True
        return self.on_leave


class FakeStore:
    """Keeps commits waiting until the test says what becomes of them."""

    def __init__(self) -> None:
        self.commits: list[asyncio.Future[Any]] = []

    def commit(self, _operation: object) -> asyncio.Future[Any]:
        stored: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.commits.append(stored)
        return stored

    async def finish(self, number: int, error: Exception | None = None) -> None:
        if error is None:
            self.commits[number].set_result(number)
        else:
            self.commits[number].set_exception(error)
        await turn()


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


class Wire:
    """A connection between fakes, driven from the peer's side."""

    def __init__(
        self,
        session: FakeSession | None = None,
        *,
        backend: Backend | None = None,
        config: ServerConfig | None = None,
        lobby: Lobby | None = None,
        has_half_close: bool = True,
    ) -> None:
        self.session = session or FakeSession()
        self.clock = FakeClock()
        backend = backend or Backend(new_session=lambda: self.session)
        self.lobby = lobby or Lobby(config or ServerConfig(), backend, self.clock)
        self.transport = FakeTransport(has_half_close=has_half_close)
        self.lobby.admission.enter("somewhere")
        self.lobby.backend = replace(self.lobby.backend, new_session=lambda: self.session)
        self.connection = Connection(self.lobby, "peer", "somewhere")
        self.connection.connection_made(self.transport)

    def send(self, data: bytes) -> None:
        buffer = self.connection.get_buffer(-1)
        buffer[: len(data)] = data
        self.connection.buffer_updated(len(data))

    def hang_up(self) -> None:
        self.connection.connection_lost(None)

    @property
    def written(self) -> bytes:
        return self.transport.written


def wire_with_store(
    plan: Mapping[int, tuple[Effect, ...]],
) -> tuple[Wire, FakeStore]:
    session = FakeSession(plan)
    store = FakeStore()
    backend = Backend(new_session=lambda: session, commit=store.commit)
    return Wire(session, backend=backend), store


def dear_wire(plan: Mapping[int, tuple[Effect, ...]] | None = None) -> Wire:
    """A connection on which every packet takes longer to answer than a turn may."""
    wire = Wire(FakeSession(plan))
    wire.session.while_receiving = lambda: wire.clock.advance(2 * TURN_NS / 1e9)
    return wire
