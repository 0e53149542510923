"""Measure how fast a game is there: ``python -m benchmarks.client_start [--quick] [--json]``.

From `exec` to the first painted frame on a terminal of 80x24, with a server that runs already and
with the one inside the client; and from `exec` until a server of its own listens. Processor time
tells more than the clock on a machine that is busy.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from benchmarks.server.processes import HOST, ROOT, ours, server

ROUNDS, QUICK_ROUNDS = 30, 7
AIM_MS = 250
SERVER_AIM_MS = 120
FRAME_END = b"\x1b[?2026l"
PATIENCE_S = 30.0
NOBODY = "1"
"""A port of this machine at which nobody listens."""
PROGRAM = (sys.executable, "-m", "jminesweeper")
CLIENT = (*PROGRAM, "client")
SERVER = (*PROGRAM, "server", "--host", HOST, "--port", "0")
LISTENING = b"listening on"


class Start(NamedTuple):
    """One start of a program."""

    wall_ms: float
    cpu_ms: float


@dataclass(frozen=True)
class Result:
    """One way to start; medians, and the best round."""

    name: str
    median_ms: float
    best_ms: float
    cpu_ms: float


class Screen:
    """A terminal of 80x24 that nobody looks at."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for_frame(self) -> None:
        """Read until a frame is whole."""
        seen = b""
        while FRAME_END not in seen:
            if not select.select([self.master], [], [], PATIENCE_S)[0]:
                raise SystemExit(f"no frame came: {seen!r}")
            seen += os.read(self.master, 65536)

    def close(self) -> None:
        os.close(self.slave)
        os.close(self.master)


def start_client(home: Path, **options: str) -> Start:
    """Start the client, wait for its first frame, and end it."""
    screen = Screen()
    # Not as arguments: who gives any is asked for the rest.
    variables = {f"JMINESWEEPER_{name.upper()}": value for name, value in options.items()}
    begun = perf_counter()
    process = subprocess.Popen(
        CLIENT,
        stdin=screen.slave,
        stdout=screen.slave,
        stderr=screen.slave,
        env=environment(home) | variables,
        start_new_session=True,
    )
    screen.wait_for_frame()
    wall_ms = (perf_counter() - begun) * 1000
    cpu_ms = processor_ms(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    screen.close()
    return Start(wall_ms, cpu_ms)


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


def start_server(home: Path) -> Start:
    """Start a server with a store of its own, wait until it listens, and end it."""
    begun = perf_counter()
    process = subprocess.Popen(SERVER, stderr=subprocess.PIPE, env=environment(home))
    assert process.stderr is not None
    while LISTENING not in (line := process.stderr.readline()):
        if not line:
            raise SystemExit("the server did not start")
    wall_ms = (perf_counter() - begun) * 1000
    cpu_ms = processor_ms(process.pid)
    process.kill()
    process.communicate()
    return Start(wall_ms, cpu_ms)


def processor_ms(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def start_python() -> Start:
    """Start the interpreter alone: the least there can be."""
    before, begun = os.times(), perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    wall_ms, after = (perf_counter() - begun) * 1000, os.times()
    used_s = after.children_user + after.children_system
    return Start(wall_ms, (used_s - before.children_user - before.children_system) * 1000)


def measure(rounds: int) -> Sequence[Result]:
    with TemporaryDirectory() as folder, server(*ours("uvloop")) as running:
        used = Path(folder) / "used"
        used.mkdir()
        address = f"127.0.0.1:{running.port}"
        # From here on there are a key, compiled modules and a store.
        start_client(used, port=NOBODY)
        ways: dict[str, Callable[[], Start]] = {
            "Python alone": start_python,
            "version 1, to a server": lambda: start_client(used, server=address, wire="1"),
            "version 2, to a server": lambda: start_client(used, server=address),
            "server inside the client": lambda: start_client(used, port=NOBODY),
            "the same, nothing kept yet": lambda: start_client(new_home(Path(folder)), port=NOBODY),
            "a server, until it listens": lambda: start_server(used),
        }
        taken: dict[str, list[Start]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                taken[name].append(way())
    return [summary(name, starts) for name, starts in taken.items()]


def new_home(folder: Path) -> Path:
    """Make a home in which nobody has played yet."""
    home = folder / "new"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    return home


def summary(name: str, starts: Sequence[Start]) -> Result:
    walls = [start.wall_ms for start in starts]
    cpu_ms = median(start.cpu_ms for start in starts)
    return Result(name, round(median(walls), 1), round(min(walls), 1), round(cpu_ms, 1))


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.client_start", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    options = parser.parse_args()
    results = measure(QUICK_ROUNDS if options.quick else ROUNDS)
    if options.json:
        aims = {"aim_ms": AIM_MS, "server_aim_ms": SERVER_AIM_MS}
        figures = {**aims, "starts": [asdict(result) for result in results]}
        say(json.dumps(figures, indent=2))
        return
    aims = f"aim {AIM_MS}, of the server {SERVER_AIM_MS}"
    say(f"{'exec to first frame, ms':<34} {'median':>7} {'best':>7} {'CPU':>7}   {aims}")
    for result in results:
        say(f"{result.name:<34} {result.median_ms:>7} {result.best_ms:>7} {result.cpu_ms:>7}")


if __name__ == "__main__":
    main()
