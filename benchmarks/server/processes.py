"""Servers and load generators as processes, and what the kernel knows about them."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, Any

from benchmarks.server.cases import Case

HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("loadgen.c")
BUILD = ROOT / ".bench"
HEADER_SIZE = 5
SAMPLED_CYCLES = 20
LISTENING = r"listening on .*:(\d+)$"


def build_loadgen() -> Path:
    """Compile the load generator, if there is a compiler and it has changed."""
    binary = BUILD / "loadgen"
    if not binary.exists() or binary.stat().st_mtime < SOURCE.stat().st_mtime:
        compiler = shutil.which("gcc") or shutil.which("cc")
        if compiler is None:
            raise SystemExit("The benchmark of the server needs a C compiler (gcc).")
        BUILD.mkdir(exist_ok=True)
        subprocess.run([compiler, "-O2", "-o", str(binary), str(SOURCE)], check=True)
    return binary


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

    def children(self) -> list[ServerProcess]:
        """Return the processes that it has started."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/children")
        return [
            ServerProcess(int(child), 0) for task in tasks for child in task.read_text().split()
        ]

    def descendants_kib(self) -> Iterator[int]:
        """Return the memory of each process that it or one of them has started."""
        for process in self.children():
            yield process.resident_kib()
            yield from process.descendants_kib()


@contextmanager
def server(
    *arguments: str, until: str = "", source: Path = ROOT / "src"
) -> Iterator[ServerProcess]:
    """Run a module of this package as a server, from a line of its log until the block ends.

    The game that it serves is the one of a source tree.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(source), str(ROOT)))},
    )
    assert process.stderr is not None
    try:
        port = int(_await_line(process.stderr, LISTENING)[1])
        if until:
            _await_line(process.stderr, until)
        # A log that nobody reads is soon not written any more, and then costs nothing.
        Thread(target=process.stderr.read, daemon=True).start()
        yield ServerProcess(process.pid, port)
    finally:
        process.kill()
        process.wait()


def _await_line(log: IO[str], pattern: str) -> re.Match[str]:
    lines = []
    for line in log:
        lines.append(line)
        if found := re.search(pattern, line.strip()):
            return found
    raise SystemExit(f"The server did not start: {''.join(lines)}")


def ours(loop: str) -> tuple[str, ...]:
    place = ("--host", HOST, "--port", "0", "--store", "memory", "--workers", "0")
    return ("benchmarks.server.ours", loop, "server", *place, "--max-per-address", "0")


def bare(kind: str, frame_size: int, loop: str) -> tuple[str, ...]:
    return ("benchmarks.server.bare", kind, str(frame_size), loop)


def receive_reply(peer: socket.socket) -> bytes:
    header = peer.recv(HEADER_SIZE, socket.MSG_WAITALL)
    length = int.from_bytes(header[1:], "big")
    return header + peer.recv(length, socket.MSG_WAITALL)


def mean_reply_size(port: int, case: Case) -> int:
    """Play the case and see how large the replies of its cycle are; no two games are alike."""
    with socket.create_connection((HOST, port)) as peer:
        sizes: list[int] = []
        for step in (*case.prologue, *case.cycle * SAMPLED_CYCLES):
            peer.sendall(step.data)
            sizes += [len(receive_reply(peer)) for _ in range(step.replies)]
    cycle_sizes = sizes[sum(step.replies for step in case.prologue) :]
    return round(sum(cycle_sizes) / len(cycle_sizes))


@dataclass(frozen=True)
class Sample:
    """One round against one server."""

    rate: float
    cpu_us: float
    p50_us: float
    p99_us: float
    busiest: float
    """The share of the processor time that the busiest process of the server has."""


def begin_load(
    target: ServerProcess, case: Case, connections: int, warm_up_s: float, seconds: float
) -> subprocess.Popen[str]:
    """Start the load generator, and have it warm up once it has connected."""
    script = [",".join(map(str, steps)) for steps in (case.prologue, case.cycle)]
    arguments = [HOST, str(target.port), str(connections), str(warm_up_s), str(seconds), *script]
    process = subprocess.Popen(
        [str(build_loadgen()), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _await(process, "connected")
    _go(process)
    return process


def load(
    target: ServerProcess,
    case: Case,
    connections: int,
    seconds: float,
    warm_up_s: float | None = None,
) -> Sample:
    warm_up_s = min(0.3, seconds / 2) if warm_up_s is None else warm_up_s
    process = begin_load(target, case, connections, warm_up_s, seconds)
    _await(process, "warm")
    serving = [target, *target.children()]
    before = [each.cpu_s() for each in serving]
    _go(process)
    _await(process, "done")
    taken = [each.cpu_s() - cpu_s for each, cpu_s in zip(serving, before, strict=True)]
    _go(process)
    output, _ = process.communicate()
    result: dict[str, Any] = json.loads(output)
    replies = result["replies"]
    return Sample(
        rate=replies / result["seconds"],
        cpu_us=sum(taken) * 1e6 / replies,
        p50_us=result["p50_us"],
        p99_us=result["p99_us"],
        busiest=max(taken) / sum(taken),
    )


def _await(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise SystemExit(f"The load generator failed: {line}")


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
