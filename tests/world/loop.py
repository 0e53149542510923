"""An event loop, a clock and a network that stand still until a test moves them."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import sys
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from typing import Any, Final, cast

from jminesweeper.core.errors import JMinesweeperError

RESOLUTION_NS: Final = 1_000_000
"""As asyncio's own, the loop calls what is due within the resolution of its clock."""

MOST_STEPS: Final = 20_000
"""More than all that can follow from one thing."""


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_000

    def __call__(self) -> int:
        return self.now_ns

    def advance(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)


class FakeLoop:
    """Calls what is due when it is run, and never waits.

    Its time is that of a fake clock. What would run in a thread is done at once, in its turn.
    """

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[int, int, asyncio.TimerHandle]] = []
        self._numbers = itertools.count()
        self._failures: list[dict[str, Any]] = []
        # It is one as far as asyncio asks.
        self._loop = cast("asyncio.AbstractEventLoop", self)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Be the running loop, also of who is inside another one."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self._loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(before)

    def run(self) -> None:
        """Call all that is due, without time passing."""
        steps = 0
        with self.running():
            while self._ready or self._is_due(self.clock.now_ns):
                steps += 1
                assert steps < MOST_STEPS, "this never comes to rest"
                while self._is_due(self.clock.now_ns):
                    self._ready.append(heapq.heappop(self._timers)[2])
                if self._ready and not (handle := self._ready.popleft()).cancelled():
                    handle._run()
        if self._failures:
            context = self._failures.pop()
            raise context.get("exception") or AssertionError(context)

    def step(self) -> None:
        """Call what is due now, and nothing that this makes due."""
        with self.running():
            for _ in range(len(self._ready)):
                if not (handle := self._ready.popleft()).cancelled():
                    handle._run()

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and call what is due meanwhile."""
        end_ns = self.clock.now_ns + round(seconds * 1e9)
        self.run()
        while self._is_due(end_ns):
            self.clock.now_ns = max(self.clock.now_ns, self._timers[0][0] - RESOLUTION_NS)
            self.run()
        self.clock.now_ns = end_ns

    def pass_to_next_timer(self) -> None:
        """Let time pass until something is due."""
        assert self._is_due(sys.maxsize), "nothing will ever happen"
        self.pass_time(max(0, self._timers[0][0] - RESOLUTION_NS - self.clock.now_ns) / 1e9)

    def _is_due(self, now_ns: int) -> bool:
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return bool(self._timers) and self._timers[0][0] <= now_ns + RESOLUTION_NS

    # What asyncio and the server ask of a loop

    def time(self) -> float:
        return self.clock.now_ns / 1e9

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self._loop, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self._loop, context)
        heapq.heappush(self._timers, (round(when * 1e9), next(self._numbers), timer))
        return timer

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Leave it: it is dropped when its time comes."""

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self._loop)

    def create_task(self, coro: Coroutine[Any, Any, Any], **_: Any) -> asyncio.Task[Any]:
        return asyncio.Task(coro, loop=self._loop)

    def run_in_executor(
        self, _executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        done = self.create_future()

        def work() -> None:
            try:
                result = func(*args)
            except (JMinesweeperError, ValueError, ArithmeticError) as error:
                if not done.cancelled():
                    done.set_exception(error)
            else:
                if not done.cancelled():
                    done.set_result(result)

        self.call_soon(work)
        return done

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def get_debug(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self._failures.append(context)


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


def hear(connection: asyncio.BufferedProtocol, data: bytes) -> None:
    """Have a connection hear bytes, as a loop does."""
    while data:
        buffer = memoryview(connection.get_buffer(-1))
        part, data = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(part)] = part
        connection.buffer_updated(len(part))
