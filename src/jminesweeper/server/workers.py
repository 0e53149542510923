"""Processes that compute what would hold up the loop: hints, no-guess boards, reviews.

One starts soon after the first player came, the others when they are needed. Each answer has a time
limit, and so has the wait for a free process: a request that takes too long, or comes when there
are too many, gets no answer. A process that does not finish is killed; so is one that exceeds its
memory. That is why each is a pool of its own: a pool of several ends with any of them.

An address has one request at work at a time: heavy users queue behind light ones. What takes
long never gets the last process, so that hints go on while boards are laid and large ones are
looked at. Of each kind a connection has one request waiting, and a newer one takes its place.

The server's own process never imports the solver: players should not wait for that. So a task is a
name, which the process looks up. Nor does a server load `multiprocessing` before it listens, but
for its first process.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import resource
import signal
import threading
from collections.abc import Awaitable, Callable, Hashable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    LayBoard,
    PlayBoard,
    RaceSolver,
    Review,
)

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

MEMORY_MIB: Final = 512
"""Memory that a process may have beside its program's code."""

GRACE_S: Final = 2.0
"""Time that a task may take beyond its limit before its process is killed."""

START_S: Final = 30.0
"""Time that a process may take to start, on a machine that has much else to do."""

PATIENCE_S: Final = 10.0
"""The longest wait for a free process."""

MOST_QUICK_CELLS: Final = 2_000
"""A hint on a larger board may take its whole second."""

logger = logging.getLogger(__name__)


def never(_request: object) -> bool:
    return False


def always(_request: object) -> bool:
    return True


def on_a_large_board(request: FindHint | FindOdds | FindSolved) -> bool:
    return request.view.size.cells > MOST_QUICK_CELLS


@dataclass(frozen=True, slots=True)
class Task:
    """A function `(request, limit_s) -> answer`, by its name; None is no answer."""

    function: str
    module: str = "jminesweeper.server.assistance"
    takes_long: Callable[[Any], bool] = never
    """Return True if a request may take long, no matter who asks."""


TASKS: Final[Mapping[type, Task]] = MappingProxyType(
    {
        FindHint: Task("find_hint", takes_long=on_a_large_board),
        FindOdds: Task("find_odds", takes_long=on_a_large_board),
        FindSolved: Task("find_solved", takes_long=on_a_large_board),
        LayBoard: Task("lay_board", takes_long=always),
        RaceSolver: Task("race", takes_long=always),
        PlayBoard: Task("play_board", takes_long=always),
        Analyse: Task("analyse", takes_long=always),
        Review: Task("look_back"),
    }
)


_Answer = TypeVar("_Answer")


class WorkerLoad(NamedTuple):
    """Number of processes, of busy ones, and of requests waiting for one."""

    processes: int
    busy: int
    waiting: int


class QueuedRequest(NamedTuple):
    """A request that has no process yet."""

    job: asyncio.Task[None]
    done: Callable[[object], None]


class Workers:
    """A few processes, and the requests that wait for them."""

    def __init__(
        self,
        processes: int,
        limit_s: float,
        *,
        memory_mib: int = MEMORY_MIB,
        tasks: Mapping[type, Task] = TASKS,
        grace_s: float = GRACE_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._tasks = tasks
        self._patience_s = patience_s
        self._all = [WorkerProcess(limit_s, grace_s, memory_mib) for _ in range(processes)]
        self._idle: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        for process in self._all:
            self._idle.put_nowait(process)
        self._long = asyncio.Semaphore(max(1, processes - 1))
        self._origins: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._waiting: dict[tuple[Hashable, Task], QueuedRequest] = {}
        self._jobs: set[asyncio.Task[None]] = set()
        self._has_started_one = False

    def ask(
        self, request: object, asker: Hashable, origin: str, done: Callable[[object], None]
    ) -> None:
        """Answer a request: call `done` with the answer, or with None."""
        task = self._tasks[type(request)]
        if (older := self._waiting.pop((asker, task), None)) is not None:
            older.job.cancel()
            older.done(None)
        job = asyncio.get_running_loop().create_task(self._work(task, request, asker, origin, done))
        self._waiting[asker, task] = QueuedRequest(job, done)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    def start_one(self) -> None:
        """Start a process ahead of the first request, which would wait for that; once."""
        if self._all and not self._has_started_one:
            self._has_started_one = True

            async def start() -> None:
                process = await self._idle.get()
                await process.start(next(iter(self._tasks.values())).module)
                self._idle.put_nowait(process)

            job = asyncio.get_running_loop().create_task(start())
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)

    @property
    def load(self) -> WorkerLoad:
        busy = len(self._all) - self._idle.qsize()
        return WorkerLoad(len(self._all), busy, len(self._waiting))

    def forget(self, asker: Hashable) -> None:
        """Drop the waiting requests of a connection that has left; running ones finish."""
        for key in [key for key in self._waiting if key[0] == asker]:
            self._waiting.pop(key).job.cancel()

    def close(self) -> None:
        """Stop the processes; running and waiting requests are given up."""
        for job in self._jobs:
            job.cancel()
        for process in self._all:
            process.kill()

    async def _work(
        self,
        task: Task,
        request: object,
        asker: Hashable,
        origin: str,
        done: Callable[[object], None],
    ) -> None:
        answer = process = None
        async with AsyncExitStack() as held:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience_s):
                    of_origin = self._origins.setdefault(origin, asyncio.Semaphore())
                    await held.enter_async_context(of_origin)
                    if task.takes_long(request):
                        await held.enter_async_context(self._long)
                    process = await self._idle.get()
            # From here on it is neither forgotten nor replaced: the process is busy until it ends.
            del self._waiting[asker, task]
            if process is not None:
                held.callback(self._idle.put_nowait, process)
                answer = await process.work(task, request)
        done(answer)


class WorkerProcess:
    """One process, started when it gets something to do and again after it was killed."""

    def __init__(self, limit_s: float, grace_s: float, memory_mib: int) -> None:
        self._limit_s = limit_s
        self._grace_s = grace_s
        self._memory_mib = memory_mib
        self._pool: concurrent.futures.Executor | None = None
        self._pid = 0

    async def start(self, module: str) -> None:
        """Start ahead of the first task, with the imports of its module, unless it has started."""
        try:
            if self._pool is None:
                await self._start(module)
        except (TimeoutError, concurrent.futures.BrokenExecutor, OSError) as error:
            logger.info("no worker process could be started ahead: %s", error)
            self.kill()

    async def work(self, task: Task, request: object) -> object:
        """Return the answer; None if there is none in time, or the process dies of it."""
        try:
            pool = self._pool or await self._start(task.module)
            async with asyncio.timeout(self._limit_s + self._grace_s):
                return await _submit(pool, _carry_out, task, request, self._limit_s)
        except TimeoutError:
            logger.warning("%s took longer than %s s", task.function, self._limit_s)
        except MemoryError:
            logger.warning("%s needs more than %d MiB", task.function, self._memory_mib)
        except concurrent.futures.BrokenExecutor:
            logger.warning("a worker process ended unexpectedly at %s", task.function)
        except OSError as error:
            logger.warning("no worker process can be started: %s", error.strerror)
        # A bug in the solver costs one answer.
        except Exception:
            logger.exception("%s failed", task.function)
            return None
        self.kill()
        return None

    def kill(self) -> None:
        """End the process, even at work."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        pool.shutdown(wait=False, cancel_futures=True)
        # The pool would let it finish, and the interpreter's exit would wait for that.
        for process in _multiprocessing().active_children():
            if process.pid == self._pid:
                process.kill()

    async def _start(self, module: str) -> concurrent.futures.Executor:
        self._pool = pool = concurrent.futures.ProcessPoolExecutor(
            1,
            _multiprocessing(),
            initializer=_become_a_worker,
            initargs=(self._memory_mib,),
        )
        async with asyncio.timeout(START_S):
            self._pid = await _submit(pool, _prepare, module)
        return pool


def _multiprocessing() -> SpawnContext:
    # A fork would copy the sockets and locks of a server with threads.
    spawning: SpawnContext = import_module("multiprocessing").get_context("spawn")
    return spawning


def _submit(
    pool: concurrent.futures.Executor, call: Callable[..., _Answer], *args: object
) -> Awaitable[_Answer]:
    return asyncio.get_running_loop().run_in_executor(pool, call, *args)


# What the processes do


def _become_a_worker(memory_mib: int) -> None:
    """Ignore Ctrl-C, which a terminal sends to the whole process group, but end with the server.

    A server that was killed cannot say goodbye, and the pool's own pipes do not tell: each worker
    holds their other ends, too. The processes of a bot do the same (`bot.playing`), but a bot
    imports nothing of a server's.
    """

    def end_with_the_server() -> None:
        server = _multiprocessing().parent_process()
        if server is not None:
            server.join()
            os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_mib * 2**20,) * 2)
    threading.Thread(target=end_with_the_server, name="server watch", daemon=True).start()


def _prepare(module: str) -> int:
    """Import what tasks need, which takes longer than most of them; return the process's number."""
    import_module(module)
    return os.getpid()


def _carry_out(task: Task, request: object, limit_s: float) -> object:
    return getattr(import_module(task.module), task.function)(request, limit_s)
