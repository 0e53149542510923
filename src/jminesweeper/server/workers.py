"""Processes that work out what would hold up the loop: hints, boards without guesses, reviews.

They are started when first needed and each answer has a time limit. Whoever asks for too much
gets no answer; nobody else waits longer than a worker's turn.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final

Task = Callable[[Any, float], object]
"""Answers a request, in a process of its own, within so many seconds; None when it cannot."""

GRACE_S: Final = 2.0
"""How much longer than its limit a task may take: what is waited for is also its turn."""

logger = logging.getLogger(__name__)


class Workers:
    """A few processes, and what they are used for."""

    def __init__(self, processes: int, limit_s: float, *, grace_s: float = GRACE_S) -> None:
        self._processes = processes
        self._limit_s = limit_s
        self._grace_s = grace_s
        self._pool: ProcessPoolExecutor | None = None

    def handler(self, task: Task) -> Callable[[object], Awaitable[object]]:
        """Return what a backend needs to have requests answered by a task."""

        async def answer(request: object) -> object:
            return await self._run(task, request)

        return answer

    def close(self) -> None:
        """Stop the processes; what they are at is given up."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
            # The pool would let them finish, and the interpreter's exit would wait for that.
            for process in multiprocessing.active_children():
                process.kill()

    async def _run(self, task: Task, request: object) -> object:
        loop = asyncio.get_running_loop()
        try:
            future = loop.run_in_executor(self._open(), task, request, self._limit_s)
            return await asyncio.wait_for(future, self._limit_s + self._grace_s)
        except TimeoutError:
            logger.warning("%s took longer than %s s", task.__name__, self._limit_s)
            self.close()
        except BrokenProcessPool:
            logger.warning("a worker process ended unexpectedly at %s", task.__name__)
            self.close()
        return None

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                # A fork would copy the sockets and locks of a server with threads.
                multiprocessing.get_context("spawn"),
                initializer=_leave_signals_to_the_server,
            )
        return self._pool


def _leave_signals_to_the_server() -> None:
    """Ignore Ctrl-C, which a terminal sends to the server's whole process group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
