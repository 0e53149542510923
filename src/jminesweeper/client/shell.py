"""The terminal, the clock, the signals and the network around a program; it decides nothing.

A program, be it a game or a replay, turns events into effects. The shell brings it the events,
carries the effects out, and restores the terminal, no matter how the program ends.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from jminesweeper.client import events
from jminesweeper.client.errors import TerminalError
from jminesweeper.client.events import ConnectionRequest, Effect, Event, Leave
from jminesweeper.client.own_files import keep_looks, keep_recording
from jminesweeper.client.terminal import Tty
from jminesweeper.client.transport import Dial, Network

_ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
SIGNAL_EXIT: Final = 128
"""Added to a signal's number, this is what shells report for a program that the signal ended."""
_TERMINAL_GONE: Final = events.Stopped(SIGNAL_EXIT + signal.SIGHUP)


class Program(Protocol):
    """What runs on a terminal: events in, effects out, time an argument."""

    @property
    def deadline(self) -> float | None:
        """When to deliver `Expired`."""

    def begin(self, now_s: float, /) -> list[Effect]:
        """Return what to do first."""

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Handle an event; return the effects."""

    def paint(self, now_s: float) -> str:
        """Return what brings the terminal up to date, once no event waits."""


class Shell:
    """Runs one program on one terminal; without `dial` it has no network."""

    def __init__(
        self,
        program: Program,
        terminal: Tty,
        tell: Callable[[str], None],
        dial: Dial | None = None,
        *,
        folder: Path | None = None,
        looks: Path | None = None,
    ) -> None:
        self._program = program
        self._terminal = terminal
        self._tell = tell
        self._dial = dial
        self._folder = folder or Path.cwd()
        self._looks = looks
        self._network = Network()
        self._deliver = self._network.events.put_nowait
        self._dial_asked = asyncio.Event()

    async def run(self) -> Leave:
        """Run the program to its end, and restore the terminal in any case."""
        with self._terminal:
            async with asyncio.TaskGroup() as tasks:
                dialling = tasks.create_task(self._dial_when_asked())
                with self._signals(), self._keyboard():
                    leave = await self._serve()
                dialling.cancel()
        # Not just closed: a reset could overtake keys that the server has not read yet.
        await self._network.finish()
        return leave

    def wake(self) -> None:
        """Let the program look again, because of what happened outside of it."""
        self._deliver(events.Expired())

    async def _serve(self) -> Leave:
        effects = self._program.begin(self._now_s())
        while True:
            for effect in effects:
                if isinstance(effect, Leave):
                    return effect
                with self._end_without_terminal():
                    self._perform(effect)
            effects = await self._react()

    async def _react(self) -> list[Effect]:
        if self._network.events.empty() and (text := self._program.paint(self._now_s())):
            with self._end_without_terminal():
                self._terminal.open_screen()
                self._terminal.write(text)
        event = await self._network.next_event(self._program.deadline)
        effects = self._program.handle(event, self._now_s())
        if isinstance(event, events.Received):
            self._network.resume()
        return effects

    def _perform(self, effect: Effect) -> None:
        match effect:
            case ConnectionRequest.DIAL:
                self._dial_asked.set()
            case ConnectionRequest.HANG_UP:
                self._network.abort()
            case events.Send():
                self._network.send(effect.data)
            case events.EnableMouse():
                self._terminal.enable_mouse()
            case events.Tell():
                self._tell(effect.text)
            case events.Suspend():
                self._suspend()
            case events.Keep():
                now = datetime.now().astimezone()
                self._note(keep_recording(effect.text, self._folder, now))
            case events.KeepLooks() if self._looks is not None:
                self._note(keep_looks(effect.looks, self._looks))

    def _note(self, notice: str) -> None:
        """Have the program say what came of a file."""
        if notice:
            self._deliver(events.Kept(notice))

    async def _dial_when_asked(self) -> None:
        while self._dial is not None:
            await self._dial_asked.wait()
            self._dial_asked.clear()
            await self._network.connect(self._dial)

    @contextmanager
    def _keyboard(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_reader(self._terminal.input_fd, self._read_keys)
        try:
            yield
        finally:
            loop.remove_reader(self._terminal.input_fd)

    def _read_keys(self) -> None:
        data = self._terminal.read()
        if data:
            self._deliver(events.Typed(data))
        elif data is not None:
            self._deliver(_TERMINAL_GONE)
            asyncio.get_running_loop().remove_reader(self._terminal.input_fd)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        handlers: dict[signal.Signals, Callable[[], None]] = {
            **{
                number: partial(self._deliver, events.Stopped(SIGNAL_EXIT + number))
                for number in _ENDING_SIGNALS
            },
            signal.SIGWINCH: self._resize,
            signal.SIGTSTP: self._ask_to_stop,
            signal.SIGCONT: self._continue,
        }
        for number, handler in handlers.items():
            loop.add_signal_handler(number, handler)
        try:
            yield
        finally:
            for number in handlers:
                loop.remove_signal_handler(number)

    def _resize(self) -> None:
        self._deliver(events.Resized(self._terminal.size()))

    def _ask_to_stop(self) -> None:
        self._deliver(events.StopAsked())

    def _suspend(self) -> None:
        with self._end_without_terminal():
            self._terminal.leave()
        loop = asyncio.get_running_loop()
        loop.remove_signal_handler(signal.SIGTSTP)
        # The system's own handling of the signal stops this process until a shell continues it.
        # SIGSTOP would also stop a game that has no shell to continue it.
        os.kill(0, signal.SIGTSTP)
        loop.add_signal_handler(signal.SIGTSTP, self._ask_to_stop)
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
            self._deliver(_TERMINAL_GONE)

    @staticmethod
    def _now_s() -> float:
        return asyncio.get_running_loop().time()
