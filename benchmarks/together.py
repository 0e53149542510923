"""What people who play together cost a server: those who look on, and those who share a board."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from time import perf_counter, sleep
from typing import Final

from benchmarks.processes import HOST, ServerProcess, ours, server
from benchmarks.tables import Run, Table
from jminesweeper.core.faces import COVERED
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Act, Hello, NewGame, Packet, View, Watch
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Button, Direction, Feature, GameKind, RulesCode
from jminesweeper.records.keys import handle_of, player_id

LIVE: Final = Feature.RESUME | Feature.LIVE
KEY: Final = bytes(range(16))
EXPERT: Final = NewGame(GameKind.EXPERT, rules=RulesCode.CLASSIC)
COLUMNS: Final = 30
PAUSE_S: Final = 0.2
"""Between the actions of somebody who plays five a second."""
SETTLE_S: Final = 2.0


class Peer:
    """A connection that plays by version 2."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((HOST, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = PacketReader(Direction.FROM_SERVER)

    def ask(self, packet: Packet) -> float:
        """Send a packet; return the seconds until its answer."""
        begun = perf_counter()
        self.socket.sendall(encode(packet))
        while not any(
            isinstance(one, View) and not one.members().get("unasked") for one in self._read()
        ):
            pass
        return perf_counter() - begun

    def _read(self) -> list[Packet]:
        return list(self._reader.feed(self.socket.recv(65536)))


def measure(run: Run) -> Iterator[Table]:
    yield measure_watchers(300 if run.is_quick else 1_000, 10 if run.is_quick else 20)


def measure_watchers(watchers: int, seconds: int) -> Table:
    """What it costs that many look on at one game of five actions a second."""
    with server(*ours()) as target, ExitStack() as peers:
        player = Peer(target.port)
        peers.enter_context(player.socket)
        player.ask(Hello(LIVE, KEY, "Ada"))
        player.ask(EXPERT)
        alone = _play(target, player, 0, seconds)
        crowd = []
        for _ in range(watchers):
            one = Peer(target.port)
            peers.enter_context(one.socket)
            one.ask(Hello(LIVE))
            one.ask(Watch(handle_of(player_id(KEY))))
            crowd.append(one.socket)
        with reading(crowd) as count:
            sleep(SETTLE_S)
            before = count()
            watched = _play(target, player, 5 * seconds, seconds)
            shown = (count() - before) / watchers / seconds
    head = ("watched by", "share of a core, %", "player's median, ms", "p99, ms", "bytes/s of each")
    return Table("watchers", head, [("nobody", *alone, None), (f"{watchers}", *watched, shown)])


def _play(
    target: ServerProcess, player: Peer, first: int, seconds: int
) -> tuple[float, float, float]:
    """Set flags on cells from one on; return the share of a core and the times of the player."""
    times, begun_s, cpu_s = [], perf_counter(), target.cpu_s()
    for number in range(first, first + int(seconds / PAUSE_S)):
        row, column = divmod(number, COLUMNS)
        times.append(1000 * player.ask(Act(column, row, Button.FLAG, COVERED)))
        sleep(PAUSE_S)
    share = 100 * (target.cpu_s() - cpu_s) / (perf_counter() - begun_s)
    times.sort()
    return share, times[len(times) // 2], times[int(0.99 * len(times))]


@contextmanager
def reading(sockets: list[socket.socket]) -> Iterator[Callable[[], int]]:
    """Read what comes, in a process, until the block ends; the value counts the bytes."""
    # Not in a thread: the player's clock must not wait for this one.
    fork = get_context("fork")
    read = fork.Value("q", 0)
    process = fork.Process(target=_drain, args=(sockets, read), daemon=True)
    process.start()
    try:
        yield lambda: int(read.value)
    finally:
        process.kill()
        process.join()


def _drain(sockets: list[socket.socket], read: Synchronized[int]) -> None:
    selector = selectors.DefaultSelector()
    for one in sockets:
        selector.register(one, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            assert isinstance(key.fileobj, socket.socket)
            read.value += len(key.fileobj.recv(65536))
