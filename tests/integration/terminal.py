"""Real terminals for tests: a pseudo-terminal whose every byte is seen, and tmux.

The first proves what was written and how the line discipline was left; the second what a person
sees, alternate screen and job control included, which no emulator in Python has.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pyte

import jminesweeper
from jminesweeper.check.client import PtyProgram
from jminesweeper.terminal import escapes
from tests.integration.scripted_server import Script, ScriptedServer, serving

SOURCE = Path(jminesweeper.__file__).parents[1]
"""The package under test: in the tree, or as a wheel has installed it."""
CLIENT = [sys.executable, "-m", "jminesweeper", "client"]
FRAME_BEGIN, FRAME_END = escapes.FRAME_BEGIN.encode(), escapes.FRAME_END.encode()
TIMEOUT_S = 60.0


def client_environment(home: Path, **extra: str) -> dict[str, str]:
    """The environment of a player whose files are all in `home`."""
    inherited = {
        name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ
    }
    coverage = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    return {
        **inherited,
        **coverage,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "PYTHONPATH": str(SOURCE),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        **extra,
    }


class PtyProcess(PtyProgram):
    """A program on a terminal of its own, and what a person sees there."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        rows: int = 24,
        columns: int = 80,
    ) -> None:
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.lines: list[str] = []
        """The screen as the last whole frame left it, with no regard to the alternate one."""
        super().__init__(command, environment, rows, columns)

    def resize(self, rows: int, columns: int) -> None:
        self._screen.resize(rows, columns)
        self._show(b"")
        super().resize(rows, columns)

    def read(self, timeout_s: float) -> bytes:
        data = super().read(timeout_s)
        end = self.output.rfind(FRAME_END)
        rest = len(self.output) - end - len(FRAME_END)
        if end >= 0 and rest < len(data):
            self._show(data[: len(data) - rest])
            self._show(data[len(data) - rest :], is_whole=self.output.rfind(FRAME_BEGIN) < end)
        else:
            self._show(data, is_whole=self.output.rfind(FRAME_BEGIN) <= end)
        return data

    def _show(self, data: bytes, *, is_whole: bool = True) -> None:
        self._stream.feed(data)
        if is_whole:
            self.lines = [line.rstrip() for line in self._screen.display]

    def wait_for(self, text: str) -> None:
        """Read until the text has been written since the program began."""
        self.wait_until(lambda: text.encode() in self.output, text)

    def wait_for_screen(self, text: str) -> None:
        """Read until the screen shows the text."""
        self.wait_until(lambda: any(text in line for line in self.lines), text)

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + TIMEOUT_S
        while not holds():
            # Not everything that is waited for is written: hence not until the deadline.
            self.read(0.05)
            assert time.monotonic() < deadline, f"no {what!r}; wrote {self.output[-2000:]!r}"

    def finish(self) -> int:
        """Read until the program ends; its exit code."""
        if self.master < 0:
            return self.process.wait(TIMEOUT_S)
        deadline = time.monotonic() + TIMEOUT_S
        while self.process.poll() is None:
            self.read(0.05)
            assert time.monotonic() < deadline, f"does not end; wrote {self.output[-2000:]!r}"
        while self.read(0.0):
            continue
        return self.process.returncode

    def press(self, keys: str, *texts: str) -> None:
        """Type keys, and read until the screen shows each of the texts."""
        self.type(keys)
        for text in texts:
            self.wait_for_screen(text)

    @property
    def selected_row(self) -> str:
        """The line of the menu's selected row; empty where no menu is open."""
        return next((line for line in self.lines if "│ > " in line), "")

    def choose(self, row: str) -> None:
        """Go down to a row of the menu, and choose it: a key once the one before it has shown."""
        self.wait_until(lambda: self.selected_row != "", "a menu")
        while row not in (before := self.selected_row):
            self._go_down(before)
        self.type("\r")
        self.wait_until(lambda: self.selected_row != before, "what was chosen")

    def _go_down(self, before: str) -> None:
        self.type("\x1b[B")
        self.wait_until(lambda: self.selected_row not in {"", before}, "another row")

    def quit(self) -> None:
        """Press x; it ends well."""
        self.type("x")
        assert self.finish() == 0

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


@contextmanager
def on_pty(
    arguments: Sequence[str],
    home: Path,
    *,
    rows: int = 24,
    columns: int = 80,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[PtyProcess]:
    """Run the client on a pseudo-terminal."""
    process = PtyProcess(
        [*CLIENT, *arguments], client_environment(home, **environment), rows, columns
    )
    try:
        yield process
    finally:
        process.close()


@contextmanager
def at_play(
    home: Path,
    *scripts: Script,
    options: Sequence[str] = ("--resume",),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[ScriptedServer, PtyProcess]]:
    """Run the client against a server that follows scripts."""
    with (
        serving(*scripts) as server,
        on_pty([*options, server.address], home, environment=environment) as client,
    ):
        yield server, client


def wait_for_mines_left(client: PtyProcess, number: int) -> None:
    shown = re.compile(rf"mines +{number} ")
    client.wait_until(lambda: any(map(shown.search, client.lines)), f"mines {number}")


class Tmux:
    """One window of a tmux server of its own, with a shell in it."""

    def __init__(self, program: str, folder: Path, environment: Mapping[str, str]) -> None:
        self._program = program
        self._socket = folder / "tmux"
        self._fifo = folder / "output"
        self._environment = dict(environment)
        self._output = -1

    def open(self, columns: int, rows: int) -> None:
        os.mkfifo(self._fifo)
        # Read and write, so that neither end waits for the other to open it.
        self._output = os.open(self._fifo, os.O_RDWR | os.O_NONBLOCK)
        shell = ["env", "PS1=ready> ", "bash", "--norc", "--noprofile"]
        self._run(
            "-f", "/dev/null", "new-session", "-d", "-x", f"{columns}", "-y", f"{rows}", *shell
        )
        self._run("pipe-pane", f"cat > {shlex.quote(str(self._fifo))}")
        self.wait_for("ready>")

    def close(self) -> None:
        subprocess.run([self._program, "-S", self._socket, "kill-server"], check=False)
        if self._output >= 0:
            os.close(self._output)

    def run(self, command: str) -> None:
        """Type a command into the shell."""
        self.type(command, "Enter")

    def type(self, *keys: str) -> None:
        self._run("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._run("resize-window", "-x", f"{columns}", "-y", f"{rows}")

    def lines(self) -> list[str]:
        """Return the screen as a person sees it."""
        return [line.rstrip() for line in self._run("capture-pane", "-p").splitlines()]

    def text(self) -> str:
        return "\n".join(self.lines())

    def shows(self, variable: str) -> str:
        """Ask tmux itself, for instance for the cursor or the alternate screen."""
        return self._run("display-message", "-p", f"#{{{variable}}}").strip()

    def wait_for(self, *texts: str) -> None:
        self.wait_until(lambda: all(text in self.text() for text in texts), " and ".join(texts))

    def wait_until(self, holds: Callable[[], bool], what: str) -> None:
        """Look again whenever the program has written something."""
        deadline = time.monotonic() + TIMEOUT_S
        while not holds():
            assert time.monotonic() < deadline, f"never came: {what!r}; shown:\n{self.text()}"
            # What was written may not be on the screen yet: hence not until the deadline.
            if select.select([self._output], [], [], 0.1)[0]:
                os.read(self._output, 65536)

    def _run(self, *arguments: str) -> str:
        return subprocess.run(
            [self._program, "-S", str(self._socket), *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout


@contextmanager
def in_tmux(program: str, home: Path, *, columns: int = 80, rows: int = 24) -> Iterator[Tmux]:
    """Open a terminal as a person has one."""
    with tempfile.TemporaryDirectory(prefix="jm") as folder:  # short: sockets have short names
        tmux = Tmux(program, Path(folder), client_environment(home))
        try:
            tmux.open(columns, rows)
            yield tmux
        finally:
            tmux.close()


def client_command(*arguments: str) -> str:
    """The command line that starts the client in a shell."""
    return shlex.join([*CLIENT, *arguments])
