"""Servers and load generators as processes, and what the kernel knows about them."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Final, NamedTuple

HOST: Final = "127.0.0.1"
ROOT: Final = Path(__file__).parents[1]
LOAD_GENERATOR: Final = Path(__file__).with_name("loadgen.c")
HEADER_BYTES: Final = 5
LISTENING: Final = r"listening on .*?:(\d+)$"
BUSY_S: Final = 0.3

LEFT, RIGHT, DOWN, REVEAL, MARK, QUIT = (bytes((code,)) for code in (1, 2, 4, 5, 6, 8))
"""Packets of version 1: written out, so that any server of the protocol can be measured."""


def start(columns: int, rows: int, level: int = 1) -> bytes:
    return bytes((7, 0, 0, 0, 3, columns, rows, level))


class Step(NamedTuple):
    """One send, and the whole replies it gets."""

    data: bytes
    replies: int = 1
    number_at: int | None = None
    """Where in the data each connection puts its own number, in four bytes."""

    def __str__(self) -> str:
        number = "" if self.number_at is None else f"@{self.number_at}"
        return f"{self.data.hex()}:{self.replies}{number}"


class Case(NamedTuple):
    """A script that every connection plays: the prologue once, the cycle over and over."""

    name: str
    prologue: Sequence[Step]
    cycle: Sequence[Step]


class Sample(NamedTuple):
    """One round against one server."""

    rate: float
    cpu_us: float
    p50_ms: float
    p99_ms: float


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


def build_load_generator() -> Path:
    """Compile the load generator, if it has changed."""
    binary = ROOT / ".bench" / "loadgen"
    if not binary.exists() or binary.stat().st_mtime < LOAD_GENERATOR.stat().st_mtime:
        compiler = shutil.which("gcc")
        if compiler is None:
            raise SystemExit("The benchmark of the server needs a C compiler (gcc).")
        binary.parent.mkdir(exist_ok=True)
        subprocess.run([compiler, "-O2", "-o", binary, LOAD_GENERATOR], check=True)
    return binary


def begin_load(
    target: ServerProcess, case: Case, connections: int, warm_up_s: float, seconds: float
) -> subprocess.Popen[str]:
    """Start the load generator, and have it warm up once it has connected."""
    script = [",".join(map(str, steps)) for steps in (case.prologue, case.cycle)]
    extent = (str(connections), str(warm_up_s), str(seconds))
    process = subprocess.Popen(
        [build_load_generator(), HOST, str(target.port), *extent, *script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _await(process, "connected")
    _go(process)
    return process


def load(
    target: ServerProcess, case: Case, connections: int, seconds: float, warm_up_s: float = BUSY_S
) -> Sample:
    process = begin_load(target, case, connections, warm_up_s, seconds)
    _await(process, "warm")
    before_s = target.cpu_s()
    _go(process)
    _await(process, "done")
    taken_s = target.cpu_s() - before_s
    _go(process)
    result = json.loads(process.communicate()[0])
    replies = result["replies"]
    return Sample(
        replies / result["seconds"],
        taken_s * 1e6 / replies,
        result["p50_us"] / 1000,
        result["p99_us"] / 1000,
    )


@contextmanager
def flooding(target: ServerProcess, case: Case, connections: int) -> Iterator[None]:
    """Have others flood the server until the block ends."""
    # Never measured: all of it is the warming up of a load that does not come.
    process = begin_load(target, case, connections, warm_up_s=3600, seconds=0)
    try:
        yield
        if process.poll() is not None:
            raise SystemExit("The flood ended before its time.")
    finally:
        process.kill()
        process.communicate()


def _await(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise SystemExit(f"The load generator failed: {line}")


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
