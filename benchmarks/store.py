"""The cost of losing nothing: appends, known players on the server, and answers that come back."""

from __future__ import annotations

import shutil
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple, TypeAlias

from tests.haproxy_process import CHECK, HOSTS
from tests.integration.hosts import Hosts, Resident, running_hosts
from tests.redis_process import RedisProcess, running_redis

from benchmarks.load import Case, Step, load
from benchmarks.processes import HOST, MARK, ROOT, ours, receive_reply, server, start
from benchmarks.tables import Run, Table
from jminesweeper.protocol.packets import Hello, encode
from jminesweeper.records.documents import Flow
from jminesweeper.store.port import DONE, Append, Commit, Job, Put
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore

KEY_BYTES: Final = 16
GAME_LENGTH: Final = 400
LONG_GAME: Final = 10_000
ENTRY: Final = b"\1" * 8
BODY: Final = "x" * 150
"""As long as the document of a game."""
ENTERING_S: Final = 0.003
"""Time for each player to come in; nothing is measured before all are in."""


class Extent(NamedTuple):
    rounds: int
    seconds: float
    connections: Sequence[int]
    resumes: int
    losses: int


def measure(run: Run) -> Iterator[Table]:
    extent = Extent(3, 0.5, (100,), 3, 3) if run.is_quick else Extent(7, 2, (1, 100, 1_000), 20, 10)
    with TemporaryDirectory(dir=ROOT) as name:
        folder = Path(name)
        yield measure_appends(folder, extent)
        yield measure_known(folder, extent)
        yield measure_resumes(folder, extent)
        yield measure_losses(folder, extent)


def program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise SystemExit(f"The benchmark of stores needs {name}.")
    return path


# Appends


def measure_appends(folder: Path, extent: Extent) -> Table:
    rows: list[Sequence[str | float | None]] = []
    with ExitStack() as running:
        for name, sync in (("SQLite", ""), ("Redis, everysec", "everysec"), ("always", "always")):
            redis = None
            if sync:
                started = running_redis(program("redis-server"), folder / sync, appendfsync=sync)
                redis = running.enter_context(started)
            for games in (100, 1_000):
                taken = [
                    _appends(folder, redis, games, extent.seconds) for _ in range(extent.rounds)
                ]
                rows.append((f"{name}, {games:,} games", *map(median, zip(*taken, strict=True))))
    plain = median(_plain_commits(folder, extent.seconds) for _ in range(extent.rounds))
    rows.append(("plain sqlite3: a row, a commit", plain, *[None] * 4))
    head = ("appends of one process", "ours/s", "p50, ms", "p99, ms", "CPU, µs", "Redis, µs")
    return Table("appends", head, rows)


def _appends(
    folder: Path, redis: RedisProcess | None, games: int, seconds: float
) -> Sequence[float]:
    with TemporaryDirectory(dir=folder) as name:
        if redis is not None:
            redis.client.flushall()
        before_s = _redis_cpu_s(redis)
        place = f"{name}/store.db" if redis is None else redis.url
        *figures, count = play_appends(place, games, seconds)
    return *figures, (_redis_cpu_s(redis) - before_s) * 1e6 / count


def _redis_cpu_s(redis: RedisProcess | None) -> float:
    if redis is None:
        return 0.0
    used = redis.client.info("cpu")
    return float(used["used_cpu_user"]) + float(used["used_cpu_sys"])


def _plain_commits(folder: Path, seconds: float) -> float:
    """Return commits a second of the least a durable write can be."""
    with closing(sqlite3.connect(folder / "plain", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS entry (value BLOB)")
        begun, commits = perf_counter(), 0
        while perf_counter() < begun + seconds:
            connection.execute("INSERT INTO entry VALUES (?)", (bytes(8),))
            commits += 1
    return commits / seconds


class Desk:
    """A store whose answers are taken in turns. What they lead to is one batch, as in a server."""

    def __init__(self, place: str) -> None:
        self._completions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: list[Job] = []
        deliver = self._completions.put
        self._store = (
            RedisStore(place, deliver=deliver)
            if "://" in place
            else SqliteStore(Path(place), deliver=deliver)
        )
        self.close = self._store.close

    def drive(self, flows: Sequence[Flow[Any]]) -> None:
        """Carry flows out side by side."""
        running = set(flows)

        def step(flow: Flow[Any], answer: Any) -> None:
            try:
                self._jobs.append(Job(flow.send(answer), partial(step, flow)))
            except StopIteration:
                running.remove(flow)

        for flow in flows:
            step(flow, None)
        while running:
            jobs, self._jobs = self._jobs, []
            self._store.submit(jobs)
            self._completions.get()()


def play_appends(place: str, games: int, seconds: float) -> Sequence[float]:
    """Append to games, each again as soon as it is answered.

    Return appends a second, the median and the 99th percentile in milliseconds, microseconds of
    processor time for one, and how many there were.
    """
    times: list[float] = []

    def append(game: str) -> Flow[None]:
        yield Commit(7, puts=(Put(game, BODY),), appends=(Append(game, 0, b"", ENTRY),))
        at = 1
        while (sent_s := perf_counter()) < until_s:
            if (yield Commit(appends=(Append(game, at, ENTRY, ENTRY),))) is not DONE:
                raise SystemExit("The store refused an append.")
            times.append(perf_counter() - sent_s)
            at += 1

    with closing(Desk(place)) as desk:
        begun_s, cpu_s = perf_counter(), process_time()
        until_s = begun_s + seconds
        desk.drive([append(f"game:abcdefgh{number:04}") for number in range(games)])
        taken_s, cpu_s = perf_counter() - begun_s, process_time() - cpu_s
    times.sort()
    count = len(times)
    p50_ms, p99_ms = (times[int(count * part)] * 1000 for part in (0.5, 0.99))
    return count / taken_s, p50_ms, p99_ms, cpu_s * 1e6 / count, count


# Known players on the server


HELLO: Final = encode(Hello(key=bytes(KEY_BYTES)))
"""The first packet of a known player; the key is before the name, which is empty."""
PLAYING: Final = Case(
    "known players",
    (Step(HELLO, number_at=HELLO.rindex(bytes(KEY_BYTES))),),
    (Step(start(20, 10)), *[Step(MARK)] * GAME_LENGTH),
)
"""Flags set and taken back by known players, who wait for each reply."""


def measure_known(folder: Path, extent: Extent) -> Table:
    rows = []
    with running_redis(program("redis-server"), folder / "known") as redis:
        for connections in extent.connections:
            file = str(folder / f"known-{connections}.sqlite3")
            for name, place in (("memory", "memory"), ("SQLite", file), ("Redis", redis.url)):
                warm_up_s = 0.3 + connections * ENTERING_S
                with server(*ours("--store", place)) as target:
                    taken = [
                        load(target, PLAYING, connections, extent.seconds, warm_up_s)
                        for _ in range(extent.rounds)
                    ]
                rate, cpu_us, p50_ms, p99_ms = map(median, zip(*taken, strict=True))
                rows.append((f"{connections:,} on {name}", rate, p50_ms, p99_ms, cpu_us))
    head = ("known players", "actions/s", "p50, ms", "p99, ms", "CPU, µs")
    return Table("known players", head, rows)


def measure_resumes(folder: Path, extent: Extent) -> Table:
    """From a known player's first byte to the board of a long game, on a server just started."""
    place, times = folder / "resume.sqlite3", []
    with (
        server(*ours("--store", str(place))) as target,
        socket.create_connection((HOST, target.port)) as peer,
    ):
        for packet in (HELLO, start(30, 16), *[MARK] * LONG_GAME):
            peer.sendall(packet)
            receive_reply(peer)
    for _ in range(extent.resumes):
        with (
            server(*ours("--store", str(place))) as target,
            socket.create_connection((HOST, target.port)) as peer,
        ):
            begun = perf_counter()
            peer.sendall(HELLO)
            receive_reply(peer)
            times.append((perf_counter() - begun) * 1000)
    size = place.stat().st_size / LONG_GAME
    row = (f"a game of {LONG_GAME:,} actions", median(times), max(times), size)
    head = ("resumed on a server just started", "median, ms", "worst, ms", "bytes an action")
    return Table("resumes", head, [row])


# Hosts that are lost


Lose: TypeAlias = Callable[[Hosts, Resident], float]


def measure_losses(folder: Path, extent: Extent) -> Table:
    """Until the same board is on the screen again, behind HAProxy as it is shipped."""
    taken: dict[str, list[float]] = {what: [] for what in LOSSES}
    haproxy = program("haproxy")
    (folder / "hosts").mkdir()
    with (
        running_redis(program("redis-server"), folder / "many", appendfsync="always") as redis,
        running_hosts(haproxy, folder / "hosts", redis.url, CHECK) as hosts,
        closing(Resident(hosts.haproxy.port, b"k" * KEY_BYTES)) as resident,
    ):
        for _ in range(extent.losses):
            for what, lose in LOSSES.items():
                resident.press()
                taken[what].append(lose(hosts, resident) * 1000)
    rows = [(what, median(times), max(times)) for what, times in taken.items()]
    return Table("losses", ("a player's host", "back after, ms", "worst, ms"), rows)


def kill(hosts: Hosts, resident: Resident) -> float:
    """Return the seconds from the first new try on."""
    home = hosts.home_of(resident.player)
    hosts.kill(home)
    resident.player.receive_until_closed()
    seconds = come_back(resident, perf_counter())
    hosts.end(home)
    hosts.start(home)
    await_all(hosts)
    return seconds


def freeze(hosts: Hosts, resident: Resident) -> float:
    """Return the seconds from the freeze on, until HAProxy has noticed it included."""
    home = hosts.home_of(resident.player)
    begun = perf_counter()
    hosts[home].send_signal(signal.SIGSTOP)
    resident.player.receive_until_closed()
    seconds = come_back(resident, begun)
    hosts[home].send_signal(signal.SIGCONT)
    await_all(hosts)
    return seconds


def come_back(resident: Resident, begun: float) -> float:
    resident.player.close()
    resident.come_back()
    seconds = perf_counter() - begun
    resident.assert_all_is_there()
    return seconds


def await_all(hosts: Hosts) -> None:
    for host in HOSTS:
        hosts.haproxy.await_state(host, "UP")


LOSSES: Final[Mapping[str, Lose]] = {
    "killed: after the first try": kill,
    "frozen: after the freeze": freeze,
}
