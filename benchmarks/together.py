"""What people who play together cost servers, and how soon they see each other.

Those who look on at one game; fifteen who share a board over four servers, of which one dies; and a
crowd, half of whom share boards.
"""

from __future__ import annotations

import os
import resource
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from heapq import heapify, heappop, heappush
from multiprocessing.connection import Connection, wait
from pathlib import Path
from random import Random
from select import EPOLLIN, epoll, select
from shutil import which
from signal import SIGKILL
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, Final

from tests.redis_process import running_redis

from benchmarks.load import READ_SIZE, beside, packets
from benchmarks.processes import HOST, ServerProcess, ours, server
from benchmarks.tables import Run, Table
from jminesweeper.core.view import COVERED, FLAGGED
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Join,
    NewGame,
    OpenRoom,
    Packet,
    Ready,
    View,
    Watch,
    encode,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.view import paint_faces
from jminesweeper.protocol.vocabulary import Button, Direction, Feature, RoomKind
from jminesweeper.records.keys import handle_of, player_id

LIVE: Final = Feature.RESUME | Feature.LIVE
KEY: Final = bytes(range(16))
EXPERT: Final = NewGame("expert")
COLUMNS: Final = 30
PAUSE_S: Final = 0.2
"""Between the actions of somebody who plays five a second."""
SETTLE_S: Final = 2.0
SHARED: Final = OpenRoom(RoomKind.SHARED)
SEATS: Final = 15
SERVERS: Final = 4
ACTION_S: Final = 0.1
"""Between the actions of a seat on a shared board."""
CROWD_SEATS: Final = 5
AT_ONCE: Final = 100
"""How many of a crowd come at once."""


class Peer:
    """A connection that plays by version 2."""

    def __init__(self, port: int, source: str = HOST) -> None:
        self.socket = socket.create_connection((HOST, port), source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = PacketReader(Direction.FROM_SERVER)
        self.known: dict[str, Any] = {}
        self.faces = bytearray()
        self.answers = 0
        """How many views have come that were asked for."""

    def send(self, *packets: Packet) -> None:
        self.socket.sendall(b"".join(map(encode, packets)))

    def ask(self, packet: Packet) -> float:
        """Send a packet; return the seconds until its answer."""
        begun, answers = perf_counter(), self.answers
        self.send(packet)
        while self.answers == answers:
            self.read()
        return perf_counter() - begun

    def read(self) -> None:
        """Read what has come; ConnectionError if the server has gone."""
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionResetError
        for view in self._reader.feed(data):
            if isinstance(view, View):
                self._take(view)

    def _take(self, view: View) -> None:
        said = view.members()
        self.known |= said
        self.answers += "unasked" not in said
        if "size" in said:
            columns, rows = said["size"]
            self.faces = bytearray((COVERED,)) * (columns * rows)
        paint_faces(self.faces, view.cells)

    def see(self, what: Callable[[dict[str, Any]], object]) -> None:
        while not what(self.known):
            self.read()


def measure(run: Run) -> Iterator[Table]:
    yield measure_watchers(300 if run.is_quick else 1_000, 10 if run.is_quick else 20)
    yield measure_shared_board(4 if run.is_quick else 10)
    yield measure_crowd(400 if run.is_quick else 2_000, 4 if run.is_quick else 10)


def measure_watchers(watchers: int, seconds: int) -> Table:
    """What it costs that many look on at one game of five actions a second."""
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
        """What is to be answered: the cell, the face it gets, and when that was sent."""
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


# A crowd


class Guest(Peer):
    """One of a crowd, from an address of their own: it sets a flag, and takes it back."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(port, f"127.1.{number // 250}.{number % 250 + 1}")
        self.key = number.to_bytes(16)
        self.cell, self.seen = 0, COVERED
        self._data = bytearray()
        self._sent: deque[float] = deque()

    def act(self) -> None:
        row, column = divmod(self.cell, COLUMNS)
        self._sent.append(perf_counter())
        self.send(Act(column, row, Button.FLAG, self.seen))
        self.seen ^= FLAGGED

    def take(self) -> Iterator[float | None]:
        """Read what has come, unseen: the seconds that each reply took, None for what is none."""
        for packet in packets(self.socket, self._data):
            is_reply = b'"unasked"' not in packet
            yield perf_counter() - self._sent.popleft() if is_reply else None


class Crowd:
    """Those who are there."""

    def __init__(self) -> None:
        self._guests: dict[int, Guest] = {}
        self._poll = epoll()

    def come(self, guests: Sequence[Guest]) -> None:
        for guest in guests:
            self._guests[guest.socket.fileno()] = guest
            self._poll.register(guest.socket, EPOLLIN)
        self.ask(guests, lambda guest: Hello(LIVE, guest.key))

    def ask(self, guests: Sequence[Guest], packet: Callable[[Guest], Packet]) -> None:
        """Have everybody send something, some at once, and wait for the answers."""
        for start in range(0, len(guests), AT_ONCE):
            some = guests[start : start + AT_ONCE]
            due = [(guest, guest.answers + 1) for guest in some]
            for guest in some:
                guest.send(packet(guest))
            self.wait(partial(_have_come, due))

    def wait(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            for guest in self._ready(None):
                guest.read()

    def _ready(self, seconds: float | None) -> Iterable[Guest]:
        return [self._guests[descriptor] for descriptor, _ in self._poll.poll(seconds)]

    def play(self, seconds: int) -> tuple[int, Sequence[float]]:
        """Have everybody act once a second; return how many frames came, and what replies took.

        They act in an order of chance: nobody's partners act just before or after them.
        """
        waits: list[float | None] = []
        turns = deque(Random(1).sample([*self._guests.values()], len(self._guests)))
        due_s = begun_s = perf_counter()
        while (now_s := perf_counter()) < begun_s + seconds:
            while due_s <= now_s:
                turns[0].act()
                turns.rotate(-1)
                due_s += 1 / len(turns)
            for guest in self._ready(max(0.0, due_s - perf_counter())):
                waits += guest.take()
        return len(waits), sorted(each for each in waits if each is not None)


def _have_come(due: Sequence[tuple[Guest, int]]) -> bool:
    return all(guest.answers >= number for guest, number in due)


def measure_crowd(count: int, seconds: int) -> Table:
    """Known players with an action a second each, half of them on shared boards."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory() as folder, ExitStack() as running:
        options = ("--store", f"{folder}/crowd.db", "--max-connections", f"{count + AT_ONCE}")
        target = running.enter_context(server(*ours(*options)))
        guests = [Guest(target.port, number) for number in range(count)]
        for guest in guests:
            running.enter_context(guest.socket)
        first, alone, seated = guests[:1], guests[1 : count // 2], guests[count // 2 :]
        crowd = Crowd()
        crowd.come(first)
        crowd.ask(first, lambda _: EXPERT)
        empty_kib = target.resident_kib()
        crowd.come(alone)
        crowd.ask(alone, lambda _: EXPERT)
        alone_kib = target.resident_kib()
        crowd.come(seated)
        sit_down(crowd, seated)
        seated_kib = target.resident_kib()
        begun_s, cpu_s = perf_counter(), target.cpu_s()
        frames, waits = crowd.play(seconds)
        taken_s, cpu_s = perf_counter() - begun_s, target.cpu_s() - cpu_s
    row = (
        f"{count:,}",
        len(waits) / taken_s,
        frames / taken_s,
        1000 * waits[len(waits) // 2],
        1000 * waits[int(0.99 * len(waits))],
        100 * cpu_s / taken_s,
        (alone_kib - empty_kib) / len(alone),
        (seated_kib - alone_kib) / len(seated),
    )
    head = ("players, half of them in rooms of five", "actions/s", "frames/s", "median, ms")
    more = ("p99, ms", "share of a core, %", "KiB of one alone", "of a seat")
    return Table("crowd", (*head, *more), [row])


def sit_down(crowd: Crowd, guests: Sequence[Guest]) -> None:
    """Share boards, and wait until the countdowns are over."""
    rooms = [guests[start : start + CROWD_SEATS] for start in range(0, len(guests), CROWD_SEATS)]
    host_of = {guest: room[0] for room in rooms for guest in room}
    hosts = [room[0] for room in rooms]
    crowd.ask(hosts, lambda _: SHARED)
    crowd.wait(lambda: all(host.known.get("room") for host in hosts))
    for place in range(1, CROWD_SEATS):
        sitters = [room[place] for room in rooms if place < len(room)]
        crowd.ask(sitters, lambda guest: Join(host_of[guest].known["room"]["code"]))
    crowd.ask(guests, lambda _: Ready())
    crowd.wait(lambda: all(guest.known.get("state") == "playing" for guest in guests))
    for room in rooms:
        covered = [cell for cell, face in enumerate(room[0].faces) if face == COVERED]
        for guest, cell in zip(room, covered, strict=False):
            guest.cell = cell
