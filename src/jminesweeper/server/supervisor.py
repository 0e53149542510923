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

    def __init__(self, process: asyncio.subprocess.Process, line: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        self.born_s = loop.time()
        self.is_ready: asyncio.Future[bool] = loop.create_future()
        """False if it ends before."""
        self.ended = loop.create_task(self._follow(process))
        """Its exit code."""
        self.pid = process.pid
        self._process = process
        self._watch = loop.call_later(STARTS_S, self._hangs)
        self._line = line
        line.setblocking(False)
        loop.add_reader(line, self._hear)

    def send_signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def _follow(self, process: asyncio.subprocess.Process) -> int:
        code = await process.wait()
        self._watch.cancel()
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
        if READY.encode() in data and not self.is_ready.done():
            self.is_ready.set_result(True)
        self._watch.cancel()
        limit_s = HANGS_S if self.is_ready.done() else STARTS_S
        self._watch = asyncio.get_running_loop().call_later(limit_s, self._hangs)

    def _hangs(self) -> None:
        logger.error("process %d hangs, and is killed", self.pid)
        self.send_signal(signal.SIGKILL)

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
        self._children: set[Child] = set()
        """All that run, also those that are about to leave their place."""
        self._stopping = asyncio.Event()
        self._calls = [asyncio.Event() for _ in handed]
        """Set where a process is to be replaced, and at the end."""
        self._one_at_a_time = asyncio.Lock()

    async def run(self) -> int:
        """Serve until a signal; return the exit code."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop, number)
        loop.add_signal_handler(signal.SIGHUP, self._call_all)
        first = await self._start(0)
        if first is None or not await first.is_ready:
            code = 1 if first is None else await first.ended
            return 0 if self._stopping.is_set() else code
        children = [first, *[await self._start(place) for place in range(1, len(self._handed))]]
        async with asyncio.TaskGroup() as places:
            for place, child in enumerate(children):
                places.create_task(self._keep(place, child))
            for each in filter(None, children):
                await each.is_ready
            self._tell(READY)
            logger.info("%d processes serve", len(children))
            with keeping_alive(os.environ, self._tell):
                await self._stopping.wait()
            self._tell(STOPPING)
        return 0

    def _call_all(self) -> None:
        for call in self._calls:
            call.set()

    def _stop(self, number: signal.Signals) -> None:
        """Begin to stop; the second time, or when that takes too long, stop at once."""
        if self._stopping.is_set():
            number = signal.SIGKILL
        else:
            asyncio.get_running_loop().call_later(STOP_TIMEOUT_S, self._stop, signal.SIGKILL)
        self._stopping.set()
        self._call_all()
        for child in self._children:
            child.send_signal(number)

    async def _start(self, place: int) -> Child | None:
        handed = [[each.fileno() for each in listeners] for listeners in self._handed[place]]
        named = [",".join(map(str, numbers)) for numbers in handed]
        ours, theirs = socket.socketpair()
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                pass_fds=[number for numbers in handed for number in numbers],
                env={**self._environment, **dict(zip(VARIABLES, named, strict=True))},
                # Ctrl-C is for the supervisor alone, which passes it on.
                start_new_session=True,
            )
        except OSError as error:
            logger.warning("no process can be started: %s", error)
            ours.close()
            return None
        finally:
            theirs.close()
        child = Child(process, ours)
        self._children.add(child)
        child.ended.add_done_callback(lambda _: self._children.discard(child))
        if self._stopping.is_set():
            child.send_signal(signal.SIGTERM)
        return child

    async def _keep(self, place: int, child: Child | None) -> None:
        """Keep a process in a place: another one when it ends, the next one when called for."""
        call, wait_s = self._calls[place], 0.0
        while not self._stopping.is_set():
            if child is None or child.ended.done():
                wait_s = _wait_after(child, wait_s)
                with suppress(TimeoutError):
                    await asyncio.wait_for(call.wait(), wait_s)
                call.clear()
                child = None if self._stopping.is_set() else await self._start(place)
            elif call.is_set():
                async with self._one_at_a_time:
                    child = await self._replace(place, child)
            else:
                called = asyncio.create_task(call.wait())
                await asyncio.wait((child.ended, called), return_when=asyncio.FIRST_COMPLETED)
                called.cancel()
        if child is not None:
            await child.ended

    async def _replace(self, place: int, leaving: Child) -> Child:
        """Have the next process serve, then the old one leave; return the one that serves."""
        call = self._calls[place]
        if not call.is_set() or self._stopping.is_set():
            return leaving
        call.clear()
        following = await self._start(place)
        if following is None or not await following.is_ready:
            if not self._stopping.is_set():
                logger.error("the next process could not start; the others stay")
                for each in self._calls:
                    each.clear()
            return leaving
        leaving.send_signal(signal.SIGINT)
        await asyncio.wait({leaving.ended}, timeout=STOP_TIMEOUT_S)
        leaving.send_signal(signal.SIGKILL)
        if not any(each.is_set() for each in self._calls):
            logger.info("all processes were replaced")
        return following


def _wait_after(child: Child | None, wait_s: float) -> float:
    """Return how long to wait for the next process, given the last one and the wait before it."""
    lived_s = 0.0 if child is None else asyncio.get_running_loop().time() - child.born_s
    wait_s = 0.0 if lived_s >= STEADY_S else min(max(FIRST_WAIT_S, wait_s * 2), LONGEST_WAIT_S)
    if child is not None:
        code = child.ended.result()
        logger.error("process %d ended with %d; the next one in %g s", child.pid, code, wait_s)
    return wait_s


def own_command() -> list[str]:
    """Return the command line that started this program."""
    return [sys.executable, *sys.orig_argv[1:]]
