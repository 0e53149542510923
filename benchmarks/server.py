"""What the layers above the sockets cost: our server beside the least that a server can do."""

from __future__ import annotations

import os
import pty
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final, NamedTuple

from benchmarks import together
from benchmarks.load import Case, Sample, Step, flooding, load
from benchmarks.processes import (
    DOWN,
    HOST,
    LEFT,
    MARK,
    QUIT,
    REVEAL,
    RIGHT,
    ROOT,
    ServerProcess,
    bare,
    ours,
    receive_reply,
    server,
    start,
)
from benchmarks.tables import Run, Table

GAME_LENGTH: Final = 400
"""Actions in a game that only sets and takes back flags: a log that is full answers cheaply."""
CONNECTIONS: Final = 100
WEIGHED: Final = 1_000
SAMPLED_CYCLES: Final = 20
KEY_PAUSE_S: Final = 0.1
FRAME_END: Final = b"\x1b[?2026l"
PATIENCE_S: Final = 30.0

CASES: Final = (
    Case("MOVE 20x10", (Step(start(20, 10)),), (Step(RIGHT), Step(LEFT))),
    Case("MOVE 255x255", (Step(start(255, 255)),), (Step(RIGHT), Step(LEFT))),
    Case("MOVE 20x10, 16 at once", (Step(start(20, 10)),), (Step(RIGHT * 8 + LEFT * 8, 16),)),
    Case("MARK 20x10", (), (Step(start(20, 10)), *[Step(MARK)] * GAME_LENGTH)),
    # Level 2 leaves most games open for some reveals; a lost one is answered like any other.
    Case(
        "START, 9 times REVEAL, MARK, 2 MOVE 30x16",
        (),
        (Step(start(30, 16, 2)), *[Step(each) for each in (REVEAL, DOWN, MARK, RIGHT)] * 9),
    ),
    Case("START 20x10", (), (Step(start(20, 10)),)),
)
FLOOD: Final = Case("START 255x255", (), (Step(start(255, 255) * 16, 16),))


class Extent(NamedTuple):
    rounds: int
    seconds: float
    visits: int
    keys: int


def measure(run: Run) -> Iterator[Table]:
    extent = Extent(3, 0.25, 200, 20) if run.is_quick else Extent(9, 0.5, 1_000, 60)
    yield measure_rates(extent)
    yield measure_visits(extent)
    yield measure_waits(extent)
    yield measure_memory()
    yield measure_starts(extent)
    yield from together.measure(run)


def ratio(ours_us: Sequence[float], bare_us: Sequence[float]) -> float:
    """Return the middle of the ratios within each round: what disturbs one disturbs both."""
    return median(a / b for a, b in zip(ours_us, bare_us, strict=True))


def measure_rates(extent: Extent) -> Table:
    head = ("100 connections", "reply, B", "ours/s", "CPU, µs", "bare", "ours / bare", "p99, ms")
    return Table("server", head, [_rates(case, extent) for case in CASES])


def _rates(case: Case, extent: Extent) -> Sequence[str | float | None]:
    with server(*ours()) as target:
        reply_bytes = mean_reply_bytes(target, case)
        own, least = list[Sample](), list[Sample]()
        with server(*bare(reply_bytes)) as other:
            for _ in range(extent.rounds):
                own.append(load(target, case, CONNECTIONS, extent.seconds))
                least.append(load(other, case, CONNECTIONS, extent.seconds))
    rate, own_us, _, p99_ms = map(median, zip(*own, strict=True))
    least_us = [each.cpu_us for each in least]
    compared = ratio([each.cpu_us for each in own], least_us)
    return case.name, reply_bytes, rate, own_us, median(least_us), compared, p99_ms


def mean_reply_bytes(target: ServerProcess, case: Case) -> int:
    """Play the case and see how large the replies of its cycle are; no two games are alike."""
    with socket.create_connection((HOST, target.port)) as peer:
        sizes = []
        for step in (*case.prologue, *[*case.cycle] * SAMPLED_CYCLES):
            peer.sendall(step.data)
            sizes += [len(receive_reply(peer)) for _ in range(step.replies)]
    in_cycle = sizes[sum(step.replies for step in case.prologue) :]
    return round(sum(in_cycle) / len(in_cycle))


def measure_visits(extent: Extent) -> Table:
    own_us, least_us = [], []
    with server(*ours()) as target, server(*bare(1_400)) as other:
        for each in (target, other):
            _visit_us(each, extent.visits // 4)
        for _ in range(extent.rounds):
            own_us.append(_visit_us(target, extent.visits))
            least_us.append(_visit_us(other, extent.visits))
    row = ("connect, START, QUIT", median(own_us), median(least_us), ratio(own_us, least_us))
    return Table("visits", ("processor time", "ours, µs", "bare, µs", "ours / bare"), [row])


def _visit_us(target: ServerProcess, visits: int) -> float:
    before_s = target.cpu_s()
    for _ in range(visits):
        with socket.create_connection((HOST, target.port)) as peer:
            peer.sendall(start(20, 10))
            receive_reply(peer)
            peer.sendall(QUIT)
            peer.recv(1)
    return (target.cpu_s() - before_s) * 1e6 / visits


def measure_waits(extent: Extent) -> Table:
    """How long a player waits for a key while others flood the server."""
    rows = [
        (f"{flooders} that begin boards of 255x255", *_waits_ms(flooders, extent.keys))
        for flooders in (30, 300)
    ]
    return Table("waits", ("a key on 20x10 beside", "median, ms", "worst, ms"), rows)


def _waits_ms(flooders: int, keys: int) -> tuple[float, float]:
    with (
        server(*ours()) as target,
        socket.create_connection((HOST, target.port)) as player,
        flooding(target, FLOOD, flooders),
    ):
        player.sendall(start(20, 10))
        receive_reply(player)
        times = []
        for number in range(keys):
            sleep(KEY_PAUSE_S)
            begun = perf_counter()
            player.sendall((RIGHT, LEFT)[number % 2])
            receive_reply(player)
            times.append((perf_counter() - begun) * 1000)
    return median(times), max(times)


def measure_memory() -> Table:
    rows = []
    for name, command in (("ours", ours()), ("bare", bare(1_400))):
        with server(*command) as target, ExitStack() as guests:

            def connect(
                target: ServerProcess = target, guests: ExitStack = guests
            ) -> socket.socket:
                return guests.enter_context(socket.create_connection((HOST, target.port)))

            _begin(connect())  # Whatever is allocated once is there after this one.
            empty = target.resident_kib()
            peers = [connect() for _ in range(WEIGHED)]
            _begin(connect())  # Answered after all the others have been accepted.
            silent = target.resident_kib()
            for peer in peers:
                _begin(peer)
            playing = target.resident_kib()
        rows.append((name, (silent - empty) / WEIGHED, (playing - empty) / WEIGHED))
    return Table("memory", ("KiB of a connection", "silent", "with a game of 20x10"), rows)


def _begin(peer: socket.socket) -> None:
    peer.sendall(start(20, 10))
    receive_reply(peer)


def measure_starts(extent: Extent) -> Table:
    """From `exec` to a server that listens, and to a client's first frame."""
    with TemporaryDirectory() as home, server(*ours()) as running:
        ways: dict[str, Callable[[], float]] = {
            "a server listens": lambda: _listening_ms(home),
            "a client's first frame": lambda: _first_frame_ms(home, running.port),
            "the same, its own server": lambda: _first_frame_ms(home, 1),
        }
        rows = []
        for what, way in ways.items():
            _, *ms = [way() for _ in range(extent.rounds * 2 + 1)]  # The first compiles modules.
            rows.append((what, median(ms), min(ms)))
    return Table("starts", ("from exec until", "median, ms", "best, ms"), rows)


def _environment(home: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "src"),
        "HOME": home,
        "XDG_DATA_HOME": home,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


def _listening_ms(home: str) -> float:
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "jminesweeper", "server", "--host", HOST, "--port", "0"],
        stderr=subprocess.PIPE,
        env=_environment(home),
    )
    assert process.stderr is not None
    while b"listening on" not in (line := process.stderr.readline()):
        if not line:
            raise SystemExit("the server did not start")
    wall_ms = (perf_counter() - begun) * 1000
    process.kill()
    process.communicate()
    return wall_ms


def _first_frame_ms(home: str, port: int) -> float:
    """Start the client on a terminal that nobody looks at, and wait for its first frame."""
    screen, side = pty.openpty()
    # Not as arguments: who gives any is asked for the rest.
    address = {"JMINESWEEPER_PORT": str(port)}
    if port != 1:
        address = {"JMINESWEEPER_SERVER": f"{HOST}:{port}"}
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "jminesweeper", "client"],
        stdin=side,
        stdout=side,
        stderr=side,
        env=_environment(home) | address | {"COLUMNS": "80", "LINES": "24"},
        start_new_session=True,
    )
    seen = b""
    while FRAME_END not in seen:
        if not select.select([screen], [], [], PATIENCE_S)[0]:
            raise SystemExit(f"no frame came: {seen!r}")
        seen += os.read(screen, 65536)
    wall_ms = (perf_counter() - begun) * 1000
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(side)
    os.close(screen)
    return wall_ms
