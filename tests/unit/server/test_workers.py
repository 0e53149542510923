"""Worker processes."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.server.workers import TASKS, Task, Workers, always
from jminesweeper.session.reply import FindHint, FindOdds, FindSolved

FOR_EVER = """
import asyncio
from jminesweeper.server.workers import Task, Workers

async def main():
    workers = Workers(1, 10.0, tasks={float: Task("max", "builtins")})
    workers.ask(20.0, 1, "here", lambda answer: print(answer, flush=True))
    await asyncio.Event().wait()

asyncio.run(main())
"""


class Double(NamedTuple):
    number: int


class Name(NamedTuple):
    """Have the process say its number."""


class Die(NamedTuple):
    """Have the process end in the midst of its work."""


class Fail(NamedTuple):
    """Have the task raise."""


class Dawdle(NamedTuple):
    """Have the task take for ever."""


class Fill(NamedTuple):
    """Have the task take more memory than there is for it."""

    mebibytes: int


class WaitFor(NamedTuple):
    """Have the task say that it has begun, and end when it may."""

    begun: Path
    may_end: Path


class WaitLong(NamedTuple):
    """The same, as a task that takes long."""

    begun: Path
    may_end: Path


def double(request: Double, _limit_s: float) -> int:
    return 2 * request.number


async def others_done() -> None:
    """Wait until the tasks are over that run beside a test."""
    await asyncio.wait(asyncio.all_tasks() - {asyncio.current_task()})


def processes() -> set[int | None]:
    """The numbers of this program's processes."""
    return {each.pid for each in multiprocessing.active_children()}


def name_process(_request: Name, _limit_s: float) -> int:
    return os.getpid()


def die(_request: Die, _limit_s: float) -> None:
    os._exit(1)


def raise_error(_request: Fail, _limit_s: float) -> None:
    raise ZeroDivisionError


def dawdle(_request: Dawdle, _limit_s: float) -> None:
    end_s = time.monotonic() + 600
    while time.monotonic() < end_s:
        pass


def fill(request: Fill, _limit_s: float) -> int:
    return len(bytearray(request.mebibytes * 2**20))


def wait_for(request: WaitFor | WaitLong, _limit_s: float) -> str:
    request.begun.write_bytes(b"begun")
    request.may_end.read_bytes()
    return "done"


OURS = {
    Double: Task("double", __name__),
    Name: Task("name_process", __name__),
    Die: Task("die", __name__),
    Fail: Task("raise_error", __name__),
    Dawdle: Task("dawdle", __name__),
    Fill: Task("fill", __name__),
    WaitFor: Task("wait_for", __name__),
    WaitLong: Task("wait_for", __name__, takes_long=always),
}


class Office:
    """Workers, and what they have answered."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.answers: list[object] = []

    def ask(
        self, request: object, asker: object = None, origin: str = "here"
    ) -> asyncio.Future[object]:
        answered: asyncio.Future[object] = asyncio.get_running_loop().create_future()

        def done(answer: object) -> None:
            self.answers.append(answer)
            answered.set_result(answer)

        self.workers.ask(request, asker or answered, origin, done)
        return answered


class Busy:
    """A process that is at something until it is let go."""

    def __init__(
        self,
        office: Office,
        folder: Path,
        *,
        takes_long: bool = False,
        asker: object = None,
        origin: str = "here",
    ) -> None:
        self._pipes = folder / "begun", folder / "may end"
        for pipe in self._pipes:
            os.mkfifo(pipe)
        request = WaitLong(*self._pipes) if takes_long else WaitFor(*self._pipes)
        self.answer = office.ask(request, asker, origin)

    async def has_begun(self) -> None:
        await asyncio.to_thread(self._pipes[0].read_bytes)

    async def let_go(self) -> object:
        await asyncio.to_thread(self._pipes[1].write_bytes, b"")
        return await self.answer


@contextmanager
def office_of(processes: int = 1, limit_s: float = 60.0, **settings: Any) -> Iterator[Office]:
    usual: dict[str, Any] = {"memory_mib": 512, "grace_s": 2.0, "patience_s": 60.0}
    workers = Workers(processes, limit_s, tasks=OURS, **usual | settings)
    try:
        yield Office(workers)
    finally:
        workers.close()


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.function)
def test_every_task_of_the_server_is_a_function_that_there_is(task: Task) -> None:
    assert callable(getattr(import_module(task.module), task.function))


@pytest.mark.parametrize("request_of", [FindHint, FindOdds, FindSolved])
def test_help_takes_long_on_large_boards_alone(
    request_of: type[FindHint | FindOdds | FindSolved],
) -> None:
    takes_long = TASKS[request_of].takes_long
    expert, largest = (Game(Setup.of(size, 99, seed=1)) for size in (Size(30, 16), Size(255, 255)))
    assert not takes_long(request_of(expert.view, Cell(0, 0)))
    assert takes_long(request_of(largest.view, Cell(0, 0)))


def test_a_server_starts_without_the_solver() -> None:
    program = (
        "import sys, jminesweeper.cli.backends, jminesweeper.cli.client, jminesweeper.cli.server;"
        "sys.exit('jminesweeper.solver' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def test_a_task_answers_from_another_process() -> None:
    with office_of() as office:
        assert await office.ask(Double(21)) == 42


async def test_a_process_that_was_started_ahead_does_the_first_task() -> None:
    before = processes()
    with office_of() as office:
        office.workers.start_one()
        office.workers.start_one()
        await others_done()
        assert {await office.ask(Name())} == processes() - before


async def test_a_worker_that_dies_costs_one_answer() -> None:
    with office_of() as office:
        assert (await office.ask(Die()), await office.ask(Double(4))) == (None, 8)


async def test_a_task_that_fails_costs_one_answer_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR), office_of() as office:
        assert (await office.ask(Fail()), await office.ask(Double(4))) == (None, 8)
    assert caplog.messages == ["raise_error failed"]


async def test_a_task_gets_no_more_memory_than_it_may_have(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with office_of(memory_mib=256) as office:
        answers = [await office.ask(request) for request in (Fill(16), Fill(512), Double(4))]
        assert answers == [16 * 2**20, None, 8]
    assert caplog.messages == ["fill needs more than 256 MiB"]


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


async def test_where_no_process_can_be_started_there_is_no_answer_until_one_can() -> None:
    with office_of() as office:
        with no_descriptor_left():
            first = await office.ask(Double(3))
        assert (first, await office.ask(Double(4))) == (None, 8)


async def test_a_process_that_could_not_be_started_ahead_is_started_with_the_first_task(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO), office_of() as office:
        with no_descriptor_left():
            office.workers.start_one()
            await others_done()
        assert await office.ask(Double(21)) == 42


async def test_a_task_that_takes_too_long_is_given_up() -> None:
    with office_of(limit_s=0.05, grace_s=0.05) as office:
        assert await office.ask(Dawdle()) is None


async def test_who_waits_behind_a_task_that_is_given_up_is_answered_all_the_same() -> None:
    # On a busy machine the others have this long to be answered, too.
    with office_of(limit_s=1.5, grace_s=0.5) as office:
        requests = (Dawdle(), Double(0), Double(1), Double(2))
        assert await asyncio.gather(*map(office.ask, requests)) == [None, 0, 2, 4]


async def test_who_waits_for_too_long_gets_no_answer(tmp_path: Path) -> None:
    with office_of(patience_s=0.05) as office:
        busy = Busy(office, tmp_path)
        await busy.has_begun()
        second = await office.ask(Double(4))
        assert (await busy.let_go(), second) == ("done", None)


async def test_where_there_are_no_processes_there_is_no_answer() -> None:
    with office_of(processes=0, patience_s=0.01) as office:
        assert await office.ask(Double(4)) is None


async def test_tasks_that_take_long_leave_a_process_for_the_others(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()

    with office_of(processes=2) as office:
        busy = Busy(office, tmp_path, takes_long=True)
        await busy.has_begun()
        second = Busy(office, tmp_path / "other", takes_long=True, origin="elsewhere")
        third = await office.ask(Double(4), origin="a third place")
        waited = not second.answer.done()
        first = await busy.let_go()
        await second.has_begun()
        assert (waited, third, first, await second.let_go()) == (True, 8, "done", "done")


async def test_an_address_has_one_request_at_work_at_a_time(tmp_path: Path) -> None:
    with office_of(processes=2) as office:
        busy = Busy(office, tmp_path)
        await busy.has_begun()
        crowd = [office.ask(Double(number)) for number in range(3)]
        other = await office.ask(Double(100), origin="elsewhere")
        waited = not any(each.done() for each in crowd)
        await busy.let_go()
        assert (waited, other, await asyncio.gather(*crowd)) == (True, 200, [0, 2, 4])


async def test_a_newer_request_takes_the_place_of_an_older_one_that_waits(tmp_path: Path) -> None:
    with office_of() as office:
        busy = Busy(office, tmp_path, asker="greedy")
        await busy.has_begun()
        older, newer = (office.ask(Double(number), asker="greedy") for number in (1, 2))
        given_up = await older
        await busy.let_go()
        assert (given_up, await newer) == (None, 4)


async def test_what_waits_is_forgotten_with_its_player_and_what_is_at_work_continues(
    tmp_path: Path,
) -> None:
    with office_of() as office:
        busy = Busy(office, tmp_path, asker="leaver")
        await busy.has_begun()
        office.ask(Double(1), asker="leaver")
        office.workers.forget("leaver")
        other = office.ask(Double(2), asker="other")
        waited = not other.done()
        await busy.let_go()
        await other
        assert (waited, office.answers) == (True, ["done", 4])


async def test_what_waits_when_all_ends_is_given_up(tmp_path: Path) -> None:
    with office_of() as office:
        busy = Busy(office, tmp_path)
        await busy.has_begun()
        office.ask(Double(1))
        office.workers.close()
        assert office.answers == []


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
