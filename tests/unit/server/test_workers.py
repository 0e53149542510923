"""Worker processes."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jminesweeper.server.workers import Workers

FOR_EVER = """
import asyncio
from jminesweeper.server.workers import Workers

async def main():
    print(await Workers(1, 10.0).handler(max)(20.0), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def double(request: int, _limit_s: float) -> int:
    return 2 * request


def die(_request: object, _limit_s: float) -> None:
    os._exit(1)


def dawdle(_request: object, _limit_s: float) -> None:
    end_s = time.monotonic() + 600
    while time.monotonic() < end_s:
        pass


def wait_for(pipes: tuple[Path, Path], _limit_s: float) -> str:
    """Say that it has begun, and end when it may."""
    begun, may_end = pipes
    begun.write_bytes(b"begun")
    may_end.read_bytes()
    return "done"


class Busy:
    """A process that is at something until it is let go."""

    def __init__(self, workers: Workers, folder: Path) -> None:
        self._pipes = folder / "begun", folder / "may end"
        for pipe in self._pipes:
            os.mkfifo(pipe)
        ask = workers.handler(wait_for, takes_long=True)
        self.answer = asyncio.ensure_future(ask(self._pipes))

    async def has_begun(self) -> None:
        await asyncio.to_thread(self._pipes[0].read_bytes)

    async def let_go(self) -> None:
        await asyncio.to_thread(self._pipes[1].write_bytes, b"")


def work(
    action: Callable[[Workers], Awaitable[object]],
    processes: int = 1,
    *,
    limit_s: float = 10.0,
    grace_s: float = 2.0,
    patience_s: float = 30.0,
) -> object:
    async def run() -> object:
        workers = Workers(processes, limit_s, grace_s=grace_s, patience_s=patience_s)
        try:
            return await action(workers)
        finally:
            workers.close()

    return asyncio.run(run())


def test_a_task_answers_from_another_process() -> None:
    assert work(lambda workers: workers.handler(double)(21)) == 42


def test_a_worker_that_dies_costs_one_answer() -> None:
    async def ask_twice(workers: Workers) -> object:
        return await workers.handler(die)(None), await workers.handler(double)(4)

    assert work(ask_twice) == (None, 8)


@contextmanager
def no_descriptor_left() -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    first_free = os.open(os.devnull, os.O_RDONLY)
    os.close(first_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (first_free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_where_no_process_can_be_started_there_is_no_answer_until_one_can() -> None:
    async def ask_twice(workers: Workers) -> object:
        with no_descriptor_left():
            first = await workers.handler(double)(3)
        return first, await workers.handler(double)(4)

    assert work(ask_twice) == (None, 8)


def test_a_task_that_takes_too_long_is_given_up() -> None:
    assert work(lambda workers: workers.handler(dawdle)(None), limit_s=0.05, grace_s=0.05) is None


def test_who_waits_behind_a_task_that_is_given_up_is_answered_all_the_same() -> None:
    async def ask_all(workers: Workers) -> object:
        return await asyncio.gather(
            workers.handler(dawdle)(None), *map(workers.handler(double), range(3))
        )

    assert work(ask_all, limit_s=1.0, grace_s=0.05) == [None, 0, 2, 4]


def test_who_waits_for_too_long_gets_no_answer(tmp_path: Path) -> None:
    async def ask_meanwhile(workers: Workers) -> object:
        busy = Busy(workers, tmp_path)
        await busy.has_begun()
        second = await workers.handler(double)(4)
        await busy.let_go()
        return await busy.answer, second

    assert work(ask_meanwhile, patience_s=0.05) == ("done", None)


def test_tasks_that_take_long_leave_a_process_for_the_others(tmp_path: Path) -> None:
    async def ask_meanwhile(workers: Workers) -> object:
        busy = Busy(workers, tmp_path)
        await busy.has_begun()
        second = asyncio.ensure_future(workers.handler(double, takes_long=True)(3))
        third = await workers.handler(double)(4)
        waited = not second.done()
        await busy.let_go()
        return waited, third, await busy.answer, await second

    assert work(ask_meanwhile, processes=2) == (True, 8, "done", 6)


def test_who_leaves_does_not_let_another_task_into_a_busy_process(tmp_path: Path) -> None:
    async def leave(workers: Workers) -> object:
        busy = Busy(workers, tmp_path)
        await busy.has_begun()
        busy.answer.cancel()
        second = await workers.handler(double)(4)
        await busy.let_go()
        return second

    assert work(leave, patience_s=0.05) is None


def test_a_worker_does_not_outlive_a_server_that_was_killed() -> None:
    """Its standard output is the server's, so it ends when the last of them is gone."""
    with subprocess.Popen(
        [sys.executable, "-c", FOR_EVER], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "20.0\n"
        server.kill()
        assert server.stdout.read() == ""


def test_workers_that_were_never_needed_are_closed_too() -> None:
    Workers(1, 1.0).close()
