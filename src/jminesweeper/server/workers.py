"""Processes that compute what would hold up the loop: hints, no-guess boards, reviews.

They start when first needed. Each answer has a time limit, and so has the wait for a free process:
a request that takes too long, or comes when there are too many, gets no answer. A process that does
not finish is killed; so is one that exceeds its memory.

Who asks for much waits behind others, not in front of them. Requests queue up by origin, and the
origins take turns. A connection has one request at work at a time; of each kind one more may wait,
and a newer one takes its place. What takes long never gets the last process, so that hints go on
while boards are laid and large ones are looked at; nor does an origin whose request took long not
long ago.

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
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from math import inf
from time import process_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from jminesweeper.server.config import WorkerLoad
from jminesweeper.session.reply import Analyse, FindHint, FindOdds, FindSolved, LayBoard, Review

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

MEMORY_MIB: Final = 512
"""How much memory a process may have beside its program's code."""

GRACE_S: Final = 2.0
"""How much longer than its limit a task may take before its process is killed."""

START_S: Final = 30.0
"""How long a process may take to start, on a machine that has much else to do."""

PATIENCE_S: Final = 10.0
"""The longest wait for a free process."""

LONG_S: Final = 0.5
"""A request that takes so much of a processor makes its origin a demanding one.

Not a matter of the wall's clock: on a busy machine everybody's request takes long by that."""

DEMANDING_S: Final = 30.0
"""How long an origin stays demanding."""

MOST_DEMANDING: Final = 1024
"""How many origins are remembered."""

logger = logging.getLogger(__name__)


MOST_QUICK_CELLS: Final = 2_000
"""A hint on a larger board may take its whole second."""


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
    """Whether a request may take long, no matter who asks."""


TASKS: Final[Mapping[type, Task]] = MappingProxyType(
    {
        FindHint: Task("find_hint", takes_long=on_a_large_board),
        FindOdds: Task("find_odds", takes_long=on_a_large_board),
        FindSolved: Task("find_solved", takes_long=on_a_large_board),
        LayBoard: Task("lay_board", takes_long=always),
        Analyse: Task("analyse", takes_long=always),
        Review: Task("look_back"),
    }
)


class WorkDone(NamedTuple):
    """The result of a request; without an answer if the process did not survive it."""

    answer: object
    cpu_s: float


NO_OUTCOME: Final = WorkDone(None, 0.0)
KILLED: Final = WorkDone(None, inf)
_Answer = TypeVar("_Answer")


@dataclass(eq=False, slots=True)
class Assignment:
    """A request that waits for a process, or runs in one."""

    task: Task
    request: object
    asker: Hashable
    origin: str
    done: Callable[[object], None]
    patience: asyncio.TimerHandle | None = None
    """Ends the wait when it has become too long."""
    is_long: bool = False
    """Whether it was expected to take long when a process got it."""

    def stop_waiting(self) -> None:
        if self.patience is not None:
            self.patience.cancel()


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
        long_s: float = LONG_S,
    ) -> None:
        self._tasks = tasks
        self._patience_s = patience_s
        self._long_s = long_s
        self._all = [WorkerProcess(limit_s, grace_s, memory_mib) for _ in range(processes)]
        self._idle = list(self._all)
        self._waiting: OrderedDict[str, list[Assignment]] = OrderedDict()
        """By origin; the origin whose turn is next comes first."""
        self._at_work: dict[Hashable, asyncio.Task[WorkDone]] = {}
        """By asker."""
        self._long_at_work = 0
        self._most_long = max(1, processes - 1)
        self._demanding: OrderedDict[str, float] = OrderedDict()
        """When a request of an origin took long the last time."""

    def ask(
        self, request: object, asker: Hashable, origin: str, done: Callable[[object], None]
    ) -> None:
        """Answer a request: call `done` with the answer, or with None."""
        task = self._tasks[type(request)]
        for each in self._waiting.get(origin, ()):
            if each.asker == asker and each.task == task:
                self._give_up(each)
                break
        new = Assignment(task, request, asker, origin, done)
        loop = asyncio.get_running_loop()
        new.patience = loop.call_later(self._patience_s, self._give_up, new)
        self._waiting.setdefault(origin, []).append(new)
        self._assign()

    @property
    def load(self) -> WorkerLoad:
        waiting = sum(map(len, self._waiting.values()))
        return WorkerLoad(len(self._all), len(self._all) - len(self._idle), waiting)

    def forget(self, asker: Hashable) -> None:
        """Drop the waiting requests of a connection that has left; running ones finish."""
        waiting = [each for queue in self._waiting.values() for each in queue]
        for each in waiting:
            if each.asker == asker:
                self._withdraw(each)

    def close(self) -> None:
        """Stop the processes; running and waiting requests are given up."""
        for queue in self._waiting.values():
            for each in queue:
                each.stop_waiting()
        self._waiting.clear()
        for job in self._at_work.values():
            job.cancel()
        for process in self._all:
            process.kill()

    def _give_up(self, assignment: Assignment) -> None:
        self._withdraw(assignment)
        assignment.done(None)

    def _withdraw(self, assignment: Assignment) -> None:
        assignment.stop_waiting()
        queue = self._waiting[assignment.origin]
        queue.remove(assignment)
        if not queue:
            del self._waiting[assignment.origin]

    def _assign(self) -> None:
        """Give waiting requests to free processes."""
        while self._idle and (assignment := self._next()) is not None:
            self._withdraw(assignment)
            if assignment.origin in self._waiting:
                self._waiting.move_to_end(assignment.origin)
            self._begin(assignment, self._idle.pop())

    def _next(self) -> Assignment | None:
        for queue in self._waiting.values():
            for assignment in queue:
                has_room = self._long_at_work < self._most_long or not self._is_long(assignment)
                if has_room and assignment.asker not in self._at_work:
                    return assignment
        return None

    def _is_long(self, assignment: Assignment) -> bool:
        last_s = self._demanding.get(assignment.origin)
        if last_s is not None and asyncio.get_running_loop().time() - last_s < DEMANDING_S:
            return True
        return assignment.task.takes_long(assignment.request)

    def _begin(self, assignment: Assignment, process: WorkerProcess) -> None:
        loop = asyncio.get_running_loop()
        assignment.is_long = self._is_long(assignment)
        self._long_at_work += assignment.is_long
        job = loop.create_task(process.work(assignment.task, assignment.request))
        # A connection that left does not free the process: it is busy until done, or killed.
        self._at_work[assignment.asker] = job
        job.add_done_callback(partial(self._end, assignment, process))

    def _end(
        self,
        assignment: Assignment,
        process: WorkerProcess,
        job: asyncio.Task[WorkDone],
    ) -> None:
        del self._at_work[assignment.asker]
        if job.cancelled():
            return
        self._long_at_work -= assignment.is_long
        self._idle.append(process)
        if (error := job.exception()) is not None:
            logger.error("%s failed", assignment.task.function, exc_info=error)
            outcome = NO_OUTCOME
        else:
            outcome = job.result()
        if outcome.cpu_s >= self._long_s:
            self._remember(assignment.origin, asyncio.get_running_loop().time())
        assignment.done(outcome.answer)
        self._assign()

    def _remember(self, demanding: str, now_s: float) -> None:
        self._demanding[demanding] = now_s
        self._demanding.move_to_end(demanding)
        if len(self._demanding) > MOST_DEMANDING:
            self._demanding.popitem(last=False)


class WorkerProcess:
    """One process, started when it gets something to do and again after it was killed."""

    def __init__(self, limit_s: float, grace_s: float, memory_mib: int) -> None:
        self._limit_s = limit_s
        self._grace_s = grace_s
        self._memory_mib = memory_mib
        self._pool: concurrent.futures.Executor | None = None
        self._pid = 0

    async def work(self, task: Task, request: object) -> WorkDone:
        """Return the answer; none if there is none in time, or the process dies of it."""
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
            return self._give_up(NO_OUTCOME)
        return self._give_up(KILLED)

    def _give_up(self, outcome: WorkDone) -> WorkDone:
        self.kill()
        return outcome

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
    holds their other ends, too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_mib * 2**20,) * 2)
    threading.Thread(target=_end_with_the_server, name="server watch", daemon=True).start()


def _end_with_the_server() -> None:
    server = _multiprocessing().parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _prepare(module: str) -> int:
    """Import what tasks need, which takes longer than most of them; return the process's number."""
    import_module(module)
    return os.getpid()


def _carry_out(task: Task, request: object, limit_s: float) -> WorkDone:
    function = getattr(import_module(task.module), task.function)
    before_s = process_time()
    return WorkDone(function(request, limit_s), process_time() - before_s)
