"""Processes that work out what would hold up the loop: hints, boards without guesses, reviews.

They are started when first needed. Each answer has a time limit, and so has the wait for a process
to be free: whoever asks for too much, or when too many ask, gets no answer. A process that does
not come to an end is killed; what others asked for goes on.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from asyncio import Semaphore
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AsyncExitStack
from typing import Any, Final

Task = Callable[[Any, float], object]
"""Answers a request, in a process of its own, within so many seconds; None when it cannot."""

GRACE_S: Final = 2.0
"""How much longer than its limit a task may take before its process is killed."""

START_S: Final = 30.0
"""How long a process may take to start, on a machine that has much else to do."""

PATIENCE_S: Final = 10.0
"""How long somebody is kept waiting for a process to be free."""

logger = logging.getLogger(__name__)


class Worker:
    """One process, started when it gets something to do and again after it was killed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._pid = 0

    async def work(self, task: Task, request: object, limit_s: float, grace_s: float) -> object:
        """Return the answer; None if there is none in time, or the process dies of it."""
        try:
            pool = self._pool or await self._start()
            async with asyncio.timeout(limit_s + grace_s):
                return await _submit(pool, task, request, limit_s)
        except TimeoutError:
            logger.warning("%s took longer than %s s", _name(task), limit_s)
            self.kill()
        except BrokenProcessPool:
            logger.warning("a worker process ended unexpectedly at %s", _name(task))
            self.kill()
        except OSError as error:
            logger.warning("no worker process can be started: %s", error.strerror)
            self.kill()
        return None

    def kill(self) -> None:
        """End the process, whatever it is at."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        pool.shutdown(wait=False, cancel_futures=True)
        # The pool would let it finish, and the interpreter's exit would wait for that.
        for process in multiprocessing.active_children():
            if process.pid == self._pid:
                process.kill()

    async def _start(self) -> ProcessPoolExecutor:
        self._pool = pool = ProcessPoolExecutor(
            1,
            # A fork would copy the sockets and locks of a server with threads.
            multiprocessing.get_context("spawn"),
            initializer=_depend_on_the_server,
        )
        async with asyncio.timeout(START_S):
            self._pid = await _submit(pool, os.getpid)
        return pool


class Workers:
    """A few processes, and what they are used for."""

    def __init__(
        self,
        processes: int,
        limit_s: float,
        *,
        grace_s: float = GRACE_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._limit_s = limit_s
        self._grace_s = grace_s
        self._patience_s = patience_s
        self._all = [Worker() for _ in range(processes)]
        self._idle = list(self._all)
        self._seats = Semaphore(processes)
        # One process is left for what takes long never: hints go on while boards are laid.
        self._seats_for_long = Semaphore(max(1, processes - 1))
        self._jobs: set[asyncio.Task[object]] = set()

    def handler(
        self, task: Task, *, takes_long: bool = False
    ) -> Callable[[object], Awaitable[object]]:
        """Return what a backend needs to have requests answered by a task."""

        async def answer(request: object) -> object:
            async with AsyncExitStack() as seats:
                if not await self._wait_for_seats(seats, takes_long=takes_long):
                    return None
                job = asyncio.create_task(self._work(task, request, seats.pop_all()))
            # Who has left does not free the process: it is busy until it is done, or killed.
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)
            return await asyncio.shield(job)

        return answer

    def close(self) -> None:
        """Stop the processes; what they are at is given up."""
        for job in self._jobs:
            job.cancel()
        for worker in self._all:
            worker.kill()

    async def _wait_for_seats(self, seats: AsyncExitStack, *, takes_long: bool) -> bool:
        try:
            async with asyncio.timeout(self._patience_s):
                if takes_long:
                    await seats.enter_async_context(self._seats_for_long)
                await seats.enter_async_context(self._seats)
        except TimeoutError:
            return False
        return True

    async def _work(self, task: Task, request: object, seats: AsyncExitStack) -> object:
        async with seats:
            worker = self._idle.pop()
            try:
                return await worker.work(task, request, self._limit_s, self._grace_s)
            finally:
                self._idle.append(worker)


def _submit(pool: ProcessPoolExecutor, call: Callable[..., Any], *args: object) -> Awaitable[Any]:
    return asyncio.get_running_loop().run_in_executor(pool, call, *args)


def _name(task: Task) -> str:
    return getattr(task, "__name__", repr(task))


def _depend_on_the_server() -> None:
    """Ignore Ctrl-C, which a terminal sends to the whole process group, but end with the server.

    A server that was killed cannot say goodbye, and the pool's own pipes do not tell: each worker
    holds their other ends, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, name="server watch", daemon=True).start()


def _end_with_the_server() -> None:
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
