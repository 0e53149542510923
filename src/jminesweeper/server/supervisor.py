"""Several processes that serve one port, and the one that starts, watches and replaces them.

The supervisor opens the listening sockets and hands them to each process that it starts; the least
busy one accepts the next connection. It serves nobody itself, so it can wait for anything:

    a process ends        another takes its place: at once, or later where it did not last
    a process hangs       it is killed, and so it ends
    SIGHUP                one after the other, each process is replaced: the next one begins, is
                          ready, then the old one says goodbye; where the next one fails, the old
                          ones stay. The sockets stay open, so nobody is refused
    SIGTERM, SIGINT       all say goodbye
    the supervisor ends   each process finds its standard input at an end, and says goodbye

A new process is started by the command line of the first, so it runs the program as it then is.
Only once one is ready are the others started: where none can be, the program ends with its exit
code, as a single server does. What a process says on its standard output is told in `notify`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from jminesweeper.server.listening import VARIABLES, Inherited
from jminesweeper.server.notify import READY, STOPPING, Tell, keeping_alive

STEADY_S: Final = 10.0
"""A process that lasted this long is replaced at once."""
FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 30.0
HANGS_S: Final = 30.0
"""A process that is silent for this long is killed."""
STARTS_S: Final = 90.0
"""The limit before it serves: the machine may be busy, and an old store needs updating."""
STOP_TIMEOUT_S: Final = 20.0
"""How long all farewells may take; a process needs less."""

_NOT_HANDED_ON: Final = ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_PID")

logger = logging.getLogger("jminesweeper.server")


class Child:
    """A process that serves."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        self.pid = process.pid
        self.born_s = loop.time()
        self.is_ready: asyncio.Future[bool] = loop.create_future()
        """False if it ends before."""
        self._process = process
        self.ended = loop.create_task(self._follow())
        """Its exit code."""

    def send_signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def _follow(self) -> int:
        output = self._process.stdout or asyncio.StreamReader()
        try:
            while line := await asyncio.wait_for(
                output.readline(), HANGS_S if self.is_ready.done() else STARTS_S
            ):
                if line.decode().strip() == READY and not self.is_ready.done():
                    self.is_ready.set_result(True)
        except TimeoutError:
            logger.warning("process %d hangs, and is killed", self.pid)
            self.send_signal(signal.SIGKILL)
        code = await self._process.wait()
        if not self.is_ready.done():
            self.is_ready.set_result(False)
        return code


class Supervisor:
    """Keeps a process serving for each place, with the sockets it was given."""

    def __init__(
        self,
        handed: Sequence[Inherited],
        command: Sequence[str],
        environment: Mapping[str, str],
        tell: Tell,
    ) -> None:
        self._handed = handed
        self._command = command
        self._environment = {
            **{name: value for name, value in environment.items() if name not in _NOT_HANDED_ON},
            "WATCHDOG_USEC": str(int(HANGS_S * 1e6)),
        }
        self._tell = tell
        self._running: set[Child] = set()
        """All of them, also those that are about to leave their place."""
        self._serving: list[Child | None] = []
        """By place; None where none could be started."""
        self._keepers: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()

    async def run(self) -> int:
        """Serve until a signal; return the exit code."""
        loop, is_called = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        loop.add_signal_handler(signal.SIGHUP, is_called.set)
        first = await self._start(0)
        if first is None or not await first.is_ready:
            code = 1 if first is None else await first.ended
            return 0 if self._stopping.is_set() else code
        self._serving = [first, *[await self._start(n) for n in range(1, len(self._handed))]]
        async with asyncio.TaskGroup() as tasks:
            self._keepers = [tasks.create_task(self._keep(n)) for n in range(len(self._handed))]
            for each in filter(None, [*self._serving]):
                await each.is_ready
            replacing = tasks.create_task(self._replace_on_call(is_called, tasks))
            self._tell(READY)
            logger.info("%d processes serve", len(self._handed))
            with keeping_alive(os.environ, self._tell):
                await self._stopping.wait()
            self._tell(STOPPING)
            for task in (replacing, *self._keepers):
                task.cancel()
        await asyncio.gather(*(child.ended for child in self._running))
        return 0

    def _stop(self, number: signal.Signals) -> None:
        """Begin to stop; the second time, or when that takes too long, stop at once."""
        if self._stopping.is_set():
            number = signal.SIGKILL
        else:
            asyncio.get_running_loop().call_later(STOP_TIMEOUT_S, self._stop, signal.SIGKILL)
        self._stopping.set()
        for child in self._running:
            child.send_signal(number)

    async def _start(self, place: int) -> Child | None:
        handed = [[each.fileno() for each in listeners] for listeners in self._handed[place]]
        named = [",".join(map(str, numbers)) for numbers in handed]
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                pass_fds=[number for numbers in handed for number in numbers],
                env={**self._environment, **dict(zip(VARIABLES, named, strict=True))},
                # Ctrl-C is for the supervisor alone, which passes it on.
                start_new_session=True,
            )
        except OSError as error:
            logger.warning("no process can be started: %s", error)
            return None
        child = Child(process)
        self._running.add(child)
        child.ended.add_done_callback(lambda _: self._running.discard(child))
        if self._stopping.is_set():
            child.send_signal(signal.SIGTERM)
        return child

    async def _keep(self, place: int) -> None:
        """Start a process for a place whenever the one there ends."""
        wait_s = 0.0
        while True:
            child = self._serving[place]
            if child is not None:
                await asyncio.wait({child.ended})
            wait_s = _wait_after(child, wait_s)
            await asyncio.sleep(wait_s)
            self._serving[place] = await self._start(place)

    async def _replace_on_call(self, is_called: asyncio.Event, tasks: asyncio.TaskGroup) -> None:
        while await is_called.wait():
            is_called.clear()
            if await self._replace_all(tasks):
                logger.info("all processes were replaced")
            else:
                logger.error("the next process could not start; the others stay")

    async def _replace_all(self, tasks: asyncio.TaskGroup) -> bool:
        """In one place after the other have the next process serve, then the old one leave."""
        for place in range(len(self._handed)):
            following = await self._start(place)
            if following is None or not await following.is_ready:
                return False
            self._keepers[place].cancel()
            leaving, self._serving[place] = self._serving[place], following
            self._keepers[place] = tasks.create_task(self._keep(place))
            if leaving is not None:
                leaving.send_signal(signal.SIGINT)
                await asyncio.wait({leaving.ended}, timeout=STOP_TIMEOUT_S)
                leaving.send_signal(signal.SIGKILL)
        return True


def _wait_after(child: Child | None, wait_s: float) -> float:
    """Return how long to wait for the next process, given the last one and the wait before it."""
    lived_s = 0.0 if child is None else asyncio.get_running_loop().time() - child.born_s
    wait_s = 0.0 if lived_s >= STEADY_S else min(max(FIRST_WAIT_S, wait_s * 2), LONGEST_WAIT_S)
    if child is not None:
        code = child.ended.result()
        logger.error("process %d ended with %d; the next one in %g s", child.pid, code, wait_s)
    return wait_s


def own_command() -> list[str]:
    return [sys.executable, *sys.orig_argv[1:]]
