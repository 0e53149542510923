"""Programs as the other scripts run them: to their end, as a server, on a terminal of their own."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pyte

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
JMINESWEEPER: Final = (sys.executable, "-m", "jminesweeper")
WAIT_S: Final = 15.0
OURS: Final = ("PYTHON", "XDG_", "LC_", "TERM", "NO_COLOR", "JMINESWEEPER_")
"""Variables that lead to the source or to a player's own settings begin so."""


def environment(home: Path) -> Mapping[str, str]:
    """Describe a player without any settings, on a terminal with all colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    folders = {"XDG_DATA_HOME": str(home / ".data"), "XDG_CONFIG_HOME": str(home / ".config")}
    return kept | folders | {"LANG": "C.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def run(*command: object, cwd: Path = ROOT, given: str = "") -> str:
    """Run a program to its end; what it prints is returned, and a failure ends this one."""
    result = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=environment(cwd),
        input=given,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if result.returncode:
        sys.exit(f"{result.stdout}\n{' '.join(map(str, command))}: exit code {result.returncode}")
    return result.stdout


@contextmanager
def server(home: Path, *options: str, program: tuple[str, ...] = JMINESWEEPER) -> Iterator[str]:
    """Run a server until the block ends; give its address."""
    process = subprocess.Popen(
        [*program, "server", "--host=127.0.0.1", "--port=0", "--store=memory", *options],
        cwd=home,
        env=environment(home),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        lines = iter(process.stderr or ())
        yield next(line.split()[-1] for line in lines if "listening on" in line)
    finally:
        process.terminate()
        process.communicate()


class Terminal:
    """A program on a terminal of its own, and what it wrote there, with the seconds since."""

    def __init__(
        self,
        command: Iterable[str],
        columns: int,
        rows: int,
        home: Path,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._ours, programs = pty.openpty()
        fcntl.ioctl(programs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._process = subprocess.Popen(
            [*command],
            stdin=programs,
            stdout=programs,
            stderr=programs,
            env={**environment(home), **variables},
        )
        os.close(programs)
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._began = time.monotonic()
        self.events: list[tuple[float, str]] = []

    def wait_for(self, text: str) -> None:
        """Wait until the screen shows a text; a picture of something else would be wrong."""
        until = time.monotonic() + WAIT_S
        while not any(text in line for line in self._screen.display):
            if not self._read(until):
                self.close()
                sys.exit("\n".join([*self._screen.display, f"{text!r} is not shown."]))

    @property
    def text(self) -> str:
        """The text of the screen."""
        return "\n".join(self._screen.display)

    def start_here(self) -> None:
        """Let what was written until now be there from the beginning."""
        self._began = time.monotonic()
        self.events = [(0.0, "".join(text for _, text in self.events))]

    def type(self, keys: Iterable[tuple[str, float]]) -> None:
        """Type keys, each with the seconds to wait after it, however fast the program is."""
        due = time.monotonic()
        for key, pause_s in keys:
            os.write(self._ours, key.encode())
            due += pause_s
            while self._read(due):
                pass
        self.events.append((round(due - self._began, 2), ""))

    def close(self) -> None:
        self._process.terminate()
        os.close(self._ours)
        self._process.wait()

    def _read(self, until: float) -> bool:
        """Take what is written next; False if nothing is until a moment."""
        if not select.select([self._ours], [], [], max(0, until - time.monotonic()))[0]:
            return False
        text = self._decode(os.read(self._ours, 1 << 16))
        self._stream.feed(text)
        self.events.append((round(time.monotonic() - self._began, 2), text))
        return True
