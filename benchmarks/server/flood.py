"""How long a player waits for a key while others flood the server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter, sleep

from benchmarks.server.cases import Case, Step, start
from benchmarks.server.processes import HOST, ServerProcess, begin_load, ours, receive_reply, server
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Hello, Resize
from jminesweeper.protocol.vocabulary import Command

FLOODERS = (30, 300, 900)
KEYS = (encode(Command.MOVE_RIGHT), encode(Command.MOVE_LEFT))
PAUSE_S = 0.1
LARGE = (Step(encode(Hello(255, 255))), start(255, 255))
REFRESHING = Case("REFRESH 255x255", LARGE, (Step(encode(Command.REFRESH) * 16, replies=16),))
REPAINTING = Case("repaint 255x255", LARGE, (Step(encode(Resize(255, 255)) * 16, replies=16),))
FLOODS = (REFRESHING, REPAINTING)
AIM_MS = 300


@dataclass(frozen=True)
class Waits:
    """Milliseconds from a key to its whole reply, on a terminal of 255x255."""

    flood: str
    flooders: int
    median_ms: float
    worst_ms: float

    def __str__(self) -> str:
        return (
            f"a key beside {self.flooders} that flood ({self.flood}):"
            f" median {self.median_ms:.1f} ms, worst {self.worst_ms:.1f} ms"
        )


def measure_waits(loop: str, flood: Case, flooders: int, keys: int) -> Waits:
    with (
        server(*ours(loop)) as target,
        socket.create_connection((HOST, target.port)) as player,
        flooding(target, flood, flooders),
    ):
        for step in LARGE:
            player.sendall(step.data)
            receive_reply(player)
        times = sorted(wait_for_key(player, KEYS[number % 2]) for number in range(keys))
    return Waits(flood.name, flooders, median(times), times[-1])


def wait_for_key(player: socket.socket, key: bytes) -> float:
    sleep(PAUSE_S)
    begun = perf_counter()
    player.sendall(key)
    receive_reply(player)
    return (perf_counter() - begun) * 1000


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
