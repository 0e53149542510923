"""The real server as a process of its own, and what it writes to its log."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import jminesweeper

SOURCE = Path(jminesweeper.__file__).parents[1]
"""The package under test: in the tree, or as a wheel has installed it."""
TIMEOUT_S = 60.0
LISTENING = re.compile(r"listening on \S+:(\d+)")


class ServerProcess:
    """A running server; `log` is all it has written so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self._process = process
        self._lines: list[str] = []
        self._has_changed = threading.Condition()
        self._has_ended = False
        self._reader = threading.Thread(target=self._read_log, args=(process.stderr,))
        self._reader.start()
        self.port = 0

    @property
    def log(self) -> str:
        return "".join(self._lines)

    def await_log(self, pattern: str) -> re.Match[str]:
        """Wait for a line of the log, which may have been written already."""
        with self._has_changed:
            self._has_changed.wait_for(
                lambda: self._has_ended or re.search(pattern, self.log), TIMEOUT_S
            )
        found = re.search(pattern, self.log)
        assert found is not None, f"not in the log: {pattern}\n{self.log}"
        return found

    @property
    def pid(self) -> int:
        return self._process.pid

    def send_signal(self, number: int) -> None:
        self._process.send_signal(number)

    def wait(self) -> int:
        """Wait for the end; return the exit code."""
        return self._process.wait(TIMEOUT_S)

    def kill(self) -> None:
        """End at once, as if the power were cut."""
        self._process.kill()
        self._process.wait()

    def cpu_s(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_kib(self) -> int:
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1])

    def close(self) -> None:
        """Kill what still runs."""
        self.kill()
        self._reader.join()

    def _read_log(self, log: IO[str]) -> None:
        with log:
            for line in log:
                with self._has_changed:
                    self._lines.append(line)
                    self._has_changed.notify_all()
        with self._has_changed:
            self._has_ended = True
            self._has_changed.notify_all()


def server_command(*options: str, program: Sequence[str] = ("-m", "jminesweeper")) -> list[str]:
    """Return what starts a server on a free port of the loopback interface."""
    return [sys.executable, *program, "server", "--host=127.0.0.1", "--port=0", *options]


def hasty(*options: str) -> list[str]:
    """Return what starts a server in whose rooms nobody waits, and whose boards are known."""
    program = [str(Path(__file__).with_name("hasty_server.py"))]
    return server_command("--seed=7", *options, program=program)


@contextmanager
def running_server(*options: str, command: Sequence[str] | None = None) -> Iterator[ServerProcess]:
    """Run a server until the block ends; later options override earlier ones."""
    with TemporaryDirectory() as data_folder:
        process = subprocess.Popen(
            command or server_command(*options),
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(SOURCE), "XDG_DATA_HOME": data_folder},
        )
        server = ServerProcess(process)
        try:
            server.port = int(server.await_log(LISTENING.pattern)[1])
            yield server
        finally:
            server.close()
