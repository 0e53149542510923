"""Connections that play scripts in a process of their own, and what that costs a server.

Every connection plays the prologue once, then the cycle over and over. Replies are found by type
and length: a server that answers too much, too little or something else is an error and no good
figure.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, cycle
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from select import EPOLLIN, epoll
from struct import Struct
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

from benchmarks.processes import HOST, ServerProcess

HEADER: Final = Struct(">BI")
SCREENS: Final = frozenset((9, 30))
"""The types of a whole screen, and of a view."""
READ_SIZE: Final = 1 << 18
BUSY_S: Final = 0.3


class Step(NamedTuple):
    """One send, and the whole replies it gets."""

    data: bytes
    replies: int = 1
    number_at: int | None = None
    """The place in the data at which each connection puts its own number, in four bytes."""

    def data_of(self, number: int) -> bytes:
        if self.number_at is None:
            return self.data
        return b"".join(
            (self.data[: self.number_at], number.to_bytes(4), self.data[self.number_at + 4 :])
        )


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


class Player:
    """One connection of a load."""

    def __init__(self, port: int, number: int, case: Case) -> None:
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._number = number
        self._steps = chain(case.prologue, cycle(case.cycle))
        self._data = bytearray()
        self._awaited = 0
        self.sent_s = 0.0

    def send(self) -> None:
        step = next(self._steps)
        self._awaited = step.replies
        self.sent_s = perf_counter()
        self.socket.sendall(step.data_of(self._number))

    def receive(self) -> tuple[int, bool]:
        """Read what has come; return how many replies, and whether it was all of the step's."""
        replies = [packet[0] for packet in packets(self.socket, self._data)]
        if not SCREENS.issuperset(replies) or len(replies) > self._awaited:
            raise SystemExit("The server sent what is no reply, or more replies than requests.")
        self._awaited -= len(replies)
        return len(replies), not self._awaited


class Stream(Protocol):
    """A socket, plain or with TLS."""

    def sendall(self, data: bytes, /) -> None: ...

    def recv(self, size: int, /) -> bytes: ...


def packets(source: Stream, unread: bytearray) -> Sequence[bytearray]:
    """Read what has come; return the whole packets, and leave the rest unread."""
    data = source.recv(READ_SIZE)
    if not data:
        raise SystemExit("The server hung up.")
    unread += data
    whole, at = [], 0
    while len(unread) - at >= HEADER.size:
        end = at + HEADER.size + HEADER.unpack_from(unread, at)[1]
        if end > len(unread):
            break
        whole.append(unread[at:end])
        at = end
    del unread[:at]
    return whole


class Crowd:
    """The connections of a load."""

    def __init__(self, port: int, case: Case, count: int) -> None:
        players = [Player(port, number, case) for number in range(count)]
        self._players = {player.socket.fileno(): player for player in players}
        self._silent = set(self._players)
        self._poll = epoll()
        for descriptor in self._players:
            self._poll.register(descriptor, EPOLLIN)

    def begin(self) -> None:
        for player in self._players.values():
            player.send()

    def play(self, seconds: float) -> tuple[int, list[float]]:
        """Play for so long, and until all were answered; return the replies and the waits."""
        replies, times = 0, list[float]()
        until_s = perf_counter() + seconds
        while self._silent or perf_counter() < until_s:
            for descriptor, _ in self._poll.poll(0.1):
                player = self._players[descriptor]
                came, is_all = player.receive()
                replies += came
                self._silent.discard(descriptor)
                if is_all:
                    times.append(perf_counter() - player.sent_s)
                    player.send()
        return replies, times


def _play(pipe: Connection, crowd: Crowd, warm_up_s: float, seconds: float) -> None:
    crowd.begin()
    crowd.play(warm_up_s)
    pipe.send("warm")
    pipe.recv()
    played = crowd.play(seconds)
    pipe.send("done")
    pipe.send(played)


def load(
    target: ServerProcess, case: Case, connections: int, seconds: float, warm_up_s: float = BUSY_S
) -> Sample:
    crowd = Crowd(target.port, case, connections)
    with beside(_play, crowd, warm_up_s, seconds) as process:
        process.recv()
        begun_s, before_s = perf_counter(), target.cpu_s()
        process.send("go")
        process.recv()
        taken_s, cpu_s = perf_counter() - begun_s, target.cpu_s() - before_s
        replies, times = process.recv()
    times.sort()
    p50_ms, p99_ms = (1000 * times[int(len(times) * part)] for part in (0.5, 0.99))
    return Sample(replies / taken_s, cpu_s * 1e6 / replies, p50_ms, p99_ms)


@contextmanager
def flooding(target: ServerProcess, case: Case, connections: int) -> Iterator[None]:
    """Have others flood the server until the block ends."""
    # Never measured: all of it is the warming up of a load that does not come.
    with beside(_play, Crowd(target.port, case, connections), 3600.0, 0.0) as process:
        yield
        if process.poll():
            raise SystemExit("The flood ended before its time.")


@contextmanager
def beside(work: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    """Do something in a process until the block ends; nobody who measures here waits for it."""
    ours, theirs = Pipe()
    process = get_context("fork").Process(target=work, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.kill()
        process.join()
