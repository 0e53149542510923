"""Servers as processes, and what the kernel knows about them."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Final

HOST: Final = "127.0.0.1"
ROOT: Final = Path(__file__).parents[1]
HEADER_BYTES: Final = 5
LISTENING: Final = r"listening on .*?:(\d+)$"

LEFT, RIGHT, DOWN, REVEAL, MARK, QUIT = (bytes((code,)) for code in (1, 2, 4, 5, 6, 8))
"""Packets of version 1: written out, so that any server of the protocol can be measured."""


def start(columns: int, rows: int, level: int = 1) -> bytes:
    return bytes((7, 0, 0, 0, 3, columns, rows, level))


@dataclass(frozen=True)
class ServerProcess:
    """A running server."""

    pid: int
    port: int

    def cpu_s(self) -> float:
        """Processor time of all its threads, to the nanosecond."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def resident_kib(self) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1])


@contextmanager
def server(*arguments: str, tree: Path = ROOT) -> Iterator[ServerProcess]:
    """Run a program of a checkout as a server, until the block ends."""
    path = os.pathsep.join((str(tree / "src"), str(ROOT)))
    process = subprocess.Popen(
        [sys.executable, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert process.stderr is not None
    try:
        port = int(await_line(process.stderr, LISTENING)[1])
        # A log that nobody reads is soon not written any more, and then costs nothing.
        Thread(target=process.stderr.read, daemon=True).start()
        yield ServerProcess(process.pid, port)
    finally:
        process.kill()
        process.wait()


def await_line(log: IO[str], pattern: str) -> re.Match[str]:
    lines = []
    for line in log:
        lines.append(line)
        if found := re.search(pattern, line.strip()):
            return found
    raise SystemExit(f"The server did not start: {''.join(lines)}")


def ours(*options: str, loop: str = "uvloop") -> tuple[str, ...]:
    """Return the command of our server; the server takes uvloop wherever it finds it."""
    hidden = "sys.modules['uvloop'] = None; " if loop == "asyncio" else ""
    code = f"import sys; {hidden}from jminesweeper.cli.main import main; main()"
    place = ("server", "--host", HOST, "--port", "0", "--workers", "0", "--max-per-address", "0")
    return ("-c", code, *place, *(options or ("--store", "memory")))


def bare(frame_bytes: int, *, loop: str = "uvloop") -> tuple[str, ...]:
    return ("-m", "benchmarks.bare", str(frame_bytes), loop)


def receive_reply(peer: socket.socket) -> bytes:
    """Receive one packet whose header is its type and a length of four bytes."""
    header = peer.recv(HEADER_BYTES, socket.MSG_WAITALL)
    length = int.from_bytes(header[1:], "big")
    return header + peer.recv(length, socket.MSG_WAITALL)
