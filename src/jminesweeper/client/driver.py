"""A program and its driver: events in, effects out, a screen once no event waits.

A program decides everything and touches nothing: it has no clock, no socket and no terminal. The
terminal client, the line mode, the replay and a bot's link are programs. The driver stands between
a program and two things that touch the world and decide nothing:

- an *outlet*, where the player is: a terminal of one's own (`shell`), standard input and output
  (`plain`), or a terminal at the far end of SSH;
- an *uplink*, where the server is: TCP (`transport.Network`), or a pipe inside a server's process.

Both report what happens by `deliver`. The driver hands events over one by one, in order, and
carries out the effects of each before the next. A burst of keys and answers so costs one screen,
painted after the last of them. If nothing comes until the program's deadline, it gets `Expired`.
The run ends when the program leaves, and everything spawned for it ends then, too.

A terminal, here or at the far end of SSH, is taken once and given back as it was found
(`TerminalScreen`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Protocol

from jminesweeper.client.events import (
    AskBackground,
    ConnectionRequest,
    Effect,
    EnableMouse,
    Event,
    Expired,
    Leave,
    OutletEffect,
    Received,
    Send,
)
from jminesweeper.terminal import escapes


class Program(Protocol):
    """Events in, effects out, time an argument."""

    @property
    def deadline(self) -> float | None:
        """The time at which to deliver `Expired`."""

    def begin(self, now_s: float, /) -> list[Effect]:
        """Return the first effects."""

    def handle(self, event: Event, now_s: float, /) -> list[Effect]:
        """Handle an event; return its effects."""

    def paint(self, now_s: float, /) -> str:
        """Return what brings the player's screen up to date."""


class Outlet(Protocol):
    """The player's side of a program."""

    def perform(self, effect: OutletEffect, /) -> None:
        """Carry an effect out; whatever comes of it is an event."""

    @property
    def is_ready(self) -> bool:
        """False while the player has not read what was written: nothing more is painted."""

    def write(self, text: str, /) -> None:
        """Show what was painted."""


class Uplink(Protocol):
    """The server's side of a program."""

    async def connect(self) -> None:
        """Open a connection; report `Connected` or `Lost`."""

    def send(self, data: bytes, /) -> None:
        """Send bytes at once, or drop them if nobody is connected."""

    def resume(self) -> None:
        """Let the server send more, because everything received has been handled."""

    def abort(self) -> None:
        """Drop the connection, and report nothing more about it."""


class Driver:
    """Runs one program to its end."""

    _outlet: Outlet
    _uplink: Uplink
    _tasks: asyncio.TaskGroup

    def __init__(self, program: Program) -> None:
        self._program = program
        self._events: deque[Event] = deque()
        self._has_event = asyncio.Event()
        self._spawned: list[asyncio.Task[None]] = []

    def deliver(self, event: Event) -> None:
        """Queue an event for the program, after the ones delivered before."""
        self._events.append(event)
        self._has_event.set()

    def wake(self) -> None:
        """Paint again, because the outlet is ready."""
        self._has_event.set()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run something beside a running program; it ends with the program at the latest."""
        self._spawned = [task for task in self._spawned if not task.done()]
        self._spawned.append(self._tasks.create_task(work))

    async def run(self, outlet: Outlet, uplink: Uplink) -> Leave:
        """Run the program; return how it left."""
        self._outlet, self._uplink = outlet, uplink
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as self._tasks:
            leave = self._carry_out(self._program.begin(loop.time())) or self.take_turn()
            while leave is None:
                self._has_event.clear()
                if not self._events:
                    try:
                        async with asyncio.timeout_at(self._program.deadline):
                            await self._has_event.wait()
                    except TimeoutError:
                        self._events.append(Expired())
                leave = self.take_turn()
            for task in self._spawned:
                task.cancel()
        return leave

    def take_turn(self) -> Leave | None:
        """Hand over the events that wait, then paint; return how the program leaves, if it does."""
        now_s = asyncio.get_running_loop().time
        while self._events:
            event = self._events.popleft()
            leave = self._carry_out(self._program.handle(event, now_s()))
            if leave is not None:
                return leave
            if isinstance(event, Received):
                self._uplink.resume()
        if self._outlet.is_ready and (text := self._program.paint(now_s())):
            self._outlet.write(text)
        return None

    def _carry_out(self, effects: list[Effect]) -> Leave | None:
        for effect in effects:
            match effect:
                case Leave():
                    return effect
                case Send(data):
                    self._uplink.send(data)
                case ConnectionRequest.DIAL:
                    self.spawn(self._uplink.connect())
                case ConnectionRequest.HANG_UP:
                    self._uplink.abort()
                case _:
                    self._outlet.perform(effect)
        return None


class TerminalScreen:
    """Writes what is painted, between the sequences that open a screen and close it."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._is_open = self._has_mouse = False

    def show(self, painted: str) -> None:
        """Write what was painted; take the screen before the first time."""
        if not self._is_open:
            self._is_open = True
            self.take_again()
        self._write(painted)

    def perform(self, effect: EnableMouse | AskBackground) -> None:
        match effect:
            case EnableMouse():
                if self._is_open and not self._has_mouse:
                    self._write(escapes.MOUSE_ON)
                self._has_mouse = True
            case AskBackground():
                self._write(escapes.ASK_BACKGROUND)

    def give_back(self) -> None:
        """Close the screen if it was opened."""
        if self._is_open:
            self._write(escapes.closing(has_mouse=self._has_mouse))

    def take_again(self) -> None:
        """Open the screen again if it was given back for a while."""
        if self._is_open:
            self._write(escapes.opening(has_mouse=self._has_mouse))
