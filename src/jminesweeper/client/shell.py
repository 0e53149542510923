"""The terminal, the clock, the signals and the socket around a `Program`; it decides nothing."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple, Protocol, TypeAlias

from jminesweeper.client import events
from jminesweeper.client.connection import Connection
from jminesweeper.client.errors import ClientError, TerminalError
from jminesweeper.client.events import Deliver, Effect, Event, Leave
from jminesweeper.client.terminal import Terminal

_ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
SIGNAL_EXIT: Final = 128
"""Added to a signal's number, what shells report for a program that the signal ended."""
_TERMINAL_GONE: Final = events.Stopped(SIGNAL_EXIT + signal.SIGHUP)
_QUIT_WAIT_S: Final = 1.0


class Link(NamedTuple):
    """A connection, and what the player should know about where it leads."""

    connection: Connection
    notice: str = ""


Dialler: TypeAlias = Callable[[Deliver], Awaitable[Link]]
"""Opens a connection whose events go to the function given, or raises ClientError."""


class Program(Protocol):
    """What is run on a terminal: events in, effects out, time an argument."""

    @property
    def deadline(self) -> float | None:
        """When to come with `Expired`."""

    def begin(self) -> list[Effect]:
        """Begin."""

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Do what the event calls for."""


class Shell:
    """Runs one program, a game or a replay, on one terminal."""

    def __init__(
        self, program: Program, terminal: Terminal, dial: Dialler, tell: Callable[[str], None]
    ) -> None:
        self._program = program
        self._terminal = terminal
        self._dial = dial
        self._tell = tell
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._dial_asked = asyncio.Event()
        self._connection: Connection | None = None

    async def run(self) -> Leave:
        """Play until the game is left; the terminal is restored by then, whatever happened."""
        with self._terminal:
            async with asyncio.TaskGroup() as tasks:
                dialling = tasks.create_task(self._dial_when_asked())
                with self._signals(), self._keyboard():
                    leave = await self._serve()
                dialling.cancel()
        if self._connection is not None:
            # Not just closed: a reset could overtake keys that the server has not read yet.
            await self._connection.finish(_QUIT_WAIT_S)
        return leave

    async def _serve(self) -> Leave:
        effects = self._program.begin()
        while True:
            for effect in effects:
                if isinstance(effect, Leave):
                    return effect
                with self._end_without_terminal():
                    self._perform(effect)
            effects = await self._react()

    async def _react(self) -> list[Effect]:
        event = await self._next_event()
        effects = self._program.handle(event, self._now_s())
        if isinstance(event, events.Received) and self._connection is not None:
            self._connection.resume()
        return effects

    async def _next_event(self) -> Event:
        try:
            async with asyncio.timeout_at(self._program.deadline):
                return await self._events.get()
        except TimeoutError:
            return events.Expired()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case events.Dial():
                self._dial_asked.set()
            case events.HangUp():
                if self._connection is not None:
                    self._connection.abort()
            case events.Send():
                if self._connection is not None:
                    self._connection.send(effect.data)
            case events.Paint():
                self._terminal.open_screen()
                self._terminal.write(effect.text)
            case events.EnableMouse():
                self._terminal.enable_mouse()
            case events.Tell():
                self._tell(effect.text)

    async def _dial_when_asked(self) -> None:
        while True:
            await self._dial_asked.wait()
            self._dial_asked.clear()
            try:
                self._connection, notice = await self._dial(self._events.put_nowait)
            except ClientError as error:
                self._events.put_nowait(events.Lost(str(error)))
            else:
                self._events.put_nowait(events.Connected(notice))

    @contextmanager
    def _keyboard(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_reader(self._terminal.input_fd, self._read_keys)
        try:
            yield
        finally:
            loop.remove_reader(self._terminal.input_fd)

    def _read_keys(self) -> None:
        with suppress(BlockingIOError):
            data = self._terminal.read()
            if data:
                self._events.put_nowait(events.Typed(data))
            else:
                self._events.put_nowait(_TERMINAL_GONE)
                asyncio.get_running_loop().remove_reader(self._terminal.input_fd)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        handlers: dict[signal.Signals, Callable[[], None]] = {
            **{number: partial(self._stop, number) for number in _ENDING_SIGNALS},
            signal.SIGWINCH: self._resize,
            signal.SIGTSTP: self._suspend,
            signal.SIGCONT: self._continue,
        }
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
        try:
            yield
        finally:
            for number in handlers:
                loop.remove_signal_handler(number)

    def _stop(self, number: signal.Signals) -> None:
        self._events.put_nowait(events.Stopped(SIGNAL_EXIT + number))

    def _resize(self) -> None:
        self._events.put_nowait(events.Resized(self._terminal.size()))

    def _suspend(self) -> None:
        with self._end_without_terminal():
            self._terminal.leave()
        loop = asyncio.get_running_loop()
        loop.remove_signal_handler(signal.SIGTSTP)
        # Stopped here by the system's own handling of the signal, until somebody continues us.
        # SIGSTOP would also stop a game that no shell is there to continue.
        os.kill(0, signal.SIGTSTP)
        loop.add_signal_handler(signal.SIGTSTP, self._suspend)
        self._continue()

    def _continue(self) -> None:
        with self._end_without_terminal():
            self._terminal.enter()
            self._resize()

    @contextmanager
    def _end_without_terminal(self) -> Iterator[None]:
        try:
            yield
        except TerminalError:
            self._events.put_nowait(_TERMINAL_GONE)

    @staticmethod
    def _now_s() -> float:
        return asyncio.get_running_loop().time()
