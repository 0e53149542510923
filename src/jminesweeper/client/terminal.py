"""The player's terminal, set up for a game and restored afterwards."""

from __future__ import annotations

import os
import select
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, Self

from jminesweeper.client.errors import TerminalError
from jminesweeper.terminal import escapes
from jminesweeper.terminal.layout import TerminalSize

_INPUT, _LOCAL, _CONTROL_CHARACTERS = 0, 3, 6
# Ctrl-S and Ctrl-Q are keys, and RETURN and LF arrive as they are; ICRNL stays as it was found.
_INPUT_FLAGS_OFF: Final = termios.IXON | termios.INLCR | termios.IGNCR
# Key by key, nothing echoed, no Ctrl-V and Ctrl-O; ISIG stays, so Ctrl-C and Ctrl-Z are signals.
_LOCAL_FLAGS_OFF: Final = termios.ICANON | termios.ECHO | termios.IEXTEN

_READ_AT_ONCE: Final = 65536
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL


class Tty:
    """A context manager that every exit of a game goes through.

    Entering changes only the line discipline, so that keys typed while the client is connecting
    are kept and not echoed; `open_screen` then takes the screen. `leave` and `enter` hand the
    terminal to the user's shell and back when the game is suspended.
    """

    def __init__(self, input_fd: int, output_fd: int) -> None:
        self.input_fd = input_fd
        self._output_fd = output_fd
        self._found: list[Any] | None = None
        self._screen_open = False
        self._mouse_on = False

    def __enter__(self) -> Self:
        self.enter()
        return self

    def __exit__(self, *error: object) -> None:
        # A terminal that is gone cannot be restored, and must not hide why the game ended.
        with suppress(TerminalError):
            self._close_screen()
        with suppress(TerminalError):
            self._restore_line()

    def enter(self) -> None:
        """Change the line discipline, and take the screen if it was open before `leave`."""
        # After SIGSTOP there was no `leave`: the attributes found first still count.
        if self._found is None:
            with _terminal_errors():
                self._found = termios.tcgetattr(self.input_fd)
        self._set_line(_game_attributes(self._found), termios.TCSADRAIN)
        if self._screen_open:
            self._write_opening()

    def leave(self) -> None:
        """Restore the terminal until `enter` is called again."""
        if self._screen_open:
            self._write_closing()
        self._restore_line()

    def open_screen(self) -> None:
        """Switch to the alternate screen; a second call does nothing."""
        if not self._screen_open:
            self._screen_open = True
            self._write_opening()

    def enable_mouse(self) -> None:
        """Make the terminal report clicks and drags."""
        if not self._mouse_on:
            self._mouse_on = True
            if self._screen_open:
                self.write(escapes.MOUSE_ON)

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
                data = data[self._write_some(data) :]

    def _write_some(self, data: memoryview) -> int:
        try:
            return os.write(self._output_fd, data)
        except BlockingIOError:
            # Another program that shares the terminal made it non-blocking: not ours to undo.
            select.select((), (self._output_fd,), ())
            return 0

    def read(self) -> bytes | None:
        """Read what was typed, maybe nothing by now; empty means the terminal is gone.

        Ctrl-C discards what was typed before it, even after the loop announced it: a read that
        waited for a key would not return, and the signal would be missed.
        """
        try:
            return os.read(self.input_fd, _READ_AT_ONCE) or self._nothing()
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def _nothing(self) -> bytes | None:
        """Distinguish a terminal on which nothing was typed from one that is gone."""
        poll = select.poll()
        poll.register(self.input_fd, select.POLLIN)
        is_gone = any(event & _GONE for _, event in poll.poll(0))
        return b"" if is_gone else None

    def _write_opening(self) -> None:
        mouse = escapes.MOUSE_ON if self._mouse_on else ""
        self.write(f"{escapes.ALTERNATE_SCREEN}{escapes.CLEAR}{mouse}{escapes.BRACKETED_PASTE}")

    def _write_closing(self) -> None:
        mouse = escapes.MOUSE_OFF if self._mouse_on else ""
        self.write(
            f"{escapes.FRAME_END}{escapes.PLAIN_PASTE}{mouse}{escapes.WRAP}{escapes.CURSOR_SHOWN}"
            f"{escapes.NORMAL_SCREEN}{escapes.PLAIN_TEXT}"
        )

    def _close_screen(self) -> None:
        if self._screen_open:
            self._screen_open = False
            self._write_closing()

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


def _game_attributes(found: list[Any]) -> list[Any]:
    attributes = found.copy()
    attributes[_INPUT] &= ~_INPUT_FLAGS_OFF
    attributes[_LOCAL] &= ~_LOCAL_FLAGS_OFF
    characters = attributes[_CONTROL_CHARACTERS].copy()
    # A read never waits: the loop says when there is something.
    characters[termios.VMIN], characters[termios.VTIME] = 0, 0
    attributes[_CONTROL_CHARACTERS] = characters
    return attributes
