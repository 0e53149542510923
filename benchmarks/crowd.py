"""A crowd of known players: what an action costs a server, how soon it is answered, who comes back.

    python -m benchmarks.crowd --players 500 1000 2000 4000
    python -m benchmarks.crowd --players 8000 --rooms 0
    python -m benchmarks.crowd --players 10000 --every 5 --servers 4 --store redis
    python -m benchmarks.crowd --players 2000 --web
    python -m benchmarks.crowd --players 5000 --return
    python -m benchmarks.crowd --players 2000 --weight

Everybody acts about once a second, never in step: a third of the actions are reveals, the others
set a flag and take it back. Nobody reveals a mine, for the boards of those who play alone are known
and those of rooms are read in the store, so no game ends while it is measured. Views are not
decoded then: the load has one processor to itself, and that must do for all.
"""

from __future__ import annotations

import argparse
import gc
import resource
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from heapq import heapify, heapreplace
from math import sqrt
from pathlib import Path
from random import Random
from select import EPOLLIN, epoll
from shutil import which
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final, NamedTuple

from tests.redis_process import running_redis

from benchmarks.load import packets
from benchmarks.peer import LIVE, SHARED, Peer
from benchmarks.processes import ServerProcess, ours, server
from benchmarks.tables import Run, Table
from jminesweeper.cli.stores import StoreUrl, open_archive
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, FLAGGED
from jminesweeper.protocol.packets import Act, Hello, Join, NewGame, Packet, Ready
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run

SEATS: Final = 5
AT_ONCE: Final = 100
"""Number of a crowd who come at once."""
ALONE: Final = Setup.of("expert", seed=1, first=Cell(15, 8))
"""The board of all who play alone."""
JITTER: Final = 0.5
"""By which part of the time between two actions the next one comes earlier or later."""
WARM_UP_S: Final = 8
"""By then all who came are on the list of players online, which costs each a read and a put."""
COME_BACK_S: Final = 2.0
"""The time within which all come back after a restart."""
PATIENCE_S: Final = 20.0


class Guest(Peer):
    """One of a crowd, from an address of their own."""

    def __init__(self, port: int, number: int, *, is_web: bool = False) -> None:
        super().__init__(port, f"127.1.{number // 250}.{number % 250 + 1}", is_web=is_web)
        self.number = number
        self.key = number.to_bytes(16)
        self._flagged, self._seen = Cell(0, 0), COVERED
        self._reveals: list[Cell] = []
        self._turns = 0
        self._data = bytearray()
        self._sent: deque[float] = deque()

    def play_on(self, mine: Cell, safe: Iterable[Cell]) -> None:
        """Take the cell to flag, and those to reveal one after the other."""
        self._flagged, self._reveals = mine, [*safe]

    def act(self) -> None:
        self._sent.append(perf_counter())
        self.send(self.next_act())

    def next_act(self) -> Act:
        """Flag a mine, take the flag back, or reveal the next cell; in turns."""
        self._turns += 1
        if self._turns % 3 == 0 and self._reveals:
            cell, button, seen = self._reveals.pop(), Button.OPEN, COVERED
        else:
            cell, button, seen = self._flagged, Button.FLAG, self._seen
            self._seen ^= FLAGGED
        return Act(cell.column, cell.row, button, seen)

    def take(self) -> Iterator[float | None]:
        """Read what has come, unseen: the seconds that each reply took, None for what is none."""
        for packet in packets(self.stream, self._data):
            is_reply = b'"unasked"' not in packet
            yield perf_counter() - self._sent.popleft() if is_reply else None


class Crowd:
    """Those who are there."""

    def __init__(self) -> None:
        self._guests: dict[int, Guest] = {}
        self._poll = epoll()

    def welcome(self, guest: Guest) -> None:
        self._guests[guest.socket.fileno()] = guest
        self._poll.register(guest.socket, EPOLLIN)

    def dismiss(self, guest: Guest) -> None:
        self._poll.unregister(guest.socket)
        del self._guests[guest.socket.fileno()]
        guest.socket.close()

    def come(self, guests: Sequence[Guest]) -> None:
        for guest in guests:
            self.welcome(guest)
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
            for guest in self.ready(None):
                guest.read()

    def ready(self, seconds: float | None) -> Iterable[Guest]:
        return [self._guests[descriptor] for descriptor, _ in self._poll.poll(seconds)]

    def play(self, seconds: float, every_s: float = 1.0) -> tuple[int, Sequence[float]]:
        """Have everybody act now and then; return how many frames came, and what replies took."""
        # Else the load itself pauses, to look for garbage among thousands of boards.
        gc.collect()
        gc.freeze()
        draw, waits, begun_s = Random(1), list[float | None](), perf_counter()
        due = [
            (begun_s + every_s * _first_wait(draw), guest.number, guest)
            for guest in self._guests.values()
        ]
        heapify(due)
        while (now_s := perf_counter()) < begun_s + seconds:
            while due[0][0] <= now_s:
                due_s, number, guest = due[0]
                guest.act()
                after_s = every_s * draw.uniform(1 - JITTER, 1 + JITTER)
                heapreplace(due, (due_s + after_s, number, guest))
            for guest in self.ready(max(0.0, due[0][0] - perf_counter())):
                waits += guest.take()
        return len(waits), sorted(each for each in waits if each is not None)


def _first_wait(draw: Random) -> float:
    """Draw how long it is until somebody who acts now and then acts next, at any moment.

    Else a second after the start half as many again act as later. A long pause is met more often
    than a short one: its density grows with its length.
    """
    length = sqrt((1 - JITTER) ** 2 + 4 * JITTER * draw.random())
    return draw.random() * length


def _have_come(due: Sequence[tuple[Guest, int]]) -> bool:
    return all(guest.answers >= number for guest, number in due)


def play_alone(crowd: Crowd, guests: Sequence[Guest]) -> None:
    """Begin a game each."""
    crowd.ask(guests, lambda _: NewGame(ALONE.text))
    for guest in guests:
        mines, safe = _cells_of(ALONE, guest.number)
        guest.play_on(mines[0], safe)


def sit_down(crowd: Crowd, guests: Sequence[Guest], place: Path | StoreUrl) -> None:
    """Share boards, and wait until the countdowns are over."""
    rooms = [guests[start : start + SEATS] for start in range(0, len(guests), SEATS)]
    host_of = {guest: room[0] for room in rooms for guest in room}
    hosts = [room[0] for room in rooms]
    crowd.ask(hosts, lambda _: SHARED)
    crowd.wait(lambda: all(host.known.get("room") for host in hosts))
    for seat in range(1, SEATS):
        sitters = [room[seat] for room in rooms if seat < len(room)]
        crowd.ask(sitters, lambda guest: Join(host_of[guest].known["room"]["code"]))
    crowd.ask(guests, lambda _: Ready())
    crowd.wait(lambda: all(guest.known.get("state") == "playing" for guest in guests))
    with open_archive(place) as archive:
        for room in rooms:
            known = run(archive, find_room(room[0].known["room"]["code"]))
            if known is None or known.round is None or known.round.setup is None:
                raise SystemExit("A room has no board.")
            mines, safe = _cells_of(known.round.setup, room[0].number)
            for seat, guest in enumerate(room):
                guest.play_on(mines[seat], safe[seat::SEATS])


def _cells_of(setup: Setup, number: int) -> tuple[Sequence[Cell], Sequence[Cell]]:
    """List the mines and the other cells of a board, in an order of chance."""
    game, draw = Game(setup), Random(number)
    mines = game.reveal_truth().mines
    cells = [*game.grid.cells(mines)], [*game.grid.cells(game.grid.mask & ~mines)]
    for each in cells:
        draw.shuffle(each)
    return cells


class Scene(NamedTuple):
    """A crowd to be measured."""

    players: int
    in_rooms: float = 0.5
    """The part of them who share boards, five at each."""
    store: str = "sqlite"
    servers: int = 1
    is_web: bool = False
    every_s: float = 1.0
    """Seconds between the actions of each, on average."""

    @property
    def name(self) -> str:
        where = {0.0: "alone", 0.5: "half in rooms", 1.0: "in rooms"}
        words = [f"{self.players:,}", where.get(self.in_rooms, f"{self.in_rooms:.0%} in rooms")]
        if self.is_web:
            words.append("through WebSockets")
        words.append("on Redis" if self.store == "redis" else "on SQLite")
        if self.servers > 1:
            words.append(f"and {self.servers} servers")
        return " ".join(words) + (f", each {self.every_s:g} s" if self.every_s != 1 else "")


QUICK: Final = (Scene(400),)
FULL: Final = (
    *(Scene(players) for players in (500, 1_000, 2_000, 4_000)),
    *(Scene(players, 0.0) for players in (1_000, 4_000, 8_000)),
    Scene(200, 1.0, "redis"),
    Scene(1_000, 0.0, is_web=True),
    Scene(10_000, 0.5, "redis", servers=4, every_s=5.0),
)


class Sample(NamedTuple):
    """A crowd that was measured."""

    actions_s: float
    frames_s: float
    median_ms: float
    p99_ms: float
    core: float
    """The part of a processor that the servers took."""
    us: float
    """Their processor time for an action."""
    alone_kib: float | None
    seat_kib: float | None


def measure(run: Run) -> Iterator[Table]:
    allow_many()
    seconds = 4 if run.is_quick else 10
    yield table_of(
        {scene.name: measure_scene(scene, seconds) for scene in (QUICK if run.is_quick else FULL)}
    )
    yield returns(500 if run.is_quick else 5_000)
    if not run.is_quick:
        yield weights(2_000)


def measure_scene(scene: Scene, seconds: float) -> Sample:
    """Have a crowd come and play, on a store of its own."""
    with TemporaryDirectory() as folder, ExitStack() as running:
        place: Path | StoreUrl = Path(folder, "crowd.db")
        if scene.store == "redis":
            program = which("redis-server")
            if program is None:
                raise SystemExit("There is no redis-server.")
            place = StoreUrl(running.enter_context(running_redis(program, Path(folder))).url)
        url = place.url if isinstance(place, StoreUrl) else str(place)
        options = ("--store", url, "--max-connections", f"{scene.players + AT_ONCE}")
        targets = [running.enter_context(server(*ours(*options))) for _ in range(scene.servers)]
        guests = []
        seated = SEATS * round(scene.players * scene.in_rooms / SEATS)
        alone = scene.players - seated

        def connect(numbers: Iterable[int]) -> Sequence[Guest]:
            # Those of a room are at different servers, if there are several.
            come = [
                Guest(targets[number % len(targets)].port, number, is_web=scene.is_web)
                for number in numbers
            ]
            guests.extend(come)
            return come

        crowd = Crowd()
        # What the first one makes a server load is no memory of a player.
        empty_kib = _resident_kib(targets)
        kib: list[float | None] = [None, None]
        if alone:
            first = connect(range(1))
            crowd.come(first)
            play_alone(crowd, first)
            empty_kib = _resident_kib(targets)
            rest = connect(range(1, alone))
            crowd.come(rest)
            play_alone(crowd, rest)
            kib[0] = (_resident_kib(targets) - empty_kib) / max(1, len(rest))
        if seated:
            before_kib = _resident_kib(targets)
            rest = connect(range(alone, scene.players))
            crowd.come(rest)
            sit_down(crowd, rest, place)
            kib[1] = (_resident_kib(targets) - before_kib) / len(rest)
        # The record of a game is made by its first action; the crowd is measured later.
        crowd.ask(guests, Guest.next_act)
        crowd.play(WARM_UP_S, scene.every_s)
        begun_s, cpu_s = perf_counter(), _cpu_s(targets)
        frames, waits = crowd.play(seconds, scene.every_s)
        taken_s, cpu_s = perf_counter() - begun_s, _cpu_s(targets) - cpu_s
        for guest in guests:
            guest.socket.close()
    return Sample(
        len(waits) / taken_s,
        frames / taken_s,
        1000 * waits[len(waits) // 2],
        1000 * waits[int(0.99 * len(waits))],
        cpu_s / taken_s,
        1e6 * cpu_s / len(waits),
        *kib,
    )


def _resident_kib(targets: Sequence[ServerProcess]) -> float:
    return sum(target.resident_kib() for target in targets)


def _cpu_s(targets: Sequence[ServerProcess]) -> float:
    return sum(target.cpu_s() for target in targets)


def table_of(samples: Mapping[str, Sample]) -> Table:
    head = ("players", "actions/s", "frames/s", "median, ms", "p99, ms", "share of a core, %")
    more = ("CPU of an action, µs", "KiB of one alone", "of a seat")
    rows = [
        (name, *each[:4], 100 * each.core, each.us, each.alone_kib, each.seat_kib)
        for name, each in samples.items()
    ]
    return Table("crowd", (*head, *more), rows)


class Return(NamedTuple):
    """A crowd that has come back."""

    refused: int
    median_ms: float
    """From connecting to the board."""
    p99_ms: float
    worst_ms: float
    us: float
    """Processor time of the server for each."""


def measure_return(players: int) -> Return:
    """Have a server killed under a crowd and started again, and all come back in two seconds."""
    with TemporaryDirectory() as folder, ExitStack() as running:
        options = ("--store", f"{folder}/crowd.db", "--max-connections", f"{players + AT_ONCE}")
        with server(*ours(*options)) as target:
            crowd = Crowd()
            guests = [Guest(target.port, number) for number in range(players)]
            crowd.come(guests)
            play_alone(crowd, guests)
            # The record of a game is made by its first action.
            crowd.ask(guests, Guest.next_act)
        for guest in guests:
            guest.socket.close()
        target = running.enter_context(server(*ours(*options)))
        return _come_back(target, players)


def _come_back(target: ServerProcess, players: int) -> Return:
    crowd, begun_s, cpu_s = Crowd(), perf_counter(), target.cpu_s()
    come: list[tuple[Guest, float]] = []
    back_ms: dict[Guest, float] = {}
    gone: set[Guest] = set()
    since = dict[Guest, float]()
    while len(back_ms) + len(gone) < players and perf_counter() < begun_s + PATIENCE_S:
        due = min(players, int((perf_counter() - begun_s) / COME_BACK_S * players) + 1)
        while len(come) < due:
            at_s = perf_counter()
            guest = Guest(target.port, len(come))
            come.append((guest, at_s))
            since[guest] = at_s
            crowd.welcome(guest)
            guest.send(Hello(LIVE, guest.key))
        for guest in crowd.ready(0.0 if len(come) < players else 0.1):
            try:
                guest.read()
            except ConnectionError:
                gone.add(guest)
                crowd.dismiss(guest)
                continue
            if guest not in back_ms and guest.known.get("size"):
                back_ms[guest] = 1000 * (perf_counter() - since[guest])
    for guest, _ in come:
        guest.socket.close()
    if not back_ms:
        raise SystemExit("Nobody has come back.")
    waits = sorted(back_ms.values())
    return Return(
        players - len(waits),
        waits[len(waits) // 2],
        waits[int(0.99 * len(waits))],
        waits[-1],
        1e6 * (target.cpu_s() - cpu_s) / players,
    )


def returns(players: int) -> Table:
    head = ("players who come back in 2 s", "refused", "median, ms", "p99, ms", "worst, ms")
    row = (f"{players:,}", *measure_return(players))
    return Table("return", (*head, "CPU of each, µs"), [row])


ACTIONS: Final = 10
"""The actions of a game that counts as played."""


def measure_weight(players: int, others: int, *, is_web: bool = False) -> tuple[float, float]:
    """Have players come after others; return the KiB of each, with a new game and a played one."""
    options = ("--max-connections", f"{players + others + AT_ONCE}")
    with (
        TemporaryDirectory() as folder,
        server(*ours("--store", f"{folder}/crowd.db", *options)) as target,
    ):
        crowd = Crowd()

        def begin(numbers: Iterable[int]) -> Sequence[Guest]:
            guests = [Guest(target.port, number, is_web=is_web) for number in numbers]
            crowd.come(guests)
            play_alone(crowd, guests)
            return guests

        def play(guests: Sequence[Guest]) -> None:
            for _ in range(ACTIONS):
                crowd.ask(guests, Guest.next_act)
            # Then the next action puts each on the list of players online.
            sleep(WARM_UP_S)
            crowd.ask(guests, Guest.next_act)

        early = begin(range(others))
        play(early)
        kib = [target.resident_kib()]
        guests = begin(range(others, others + players))
        kib.append(target.resident_kib())
        play(guests)
        kib.append(target.resident_kib())
        for guest in (*early, *guests):
            guest.socket.close()
    return (kib[1] - kib[0]) / players, (kib[2] - kib[0]) / players


def weights(players: int) -> Table:
    head = (f"KiB of one known player, of {players:,}", "game begun", "game played")
    rows = [
        (f"after {others:,} others, {way}", *measure_weight(players, others, is_web=is_web))
        for way, is_web in (("TCP", False), ("WebSocket", True))
        for others in (AT_ONCE, players)
    ]
    return Table("weight", head, rows)


def allow_many() -> None:
    """Raise the limit of open files to the most that there may be."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def main() -> None:
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd", description=about)
    parser.add_argument("--players", type=int, nargs="+", default=[1_000])
    parser.add_argument(
        "--rooms", type=float, default=50, metavar="PERCENT", help="who share boards"
    )
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--every", type=float, default=1, help="seconds between actions")
    parser.add_argument("--store", choices=("sqlite", "redis"), default="sqlite")
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--web", action="store_true", help="through WebSockets")
    parser.add_argument("--return", action="store_true", dest="comes_back", help="after a restart")
    parser.add_argument("--weight", action="store_true", help="what memory each needs")
    asked = parser.parse_args()
    allow_many()
    for players in asked.players:
        if asked.comes_back:
            print(returns(players), flush=True)
            continue
        if asked.weight:
            print(weights(players), flush=True)
            continue
        share, store, servers = asked.rooms / 100, asked.store, asked.servers
        scene = Scene(players, share, store, servers, asked.web, asked.every)
        print(table_of({scene.name: measure_scene(scene, asked.seconds)}), flush=True)


if __name__ == "__main__":
    main()
