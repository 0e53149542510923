"""What a short visit costs: connect, START, QUIT, one visitor after the other."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from statistics import median

from benchmarks.server.cases import QUIT, start
from benchmarks.server.processes import HOST, ServerProcess, bare, ours, receive_reply, server

REPLY_BYTES = 1_400


@dataclass(frozen=True)
class Visits:
    """Microseconds of the server's processor time for one visit, and beside a bare server's."""

    loop: str
    ours_us: float
    bare_us: float
    ratio: float

    def __str__(self) -> str:
        return (
            f"connect, START, QUIT on {self.loop}: {self.ours_us:.0f} µs,"
            f" bare {self.bare_us:.0f} µs, ratio {self.ratio:.2f}"
        )


def measure_visits(loop: str, rounds: int, visits: int) -> Visits:
    with server(*ours(loop)) as real, server(*bare("visits", REPLY_BYTES, loop)) as plain:
        for target in (real, plain):
            visit(target, visits // 4)
        costs = [(visit(real, visits), visit(plain, visits)) for _ in range(rounds)]
    return Visits(
        loop,
        median(mine for mine, _ in costs),
        median(other for _, other in costs),
        median(mine / other for mine, other in costs),
    )


def visit(target: ServerProcess, visits: int) -> float:
    """Microseconds of processor time for each of so many visits."""
    before_s = target.cpu_s()
    for _ in range(visits):
        with socket.create_connection((HOST, target.port)) as peer:
            peer.sendall(start(20, 10).data)
            receive_reply(peer)
            peer.sendall(QUIT)
            peer.recv(1)
    return (target.cpu_s() - before_s) * 1e6 / visits
