"""A program on a terminal of its own, with every byte and every setting visible.

The terminal is a pseudo-terminal. Its slave stays open here, so that it can still be asked how it
was left when the program has ended.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

_LOCAL: Final = 3
_READ_AT_ONCE: Final = 65536
# Run by the child: what it is given as standard input becomes its session's terminal.
_TAKE_TERMINAL: Final = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
)


class PtyProgram:
    """A running program and the terminal it runs in."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
    ) -> None:
        self.output = b""
        self.master, self._slave = pty.openpty()
        self.resize(rows, columns)
        self.found = self.attributes()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *command],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env=environment,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def attributes(self) -> list[Any]:
        """Return how the line discipline is set."""
        return termios.tcgetattr(self._slave)

    def is_raw(self) -> bool:
        """Whether keys arrive one by one, and nothing is echoed."""
        return not self.attributes()[_LOCAL] & (termios.ICANON | termios.ECHO)

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def resize(self, rows: int, columns: int) -> None:
        """Give the terminal another size, of which the kernel tells the program."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str | bytes) -> None:
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def read(self, timeout_s: float) -> bytes:
        """Take what the program writes; empty if it writes nothing in time."""
        if not select.select([self.master], [], [], max(0.0, timeout_s))[0]:
            return b""
        data = os.read(self.master, _READ_AT_ONCE)
        self.output += data
        return data

    def close(self) -> None:
        """End the program and what it has started."""
        # Once it was waited for, its number may be another program's.
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal, also under the program."""
        if self.master >= 0:
            os.close(self._slave)
            os.close(self.master)
            self.master = -1
