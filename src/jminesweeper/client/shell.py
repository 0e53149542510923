"""The player's own terminal: its line discipline, keyboard, signals and screen.

`Shell` is the outlet of a program that runs there (see `driver`). However the program ends, the
terminal is given back as it was found.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from jminesweeper.client import ClientError, events
from jminesweeper.client.driver import Driver, Program, TerminalScreen
from jminesweeper.client.events import Leave, OutletEffect
from jminesweeper.client.own_files import keep_looks, keep_recording
from jminesweeper.client.transport import Dial, Network
from jminesweeper.terminal.layout import TerminalSize

_ENDING_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
SIGNAL_EXIT: Final = 128
"""Added to a signal's number, this is what shells report for a program that the signal ended."""
_TERMINAL_GONE: Final = events.Stopped(SIGNAL_EXIT + signal.SIGHUP)
_INPUT, _LOCAL, _CONTROL_CHARACTERS = 0, 3, 6
# Ctrl-S and Ctrl-Q are keys, and RETURN and LF arrive as they are; ICRNL stays as it was found.
_INPUT_FLAGS_OFF: Final = termios.IXON | termios.INLCR | termios.IGNCR
# Key by key, nothing echoed, no Ctrl-V and Ctrl-O; ISIG stays, so Ctrl-C and Ctrl-Z are signals.
_LOCAL_FLAGS_OFF: Final = termios.ICANON | termios.ECHO | termios.IEXTEN

_READ_AT_ONCE: Final = 65536
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


class TerminalError(ClientError):
    """The terminal is gone."""


class Shell:
    """Runs one program on one terminal; without `dial` it has no server."""

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
        self._terminal = terminal
        self._tell = tell
        self._folder = folder or Path.cwd()
        self._looks = looks
        self._driver = Driver(program)
        self._network = Network(self._driver.deliver, dial)

    async def run(self) -> Leave:
        """Run the program to its end, and restore the terminal in any case."""
        with self._terminal, self._signals(), self._keyboard():
            leave = await self._driver.run(self, self._network)
        await self._network.finish()
        return leave

    def wake(self) -> None:
        """Let the program look again, because something happened outside it."""
        self._driver.deliver(events.Expired())

    @property
    def is_ready(self) -> bool:
        return True

    def write(self, text: str) -> None:
        with self._end_without_terminal():
            self._terminal.screen.show(text)

    def perform(self, effect: OutletEffect) -> None:
        match effect:
            case events.EnableMouse() | events.AskBackground():
                with self._end_without_terminal():
                    self._terminal.screen.perform(effect)
            case events.Tell(text):
                self._tell(text)
            case events.Suspend():
                with self._end_without_terminal():
                    self._terminal.leave()
                loop = asyncio.get_running_loop()
                loop.remove_signal_handler(signal.SIGTSTP)
                # The system's own handling of the signal stops this process until a shell
                # continues it. SIGSTOP would also stop a game that has no shell to continue it.
                os.kill(0, signal.SIGTSTP)
                loop.add_signal_handler(signal.SIGTSTP, self._ask_to_stop)
                self._continue()
            case events.KeepRecording(text):
                now = datetime.now().astimezone()
                self._driver.deliver(events.Kept(keep_recording(text, self._folder, now)))
            case events.KeepLooks(looks) if self._looks is not None:
                if failure := keep_looks(looks, self._looks):
                    self._driver.deliver(events.Kept(failure))
            case _:
                # Lines are read and printed where no screen is painted.
                pass

    @contextmanager
    def _keyboard(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()

        def read_keys() -> None:
            data = self._terminal.read()
            if data:
                self._driver.deliver(events.Typed(data))
            elif data is not None:
                self._driver.deliver(_TERMINAL_GONE)
                loop.remove_reader(self._terminal.input_fd)

        loop.add_reader(self._terminal.input_fd, read_keys)
        try:
            yield
        finally:
            loop.remove_reader(self._terminal.input_fd)

    @contextmanager
    def _signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        handlers: dict[signal.Signals, Callable[[], None]] = {
            **{
                number: partial(self._driver.deliver, events.Stopped(SIGNAL_EXIT + number))
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
        self._driver.deliver(events.Resized(self._terminal.size()))

    def _ask_to_stop(self) -> None:
        self._driver.deliver(events.StopAsked())

    def _continue(self) -> None:
        with self._end_without_terminal():
            self._terminal.enter()
            self._resize()

    @contextmanager
    def _end_without_terminal(self) -> Iterator[None]:
        try:
            yield
        except TerminalError:
            self._driver.deliver(_TERMINAL_GONE)


class Tty:
    """A context manager that every exit of a game goes through.

    Entering changes only the line discipline, so that keys typed while the client is connecting
    are kept and not echoed; what is painted first then takes the screen. `leave` and `enter` hand
    the terminal to the user's shell and back when the game is suspended.
    """

    def __init__(self, input_fd: int, output_fd: int) -> None:
        self.input_fd = input_fd
        self.screen = TerminalScreen(self.write)
        self._output_fd = output_fd
        self._found: list[Any] | None = None

    def __enter__(self) -> Self:
        self.enter()
        return self

    def __exit__(self, *error: object) -> None:
        # A terminal that is gone cannot be restored, and must not hide why the game ended.
        with suppress(TerminalError):
            self.screen.give_back()
        with suppress(TerminalError):
            self._restore_line()

    def enter(self) -> None:
        """Change the line discipline, and take the screen again if `leave` gave it back."""
        # After SIGSTOP there was no `leave`: the attributes found first still count.
        if self._found is None:
            with _terminal_errors():
                self._found = termios.tcgetattr(self.input_fd)
        attributes = self._found.copy()
        attributes[_INPUT] &= ~_INPUT_FLAGS_OFF
        attributes[_LOCAL] &= ~_LOCAL_FLAGS_OFF
        characters = attributes[_CONTROL_CHARACTERS].copy()
        # A read never waits: the loop says when there is something.
        characters[termios.VMIN], characters[termios.VTIME] = 0, 0
        attributes[_CONTROL_CHARACTERS] = characters
        self._set_line(attributes, termios.TCSADRAIN)
        self.screen.take_again()

    def leave(self) -> None:
        """Restore the terminal until `enter` is called again."""
        self.screen.give_back()
        self._restore_line()

    def size(self) -> TerminalSize:
        """Return the size of the screen, or 80x24 where the terminal does not know it."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._output_fd)
            if columns and rows:
                return TerminalSize(columns, rows)
        return TerminalSize(80, 24)

    def write(self, text: str) -> None:
        """Write everything: in one call, unless the terminal takes less."""
        data = memoryview(text.encode())
        with _terminal_errors():
            while data:
                try:
                    data = data[os.write(self._output_fd, data) :]
                except BlockingIOError:
                    # Another program that shares the terminal made it non-blocking: not ours to
                    # undo.
                    select.select((), (self._output_fd,), ())

    def read(self) -> bytes | None:
        """Read what was typed, maybe nothing by now; empty means the terminal is gone.

        Ctrl-C discards what was typed before it, even after the loop announced it: a read that
        waited for a key would not return, and the signal would be missed.
        """
        try:
            if data := os.read(self.input_fd, _READ_AT_ONCE):
                return data
        except BlockingIOError:
            return None
        except OSError:
            return b""
        # Nothing was typed, or the terminal is gone.
        poll = select.poll()
        poll.register(self.input_fd, select.POLLIN)
        is_gone = any(event & _GONE for _, event in poll.poll(0))
        return b"" if is_gone else None

    def _set_line(self, attributes: list[Any], when: int) -> None:
        with _terminal_errors():
            termios.tcsetattr(self.input_fd, when, attributes)

    def _restore_line(self) -> None:
        found, self._found = self._found, None
        if found is not None:
            # Keys typed for the game and not read must not become a command of the shell.
            self._set_line(found, termios.TCSAFLUSH)


@contextmanager
def _terminal_errors() -> Iterator[None]:
    try:
        yield
    except (OSError, termios.error) as error:
        raise TerminalError("The terminal is gone.") from error
