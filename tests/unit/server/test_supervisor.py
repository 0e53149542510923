"""One process that starts, watches and replaces others; these are scripts of a few lines."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jminesweeper.server import supervisor
from jminesweeper.server.listening import INHERITED, Inherited
from jminesweeper.server.supervisor import Supervisor, own_command

SERVE = """
import os, signal, socket, sys
births = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
births.sendto(str(os.getpid()).encode(), os.environ["PLACE"] + "/births")
os.write(1, b"READY=1\\n")
signal.sigwait({signal.SIGTERM, signal.SIGINT})
"""
STUBBORN = SERVE.replace("signal.sigwait({signal.SIGTERM, signal.SIGINT})", "signal.pause()")
BLOCKED = "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, {2, 15})"


def test_the_command_is_the_one_that_started_this_program() -> None:
    assert own_command()[0] == sys.executable
    assert own_command()[1:] == sys.orig_argv[1:]


class Host(logging.Handler):
    """A supervisor of scripts, and what is seen of it from outside."""

    def __init__(self, folder: Path) -> None:
        super().__init__(logging.INFO)
        self.folder = folder
        self.script = folder / "script.py"
        self.program = folder / "python"
        self.program.symlink_to(sys.executable)
        self.states: asyncio.Queue[str] = asyncio.Queue()
        self.born: set[int] = set()
        """Processes that have ever served."""
        self.change(SERVE)
        self._logged: asyncio.Queue[str] = asyncio.Queue()
        self._births = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._births.setblocking(False)
        self._births.bind(str(folder / "births"))

    def change(self, script: str) -> None:
        """Have processes run this from now on."""
        self.script.write_text(f"{BLOCKED}\n{script}")

    def supervise(self, count: int = 2) -> Supervisor:
        self.listener = socket.create_server(("127.0.0.1", 0))
        environment = {"PLACE": str(self.folder), "PATH": os.environ["PATH"], "LISTEN_PID": "1"}
        return Supervisor(
            [Inherited([self.listener])] * count,
            [str(self.program), "-S", str(self.script)],
            environment,
            self.states.put_nowait,
        )

    @asynccontextmanager
    async def running(self, count: int = 2) -> AsyncIterator[None]:
        """Let so many processes serve until the block ends."""
        running = asyncio.create_task(self.supervise(count).run())
        assert await self.states.get() == "READY=1"
        await self.await_births(count)
        try:
            yield
        finally:
            send(signal.SIGTERM)
            assert await running == 0

    async def await_births(self, count: int) -> None:
        """Wait until so many processes have served."""
        while len(self.born) < count:
            pid = await asyncio.get_running_loop().sock_recv(self._births, 100)
            self.born.add(int(pid))

    async def await_log(self, words: str) -> None:
        """Wait until the supervisor has logged this."""
        while words not in await self._logged.get():
            pass

    def emit(self, record: logging.LogRecord) -> None:
        self._logged.put_nowait(record.getMessage())

    def close(self) -> None:
        self.listener.close()
        self._births.close()
        assert not any(map(is_alive, self.born))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """No process outlives its test."""
    host = Host(tmp_path)
    supervisor.logger.addHandler(host)
    yield host
    supervisor.logger.removeHandler(host)
    host.close()


def send(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def _quick_restarts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    caplog.set_level(logging.INFO, supervisor.logger.name)
    monkeypatch.setattr(supervisor, "FIRST_WAIT_S", 0.01)
    before = {n: signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_all_processes(host: Host, number: signal.Signals) -> None:
    running = asyncio.create_task(host.supervise(3).run())
    assert await host.states.get() == "READY=1"
    await host.await_births(3)
    send(number)
    assert await running == 0
    assert await host.states.get() == "STOPPING=1"


async def test_a_process_that_dies_is_replaced(host: Host) -> None:
    async with host.running():
        for number in range(3, 6):
            os.kill(next(filter(is_alive, host.born)), signal.SIGKILL)
            await host.await_log("ended with -9; the next one in")
            await host.await_births(number)


async def test_where_none_can_start_its_exit_code_is_returned(host: Host) -> None:
    host.change("import os, sys; open(os.environ['PLACE'] + '/tried', 'a').write('.'); sys.exit(3)")
    assert await host.supervise(4).run() == 3
    assert (host.folder / "tried").read_text() == "."
    assert host.states.empty()


async def test_a_signal_before_anybody_serves_is_no_failure(host: Host) -> None:
    host.change(SERVE.replace('os.write(1, b"READY=1\\n")', ""))
    running = asyncio.create_task(host.supervise().run())
    await host.await_births(1)
    send(signal.SIGTERM)
    assert await running == 0


async def test_sighup_replaces_all_by_what_the_program_is_now(host: Host) -> None:
    async with host.running():
        old = set(host.born)
        host.change(SERVE + "# a new version")
        send(signal.SIGHUP)
        await host.await_log("all processes were replaced")
        await host.await_births(4)
        assert not any(map(is_alive, old))
        assert all(map(is_alive, host.born - old))


async def test_where_the_new_version_cannot_start_the_old_one_stays(host: Host) -> None:
    async with host.running():
        host.change("a mistake")
        send(signal.SIGHUP)
        await host.await_log("the next process could not start; the others stay")
        assert all(map(is_alive, host.born))


async def test_where_the_program_is_missing_for_a_moment_the_old_processes_stay(host: Host) -> None:
    async with host.running():
        old = set(host.born)
        away = host.program.rename(host.folder / "away")
        send(signal.SIGHUP)
        await host.await_log("no process can be started")
        await host.await_log("the next process could not start; the others stay")
        assert all(map(is_alive, old))
        away.rename(host.program)
        send(signal.SIGHUP)
        await host.await_log("all processes were replaced")
        assert not any(map(is_alive, old))


async def test_a_process_that_dies_while_the_program_is_missing_comes_back(host: Host) -> None:
    async with host.running():
        away = host.program.rename(host.folder / "away")
        os.kill(next(iter(host.born)), signal.SIGKILL)
        for _ in range(2):
            await host.await_log("no process can be started")
        away.rename(host.program)
        await host.await_births(3)


async def test_sighup_while_a_process_is_waited_for_starts_no_more_than_there_are_places(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host.running():
        monkeypatch.setattr(supervisor, "FIRST_WAIT_S", 30)
        os.kill(next(iter(host.born)), signal.SIGKILL)
        await host.await_log("the next one in 30 s")
        send(signal.SIGHUP)
        await host.await_log("all processes were replaced")
        await host.await_births(4)
        assert len([*filter(is_alive, host.born)]) == 2


async def test_processes_that_do_not_last_are_replaced_less_and_less_often(host: Host) -> None:
    async with host.running(1):
        host.change("raise SystemExit(3)")
        os.kill(next(iter(host.born)), signal.SIGKILL)
        for wait_s in (0.01, 0.02, 0.04):
            await host.await_log(f"the next one in {wait_s} s")


async def test_a_process_that_hangs_is_killed_and_replaced(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "HANGS_S", 0.2)
    async with host.running(1):
        await host.await_log("hangs, and is killed")
        await host.await_births(2)


async def test_a_process_that_never_serves_is_killed(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host.running(1):
        # Only now: on a busy machine the first process may take longer.
        monkeypatch.setattr(supervisor, "STARTS_S", 0.2)
        host.change("signal.pause()")
        send(signal.SIGHUP)
        await host.await_log("hangs, and is killed")
        await host.await_log("the next process could not start; the others stay")


async def test_processes_that_do_not_stop_are_killed_in_the_end(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT_S", 0.05)
    host.change(STUBBORN)
    running = asyncio.create_task(host.supervise().run())
    await host.states.get()
    send(signal.SIGTERM)
    assert await running == 0


async def test_a_second_signal_stops_at_once(host: Host) -> None:
    host.change(STUBBORN)
    running = asyncio.create_task(host.supervise().run())
    await host.states.get()
    send(signal.SIGINT)
    assert await host.states.get() == "STOPPING=1"
    send(signal.SIGINT)
    assert await running == 0


async def test_processes_get_the_sockets_and_nobody_elses_manager(host: Host) -> None:
    host.change(
        "import json, os, socket\n"
        f"numbers = os.environ['{INHERITED}'].split(',')\n"
        "ports = [socket.socket(fileno=int(n)).getsockname()[1] for n in numbers]\n"
        "facts = [sorted(os.environ), ports]\n"
        "open(os.environ['PLACE'] + '/facts', 'w').write(json.dumps(facts))\n" + SERVE
    )
    async with host.running(1):
        facts = (host.folder / "facts").read_text()
        assert f"[{host.listener.getsockname()[1]}]" in facts
        assert "WATCHDOG_USEC" in facts
        assert "LISTEN_PID" not in facts
