"""Several processes that serve one port, and the one that starts, watches and replaces them.

The supervisor opens the listening sockets and hands them to each process that it starts; the least
busy one accepts the next connection. It serves nobody itself, so it can wait for anything:

    a process ends        another takes its place: at once, or later where it did not last
    a process hangs       it is killed, and so it ends
    SIGHUP                each process is replaced: the next one begins, is ready, then the old one
                          says goodbye. The sockets stay open, so nobody is refused
    SIGTERM, SIGINT       all say goodbye
    the supervisor ends   each process finds its standard input at an end, and says goodbye

A new process is started by the command line of the first, so it runs the program as it then is.
Only once one is ready are the others started: where none can be, the program ends with its exit
code, as a single server does. Process and supervisor talk through one socket, which is standard
input and standard output of the process; what it says is told in `notify`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from jminesweeper.server.listening import VARIABLES, Inherited
from jminesweeper.server.notify import READY, STOPPING, Tell, keeping_alive

STEADY_S: Final = 10.0
"""A process that lasted this long is replaced at once."""
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 30.0
HANGS_S: Final = 30.0
"""A process that is silent for this long is killed."""
STARTS_S: Final = 90.0
"""The limit before it serves: the machine may be busy, and an old store needs updating."""
STOP_TIMEOUT_S: Final = 20.0
"""How long all farewells may take; a process needs less."""

_NOT_HANDED_ON: Final = ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "WATCHDOG_PID")

logger = logging.getLogger("jminesweeper.server")


class RestartWaits:
    """How long to wait before the next process, where they end one after the other."""

    def __init__(self) -> None:
        self._wait_s = 0.0

    def after(self, lived_s: float) -> float:
        """Return how long to wait, given how long the last process lived."""
        if lived_s >= STEADY_S:
            self._wait_s = 0.0
            return 0.0
        self._wait_s = min(max(FIRST_WAIT_S, self._wait_s * 2), LONGEST_WAIT_S)
        return self._wait_s


class Child:
    """A process that serves."""

    def __init__(self, process: asyncio.subprocess.Process, line: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        self.pid = process.pid
        self.born_s = self.heard_s = loop.time()
        self.is_ready: asyncio.Future[bool] = loop.create_future()
        """False if it ends before."""
        self.ended = loop.create_task(self._follow(process))
        """Its exit code."""
        self._line = line
        self._said = b""
        self._process = process
        line.setblocking(False)
        loop.add_reader(line, self._hear)

    def hangs(self, now_s: float) -> bool:
        limit_s = HANGS_S if self.is_ready.done() else STARTS_S
        return now_s - self.heard_s > limit_s

    def send_signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def end_within(self, timeout_s: float) -> None:
        """Wait for its end, and kill it if that takes too long."""
        done, _ = await asyncio.wait({self.ended}, timeout=timeout_s)
        if not done:
            self.send_signal(signal.SIGKILL)
            await asyncio.wait({self.ended})

    async def _follow(self, process: asyncio.subprocess.Process) -> int:
        code = await process.wait()
        self._hang_up()
        if not self.is_ready.done():
            self.is_ready.set_result(False)
        return code

    def _hear(self) -> None:
        try:
            data = self._line.recv(4096)
        except OSError:
            data = b""
        if not data:
            self._hang_up()
            return
        self.heard_s = asyncio.get_running_loop().time()
        *states, self._said = (self._said + data).split(b"\n")
        if READY.encode() in states and not self.is_ready.done():
            self.is_ready.set_result(True)

    def _hang_up(self) -> None:
        if self._line.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self._line)
            self._line.close()


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
        self._places: list[Child] = []
        self._children: set[Child] = set()
        """All that run, also those that are about to leave their place."""
        self._is_stopping = asyncio.Event()
        self._is_renewed = asyncio.Event()

    async def run(self) -> int:
        """Serve until a signal; return the exit code."""
        count = len(self._handed)
        self._listen_to_signals()
        first = await self._start(0)
        if not await first.is_ready:
            code = await first.ended
            return 0 if self._is_stopping.is_set() else code
        self._places = [first, *[await self._start(place) for place in range(1, count)]]
        try:
            async with asyncio.TaskGroup() as tasks:
                running = [tasks.create_task(self._fill(place)) for place in range(count)]
                running += [tasks.create_task(each()) for each in (self._renew, self._look_after)]
                await self._serve()
                for task in running:
                    task.cancel()
        finally:
            await asyncio.gather(*(child.end_within(STOP_TIMEOUT_S) for child in self._children))
        return 0

    async def _serve(self) -> None:
        for child in self._places:
            await child.is_ready
        self._tell(READY)
        logger.info("%d processes serve", len(self._places))
        with keeping_alive(os.environ, self._tell):
            await self._is_stopping.wait()
        self._tell(STOPPING)

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        loop.add_signal_handler(signal.SIGHUP, self._is_renewed.set)

    def _stop(self, number: signal.Signals) -> None:
        """Begin to stop; the second time, stop at once."""
        number = signal.SIGKILL if self._is_stopping.is_set() else number
        self._is_stopping.set()
        for child in tuple(self._children):
            child.send_signal(number)

    async def _start(self, place: int) -> Child:
        handed = [[each.fileno() for each in listeners] for listeners in self._handed[place]]
        named = [",".join(map(str, numbers)) for numbers in handed]
        ours, theirs = socket.socketpair()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                pass_fds=[number for numbers in handed for number in numbers],
                env={**self._environment, **dict(zip(VARIABLES, named, strict=True))},
                # Ctrl-C is for the supervisor alone, which passes it on.
                start_new_session=True,
            )
        child = Child(process, ours)
        self._children.add(child)
        child.ended.add_done_callback(lambda _: self._children.discard(child))
        if self._is_stopping.is_set():
            child.send_signal(signal.SIGTERM)
        return child

    async def _fill(self, place: int) -> None:
        """Keep a process in a place."""
        waits = RestartWaits()
        while True:
            child = self._places[place]
            code = await asyncio.shield(child.ended)
            if self._is_stopping.is_set():
                return
            if child is not self._places[place]:
                continue
            wait_s = waits.after(asyncio.get_running_loop().time() - child.born_s)
            logger.error("process %d ended with %d; the next one in %g s", child.pid, code, wait_s)
            await asyncio.sleep(wait_s)
            self._places[place] = await self._start(place)

    async def _renew(self) -> None:
        """Replace all processes, one after the other, on each request."""
        while True:
            await self._is_renewed.wait()
            self._is_renewed.clear()
            for place in range(len(self._places)):
                if not await self._replace(place):
                    logger.error("the next process could not start; the others stay")
                    break
            else:
                logger.info("all processes were replaced")

    async def _replace(self, place: int) -> bool:
        following = await self._start(place)
        if not await asyncio.shield(following.is_ready):
            return False
        leaving, self._places[place] = self._places[place], following
        leaving.send_signal(signal.SIGINT)
        await leaving.end_within(STOP_TIMEOUT_S)
        return True

    async def _look_after(self) -> None:
        """Kill processes that hang."""
        while True:
            await asyncio.sleep(min(HANGS_S, STARTS_S) / 4)
            now_s = asyncio.get_running_loop().time()
            for child in tuple(self._children):
                if child.hangs(now_s):
                    logger.error("process %d hangs, and is killed", child.pid)
                    child.send_signal(signal.SIGKILL)


def own_command() -> list[str]:
    """Return the command line that started this program."""
    return [sys.executable, *sys.orig_argv[1:]]
