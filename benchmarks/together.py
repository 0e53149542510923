"""The cost to servers of people who play together, and how soon these see each other.

Those who look on at one game; and fifteen who share a board over four servers, of which one dies.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from heapq import heapify, heappop, heappush
from multiprocessing.connection import Connection, wait
from pathlib import Path
from select import select
from shutil import which
from signal import SIGKILL
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final

from tests.redis_process import running_redis

from benchmarks.load import READ_SIZE, beside
from benchmarks.peer import EXPERT, LIVE, SHARED, Peer
from benchmarks.processes import ServerProcess, ours, server
from benchmarks.tables import Run, Table
from jminesweeper.core.view import COVERED, FLAGGED
from jminesweeper.protocol.packets import Act, Hello, Join, Ready, Watch
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.records.keys import handle_of, player_id

KEY: Final = bytes(range(16))
COLUMNS: Final = 30
PAUSE_S: Final = 0.2
"""Between the actions of somebody who plays five a second."""
SETTLE_S: Final = 2.0
SEATS: Final = 15
SERVERS: Final = 4
ACTION_S: Final = 0.1
"""Between the actions of a seat on a shared board."""


def measure(run: Run) -> Iterator[Table]:
    yield measure_watchers(300 if run.is_quick else 1_000, 10 if run.is_quick else 20)
    yield measure_shared_board(4 if run.is_quick else 10)


def measure_watchers(watchers: int, seconds: int) -> Table:
    """Measure the cost of many who watch one game of five actions a second."""
    with server(*ours()) as target, ExitStack() as peers:
        player = Peer(target.port)
        peers.enter_context(player.socket)
        player.ask(Hello(LIVE, KEY, "Ada"))
        player.ask(EXPERT)
        alone = _play(target, player, 0, seconds)
        crowd, empty_kib = [], target.resident_kib()
        for _ in range(watchers):
            one = Peer(target.port)
            peers.enter_context(one.socket)
            one.ask(Hello(LIVE))
            one.ask(Watch(handle_of(player_id(KEY))))
            crowd.append(one.socket)
        kib = (target.resident_kib() - empty_kib) / watchers
        # In a process of its own: the player's clock must not wait for it.
        with beside(_read_all, crowd) as process:
            sleep(SETTLE_S)
            before = _ask_how_much(process)
            watched = _play(target, player, 5 * seconds, seconds)
            shown = (_ask_how_much(process) - before) / watchers / seconds
    head = ("watched by", "share of a core, %", "player's median, ms", "p99, ms", "bytes/s of each")
    rows = [("nobody", *alone, None, None), (f"{watchers}", *watched, shown, kib)]
    return Table("watchers", (*head, "KiB of each"), rows)


def _read_all(pipe: Connection, sockets: Sequence[socket.socket]) -> None:
    """Read what comes; say how many bytes came whenever asked."""
    count = 0
    while True:
        for one in wait([pipe, *sockets]):
            if isinstance(one, socket.socket):
                count += len(one.recv(READ_SIZE))
            else:
                pipe.recv()
                pipe.send(count)


def _ask_how_much(process: Connection) -> int:
    process.send(None)
    count: int = process.recv()
    return count


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


# A shared board


class Seat:
    """Somebody who sets and takes back flags on cells of their own, and comes back when thrown out.

    What was answered must be seen by all; of what was not, nobody knows.
    """

    def __init__(self, number: int, port: int) -> None:
        self.number = number
        self.key = bytes((number,)) * 16
        self.name = f"Seat {number}"
        self.peer = self._come(port)
        self.cells: list[int] = []
        self.sent: list[tuple[int, int, float]] = []
        """An action to be answered: the cell, the face it gets, and when it was sent."""
        self.acknowledged: dict[int, int] = {}
        self.doubtful: set[int] = set()
        self.turns = 0

    def _come(self, port: int) -> Peer:
        peer = Peer(port)
        peer.ask(Hello(LIVE, self.key, self.name))
        return peer

    def come_back(self, port: int, code: str) -> None:
        self.doubtful |= {cell for cell, _, _ in self.sent}
        self.sent.clear()
        self.peer.socket.close()
        self.peer = self._come(port)
        self.peer.ask(Join(code))
        self.peer.see(lambda known: known.get("state") == "playing")

    def act(self) -> tuple[int, int]:
        """Flag the next cell, or take the flag back; return the cell and its new face."""
        cell = self.cells[self.turns % len(self.cells)]
        self.turns += 1
        seen = self.peer.faces[cell]
        row, column = divmod(cell, COLUMNS)
        self.sent.append((cell, seen ^ FLAGGED, perf_counter()))
        self.peer.send(Act(column, row, Button.FLAG, seen))
        return cell, seen ^ FLAGGED

    def read(self) -> None:
        before = self.peer.answers
        self.peer.read()
        for cell, face, _ in self.sent[: self.peer.answers - before]:
            self.acknowledged[cell] = face
            self.doubtful.discard(cell)
        del self.sent[: self.peer.answers - before]


def measure_shared_board(seconds: int) -> Table:
    """Fifteen seats on four servers, ten actions a second each; one server is killed half-way."""
    rows: list[Sequence[str | float | None]] = []
    if program := which("redis-server"):
        with TemporaryDirectory() as folder, running_redis(program, Path(folder)) as redis:
            rows = [["Redis", *_share_a_board(redis.url, seconds)]]
    head = ("15 seats, 4 servers", "actions", "partner's median, ms", "p99, ms", "back after, ms")
    return Table("shared board", (*head, "lost", "boards that differ"), rows)


def _share_a_board(place: str, seconds: int) -> Sequence[float]:
    with ExitStack() as running:
        servers = [running.enter_context(server(*ours("--store", place))) for _ in range(SERVERS)]
        seats = [Seat(number, servers[number % SERVERS].port) for number in range(SEATS)]
        host = seats[0].peer
        host.ask(SHARED)
        host.see(lambda known: known.get("room"))
        code: str = host.known["room"]["code"]
        for seat in seats[1:]:
            seat.peer.ask(Join(code))
            seat.peer.see(lambda known: known.get("room"))
        for seat in seats:
            seat.peer.send(Ready())
        for seat in seats:
            seat.peer.see(lambda known: known.get("state") == "playing" and known.get("size"))
        covered = [cell for cell, face in enumerate(host.faces) if face == COVERED]
        for seat in seats:
            seat.cells = covered[seat.number :: SEATS]
        result = _play_together(seats, servers, code, seconds)
        _come_to_rest(seats)
        boards = {bytes(seat.peer.faces) for seat in seats}
        lost = sum(
            host.faces[cell] != face
            for seat in seats
            for cell, face in seat.acknowledged.items()
            if cell not in seat.doubtful
        )
        return *result, lost, len(boards) - 1


def _play_together(
    seats: Sequence[Seat], servers: Sequence[ServerProcess], code: str, seconds: int
) -> Sequence[float]:
    awaited: dict[tuple[int, int], tuple[int, float]] = {}
    """By seat and cell, the face that is to be seen there, and since when."""
    seen_ms: list[float] = []
    back_ms = 0.0
    begun_s = perf_counter()
    kill_s, end_s = begun_s + seconds / 2, begun_s + seconds
    due = [(begun_s + seat.number * ACTION_S / SEATS, seat.number) for seat in seats]
    heapify(due)
    actions = 0
    while (now_s := perf_counter()) < end_s:
        if now_s >= kill_s:
            kill_s = end_s
            os.kill(servers[-1].pid, SIGKILL)
            gone = [seat for seat in seats if seat.number % SERVERS == SERVERS - 1]
            for seat in gone:
                seat.come_back(servers[seat.number % (SERVERS - 1)].port, code)
            awaited.clear()
            back_ms = (perf_counter() - now_s) * 1000
        while due[0][0] <= now_s:
            at_s, number = heappop(due)
            heappush(due, (at_s + ACTION_S, number))
            cell, face = seats[number].act()
            actions += 1
            for other in seats:
                if other.number != number:
                    awaited[other.number, cell] = face, now_s
        by_socket = {seat.peer.socket: seat for seat in seats}
        ready, _, _ = select([*by_socket], (), (), max(0.0, due[0][0] - perf_counter()))
        for one in ready:
            seat = by_socket[one]
            seat.read()
            at_s, faces = perf_counter(), seat.peer.faces
            for cell in [cell for number, cell in awaited if number == seat.number]:
                face, since_s = awaited[seat.number, cell]
                if faces[cell] == face:
                    seen_ms.append((at_s - since_s) * 1000)
                    del awaited[seat.number, cell]
    seen_ms.sort()
    return actions, seen_ms[len(seen_ms) // 2], seen_ms[int(0.99 * len(seen_ms))], back_ms


def _come_to_rest(seats: Sequence[Seat]) -> None:
    """Read what is on its way."""
    end_s = perf_counter() + SETTLE_S
    while (rest_s := end_s - perf_counter()) > 0:
        by_socket = {seat.peer.socket: seat for seat in seats}
        for one in select([*by_socket], (), (), rest_s)[0]:
            by_socket[one].read()
