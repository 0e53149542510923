"""The cost of the layers above the sockets: our server beside the least that a server can do.

With another checkout beside it, its server takes turns with both.
"""

from __future__ import annotations

import os
import pty
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
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
ASK_BACKGROUND: Final = b"\x1b]11;?\x07\x1b[c"
DARK: Final = b"\x1b]11;rgb:0000/0000/0000\x07\x1b[?62c"
"""A terminal's answer to that."""
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
GAMES: Final = Case(
    "games of 255x255",
    (),
    (Step(start(255, 255, 3)), *[Step(each) for each in (REVEAL, DOWN, REVEAL, RIGHT)] * 4),
)
FLOODS: Final = 8


class Extent(NamedTuple):
    rounds: int
    seconds: float
    visits: int
    keys: int


def measure(run: Run) -> Iterator[Table]:
    extent = Extent(3, 0.25, 200, 20) if run.is_quick else Extent(9, 0.5, 1_000, 60)
    yield measure_rates(extent, run.beside)
    yield measure_visits(extent, run.beside)
    yield measure_waits(extent)
    yield measure_floods(extent)
    yield measure_memory()
    yield measure_starts(extent, run.beside)
    yield from together.measure(run)


def ratio(costs: Mapping[str, Sequence[float]], other: str) -> float | None:
    """Return the middle of the ratios within each round: what disturbs one disturbs both."""
    if other not in costs:
        return None
    return median(a / b for a, b in zip(costs["ours"], costs[other], strict=True))


@contextmanager
def contestants(beside: Path | None, reply_bytes: int) -> Iterator[Mapping[str, ServerProcess]]:
    with ExitStack() as running:
        servers = {"ours": server(*ours()), "bare": server(*bare(reply_bytes))}
        if beside is not None:
            servers["beside"] = server(*ours(), tree=beside)
        yield {name: running.enter_context(each) for name, each in servers.items()}


def measure_rates(extent: Extent, beside: Path | None) -> Table:
    head = ("100 connections", "reply, B", "ours/s", "CPU, µs", "bare", "ours / bare", "p99, ms")
    rows = [_rates(case, extent, beside) for case in CASES]
    return Table("server", (*head, "ours / beside"), rows)


def _rates(case: Case, extent: Extent, beside: Path | None) -> Sequence[str | float | None]:
    with server(*ours()) as target:
        reply_bytes = mean_reply_bytes(target, case)
    with contestants(beside, reply_bytes) as targets:
        samples: dict[str, list[Sample]] = {name: [] for name in targets}
        for _ in range(extent.rounds):
            for name, target in targets.items():
                samples[name].append(load(target, case, CONNECTIONS, extent.seconds))
    rate, own_us, _, p99_ms = map(median, zip(*samples["ours"], strict=True))
    costs = {name: [each.cpu_us for each in taken] for name, taken in samples.items()}
    bare_us, compared = median(costs["bare"]), ratio(costs, "bare")
    return case.name, reply_bytes, rate, own_us, bare_us, compared, p99_ms, ratio(costs, "beside")


def mean_reply_bytes(target: ServerProcess, case: Case) -> int:
    """Play the case and see how large the replies of its cycle are; no two games are alike."""
    with socket.create_connection((HOST, target.port)) as peer:
        sizes = []
        for step in (*case.prologue, *[*case.cycle] * SAMPLED_CYCLES):
            peer.sendall(step.data)
            sizes += [len(receive_reply(peer)) for _ in range(step.replies)]
    in_cycle = sizes[sum(step.replies for step in case.prologue) :]
    return round(sum(in_cycle) / len(in_cycle))


def measure_visits(extent: Extent, beside: Path | None) -> Table:
    with contestants(beside, 1_400) as targets:
        us: dict[str, list[float]] = {name: [] for name in targets}
        for target in targets.values():
            _visit_us(target, extent.visits // 4)
        for _ in range(extent.rounds):
            for name, target in targets.items():
                us[name].append(_visit_us(target, extent.visits))
    compared = (ratio(us, "bare"), ratio(us, "beside"))
    row = ("connect, START, QUIT", median(us["ours"]), median(us["bare"]), *compared)
    head = ("processor time", "ours, µs", "bare, µs", "ours / bare", "ours / beside")
    return Table("visits", head, [row])


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
    """Measure how long a player waits for a key while others flood the server."""
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
        times = _key_times_ms(player, keys)
    return median(times), max(times)


def _key_times_ms(player: socket.socket, keys: int) -> Sequence[float]:
    player.sendall(start(20, 10))
    receive_reply(player)
    times = []
    for number in range(keys):
        sleep(KEY_PAUSE_S)
        begun = perf_counter()
        player.sendall((RIGHT, LEFT)[number % 2])
        receive_reply(player)
        times.append((perf_counter() - begun) * 1000)
    return times


def measure_floods(extent: Extent) -> Table:
    """Measure a key while eight processes flood its server, or another one beside it.

    They take the machine from the player in either case: the difference is the server's.
    """
    rows = []
    for case in (FLOOD, GAMES):
        p99_ms: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(extent.rounds):
            for is_here, waits in p99_ms.items():
                with ExitStack() as running:
                    own, other = (running.enter_context(server(*ours())) for _ in range(2))
                    for _ in range(FLOODS):
                        flooded = own if is_here else other
                        running.enter_context(flooding(flooded, case, 1))
                    player = socket.create_connection((HOST, own.port))
                    times = sorted(_key_times_ms(running.enter_context(player), extent.keys))
                    waits.append(times[int(0.99 * len(times))])
        rows.append((f"{FLOODS} floods: {case.name}", median(p99_ms[True]), median(p99_ms[False])))
    head = ("a key on 20x10 beside", "p99, ms", "p99 if another server is flooded")
    return Table("floods", head, rows)


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


def measure_starts(extent: Extent, beside: Path | None) -> Table:
    """From `exec` to a server that listens, and to a client's first frame."""
    trees = {"ours": ROOT} | ({} if beside is None else {"beside": beside})
    with ExitStack() as running:
        # Of their own, since neither reads the other's store.
        homes = {tree: running.enter_context(TemporaryDirectory()) for tree in trees.values()}
        ports = {
            tree: running.enter_context(server(*ours(), tree=tree)).port for tree in trees.values()
        }
        ways: dict[str, Callable[[Path], float]] = {
            "a server listens": lambda tree: _listening_ms(tree, homes[tree]),
            "a client's first frame": lambda tree: _first_frame_ms(tree, homes[tree], ports[tree]),
            "the same, its own server": lambda tree: _first_frame_ms(tree, homes[tree], 1),
        }
        rows = []
        for what, way in ways.items():
            ms: dict[str, list[float]] = {name: [] for name in trees}
            for number in range(extent.rounds * 2 + 1):
                for name, tree in trees.items():
                    taken_ms = way(tree)
                    if number:  # The first compiles modules.
                        ms[name].append(taken_ms)
            rows.append((what, median(ms["ours"]), min(ms["ours"]), ratio(ms, "beside")))
    return Table("starts", ("from exec until", "median, ms", "best, ms", "ours / beside"), rows)


def _environment(tree: Path, home: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(tree / "src"),
        "HOME": home,
        "XDG_DATA_HOME": home,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


def _listening_ms(tree: Path, home: str) -> float:
    begun = perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "jminesweeper", "server", "--host", HOST, "--port", "0"],
        stderr=subprocess.PIPE,
        env=_environment(tree, home),
    )
    assert process.stderr is not None
    while b"listening on" not in (line := process.stderr.readline()):
        if not line:
            raise SystemExit("the server did not start")
    wall_ms = (perf_counter() - begun) * 1000
    process.kill()
    process.communicate()
    return wall_ms


def _first_frame_ms(tree: Path, home: str, port: int) -> float:
    """Start the client on a terminal that says it is dark, and wait for its first frame."""
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
        env=_environment(tree, home) | address | {"COLUMNS": "80", "LINES": "24"},
        start_new_session=True,
    )
    seen, has_answered = b"", False
    while FRAME_END not in seen:
        if not select.select([screen], [], [], PATIENCE_S)[0]:
            raise SystemExit(f"no frame came: {seen!r}")
        seen += os.read(screen, 65536)
        if not has_answered and ASK_BACKGROUND in seen:
            # As any terminal does: else the client would wait for it.
            os.write(screen, DARK)
            has_answered = True
    wall_ms = (perf_counter() - begun) * 1000
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(side)
    os.close(screen)
    return wall_ms
