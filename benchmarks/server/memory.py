"""What a connection costs in resident memory, as the kernel counts it."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass

from benchmarks.server.cases import start
from benchmarks.server.processes import HOST, ServerProcess, bare, ours, receive_reply, server

CONNECTIONS = 1000


@dataclass(frozen=True)
class Memory:
    """KiB per connection: silent ones, and ones that have begun a game of 20x10."""

    server: str
    loop: str
    silent_kib: float
    playing_kib: float

    def __str__(self) -> str:
        return (
            f"memory per connection, {self.server} on {self.loop}: "
            f"{self.silent_kib:.1f} KiB silent, {self.playing_kib:.1f} KiB with a game of 20x10"
        )


def measure_memory(loops: Iterable[str]) -> list[Memory]:
    figures: list[Memory] = []
    for loop in loops:
        for name, arguments in (("ours", ours(loop)), ("bare", bare("protocol", 1400, loop))):
            with server(*arguments) as target:
                figures.append(Memory(name, loop, *_weigh(target)))
    return figures


def _weigh(target: ServerProcess) -> tuple[float, float]:
    with ExitStack() as guests:
        _connect(target, guests)  # Warms up whatever is allocated once.
        empty = target.resident_kib()
        peers = [_connect(target, guests) for _ in range(CONNECTIONS)]
        # Answered after all the others have been accepted.
        _begin(_connect(target, guests))
        silent = target.resident_kib()
        for peer in peers:
            _begin(peer)
        playing = target.resident_kib()
    return (silent - empty) / CONNECTIONS, (playing - empty) / CONNECTIONS


def _connect(target: ServerProcess, guests: ExitStack) -> socket.socket:
    return guests.enter_context(socket.create_connection((HOST, target.port)))


def _begin(peer: socket.socket) -> None:
    peer.sendall(start(20, 10).data)
    receive_reply(peer)
