"""Measure play that survives a crash: ``python -m benchmarks.durable [--quick] [--json]``.

Known players on the real server, each waiting for its reply before it acts again: on SQLite and on
Redis beside the same on the memory store, in rounds that alternate. And what it takes to come back
to a long game, and to hold a thousand of them.
"""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.redis_process import RedisProcess, running_redis

from benchmarks.server.cases import GAME_LENGTH, MARK, Case, Step, start
from benchmarks.server.processes import (
    HOST,
    Sample,
    ServerProcess,
    load,
    ours,
    receive_reply,
    server,
)
from benchmarks.shared_store import find_redis
from benchmarks.store import ACTIONS, measure_plain_sqlite
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import KEY_LENGTH, Hello
from jminesweeper.store import (
    Append,
    Job,
    PutRunning,
    RunningGame,
    StoreError,
    pack_entries,
    player_id,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore

CONNECTIONS = (1, 100, 1000)
RESUMES, QUICK_RESUMES = 20, 5
RESUME_AIM_MS = 50
PLAYERS, QUICK_PLAYERS = 1000, 300


@dataclass(frozen=True)
class Throughput:
    """A store: medians of the rounds, and of the ratios to the memory store within each round."""

    connections: int
    store: str
    sample: Sample
    rate_ratio: float
    cpu_ratio: float


@dataclass(frozen=True)
class Memory:
    """KiB of resident memory for each player who has begun a game of 20x10."""

    players: str
    kib: float


@dataclass(frozen=True)
class Figures:
    """Everything that is measured."""

    plain_commits_per_s: float
    throughput: Sequence[Throughput]
    resume_ms: Sequence[float]
    memory: Sequence[Memory]


def hello(key: bytes = b"") -> bytes:
    return encode(Hello(80, 24, key=key))


def key_of(number: int) -> bytes:
    return number.to_bytes(KEY_LENGTH, "big")


def playing() -> Case:
    """Return what each known player does: START, flags on and off, and again."""
    greeting = hello(key_of(0))
    # The name, of no length, comes last.
    enter = Step(greeting, number_at=len(greeting) - 1 - KEY_LENGTH)
    return Case("known players", (enter,), (start(20, 10), *[Step(MARK)] * GAME_LENGTH))


ENTERING_S = 0.003
"""How long a player may take to come in, with a hash, a lease and a new game that is stored whole.

Before all are in, it is not measured how they play.
"""


def measure_throughput(
    folder: Path, redis: RedisProcess, connections: int, rounds: int, seconds: float
) -> list[Throughput]:
    places = {
        "memory": "memory",
        "SQLite": str(folder / f"{connections}.sqlite3"),
        "Redis": redis.url,
    }
    with ExitStack() as running:
        targets = [
            running.enter_context(server(*ours("uvloop"), "--store", place))
            for place in places.values()
        ]
        warm_up_s = 0.3 + connections * ENTERING_S
        samples = [
            [load(target, playing(), connections, seconds, warm_up_s) for target in targets]
            for _ in range(rounds)
        ]
    return [
        Throughput(
            connections,
            store,
            middle([each[place] for each in samples]),
            median(each[place].rate / each[0].rate for each in samples),
            median(each[place].cpu_us / each[0].cpu_us for each in samples),
        )
        for place, store in enumerate(places)
    ]


def middle(samples: Sequence[Sample]) -> Sample:
    names = asdict(samples[0])
    return Sample(**{name: median(getattr(each, name) for each in samples) for name in names})


def measure_resume(folder: Path, players: int) -> list[float]:
    """Milliseconds from HELLO to the screen of a game of many actions, each player once."""
    path = folder / "resume.sqlite3"
    with SqliteStore(path) as store:
        for number in range(players):
            keep_long_game(store, key_of(number))
    times: list[float] = []
    with server(*ours("uvloop"), "--store", str(path)) as target:
        for number in range(players):
            with socket.create_connection((HOST, target.port)) as peer:
                begun = perf_counter()
                peer.sendall(hello(key_of(number)))
                receive_reply(peer)
                times.append((perf_counter() - begun) * 1000)
    return times


def keep_long_game(store: SqliteStore, key: bytes) -> None:
    """Keep a game of many actions, each written when it was done."""
    player, owner = player_id(key), "before"
    setup = Setup.of("expert", seed=1)
    game = Game(setup)
    game.reveal(Cell(0, 0), 0)
    for number in range(1, ACTIONS):
        game.flag(Cell(number % 30, number // 30 % 16), number * 200)
    running = RunningGame(player[:16], setup, begun_at_ms=1)
    revision = perform(store, PutRunning(player, owner, running))
    appends = (
        Append(player, owner, revision + number, pack_entries([entry]), number * 200, Cell(0, 0))
        for number, entry in enumerate(game.log.entries)
    )
    store.submit([Job(append, expect_success) for append in appends])


def expect_success(answer: int | StoreError) -> None:
    if isinstance(answer, StoreError):
        raise answer


def measure_memory(folder: Path, players: int) -> list[Memory]:
    kinds: dict[str, Callable[[int], Sequence[bytes]]] = {
        "version 1": lambda _number: (start(20, 10).data,),
        "version 2, without a key": lambda _number: (hello(), start(20, 10).data),
        "version 2, known": lambda number: (hello(key_of(number)), start(20, 10).data, MARK),
    }
    figures = []
    for number, (name, packets) in enumerate(kinds.items()):
        path = folder / f"memory-{number}.sqlite3"
        with server(*ours("uvloop"), "--store", str(path)) as target:
            figures.append(Memory(name, round(weigh(target, players, packets), 1)))
    return figures


def weigh(target: ServerProcess, players: int, packets: Callable[[int], Sequence[bytes]]) -> float:
    with ExitStack() as guests:

        def come(number: int) -> None:
            peer = guests.enter_context(socket.create_connection((HOST, target.port)))
            for packet in packets(number):
                peer.sendall(packet)
                receive_reply(peer)

        # Whatever is allocated once is there after these.
        for number in range(20):
            come(players + number)
        before_kib = target.resident_kib()
        for number in range(players):
            come(number)
        return (target.resident_kib() - before_kib) / players


def measure(folder: Path, is_quick: bool) -> Figures:
    rounds, seconds = (3, 0.5) if is_quick else (5, 2.0)
    with running_redis(find_redis(), folder / "redis") as redis:
        throughput = [
            each
            for count in CONNECTIONS
            for each in measure_throughput(folder, redis, count, rounds, seconds)
        ]
    return Figures(
        measure_plain_sqlite(folder, 0.5),
        throughput,
        measure_resume(folder, QUICK_RESUMES if is_quick else RESUMES),
        measure_memory(folder, QUICK_PLAYERS if is_quick else PLAYERS),
    )


def row(result: Throughput) -> str:
    sample = result.sample
    return (
        f"{result.connections:>11} {result.store:<7} {sample.rate:>10.0f} {sample.cpu_us:>7.1f} "
        f"{sample.p50_us / 1000:>8.2f} {sample.p99_us / 1000:>8.2f} {result.rate_ratio:>6.2f}"
    )


def say_all(figures: Figures, say: Callable[[str], None]) -> None:
    say(f"one row, one commit, plain sqlite3: {figures.plain_commits_per_s:.0f} a second")
    say(
        f"{'connections':>11} {'store':<7} {'actions/s':>10} {'CPU µs':>7} "
        f"{'p50 ms':>8} {'p99 ms':>8} {'ratio':>6}"
    )
    for result in figures.throughput:
        say(row(result))
    times = sorted(figures.resume_ms)
    say(
        f"a game of {ACTIONS} actions goes on after {median(times):.1f} ms, "
        f"at worst {times[-1]:.1f}; aim {RESUME_AIM_MS}"
    )
    for memory in figures.memory:
        say(f"{memory.players}: {memory.kib} KiB for each player")


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.durable", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute instead of four")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--folder", help="where to write: the disk that is to be measured")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        figures = measure(Path(folder), options.quick)
    if options.json:
        say(json.dumps(asdict(figures), indent=2))
    else:
        say_all(figures, say)


if __name__ == "__main__":
    main()
