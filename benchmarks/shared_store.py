"""Measure Redis beside the other stores: ``python -m benchmarks.shared_store [--quick] [--json]``.

First one process with a hundred games on each store in turns, then several processes on one Redis.
The processes that load Redis share the machine's processors with it, so appends a second are what
is left over; what one Redis could carry with a processor to itself follows from its processor time.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, TypeAlias

from tests.redis_process import RedisProcess, running_redis

from benchmarks.store import OWNER, SETUP, Load
from jminesweeper.store import (
    Deliver,
    Enter,
    PutPlayer,
    PutRunning,
    RunningGame,
    Store,
    deliver_at_once,
)
from jminesweeper.store.blocking import perform_all
from jminesweeper.store.memory.backend import MemoryStore
from jminesweeper.store.redis.backend import RedisStore
from jminesweeper.store.sqlite.backend import SqliteStore

GAMES: Final = 100
PROCESSES: Final = (1, 2, 3, 4)
SYNCS: Final = ("everysec", "always")
"""How often Redis writes to the disk: once a second, or before each acknowledgement."""

START_TIMEOUT_S: Final = 120.0

Open: TypeAlias = Callable[[Deliver], Store]


@dataclass(frozen=True)
class Sample:
    """Appends of one round, and what each of them took."""

    appends_per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    """Of the process that appends, the store's threads included."""
    redis_cpu_us: float


@dataclass(frozen=True)
class Contestant:
    """A store: medians of its rounds; the ratio of all processor time is within each round."""

    store: str
    sample: Sample
    cpu_ratio: float
    """To SQLite, with the processor time of Redis added to that of the process."""


@dataclass(frozen=True)
class Crowd:
    """Several processes on one Redis: all their appends together."""

    processes: int
    sample: Sample
    redis_capacity_per_s: float
    """When Redis has a processor to itself and uses all of it."""


@dataclass(frozen=True)
class Figures:
    """Everything that is measured."""

    contestants: Sequence[Contestant]
    crowds: Sequence[Crowd]


def find_redis() -> str:
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("The benchmarks of shared stores need redis-server.")
    return program


def measure(folder: Path, rounds: int, seconds: float) -> Figures:
    with ExitStack() as stack:
        by_sync = {
            sync: stack.enter_context(running_redis(find_redis(), folder / sync, appendfsync=sync))
            for sync in SYNCS
        }
        return Figures(
            measure_contest(folder, by_sync, rounds, seconds),
            [measure_crowd(by_sync["everysec"], count, rounds, seconds) for count in PROCESSES],
        )


def measure_contest(
    folder: Path, by_sync: Mapping[str, RedisProcess], rounds: int, seconds: float
) -> list[Contestant]:
    """Let the stores take turns; SQLite is what the others are compared with."""
    entrants: dict[str, tuple[Open, Sequence[RedisProcess]]] = {
        "SQLite": (lambda deliver: SqliteStore(folder / "games.sqlite3", deliver=deliver), ()),
        "memory": (MemoryStore, ()),
        **{
            f"Redis, appendfsync {sync}": (partial(open_redis, redis.url), (redis,))
            for sync, redis in by_sync.items()
        },
    }
    samples = [
        [run_round(open_store, used, seconds) for open_store, used in entrants.values()]
        for _ in range(rounds)
    ]
    return [
        Contestant(
            name,
            middle([each[place] for each in samples]),
            median(total_cpu_us(each[place]) / total_cpu_us(each[0]) for each in samples),
        )
        for place, name in enumerate(entrants)
    ]


def open_redis(url: str, deliver: Deliver) -> Store:
    return RedisStore(url, deliver=deliver)


def total_cpu_us(sample: Sample) -> float:
    return sample.cpu_us + sample.redis_cpu_us


def middle(samples: Sequence[Sample]) -> Sample:
    names = asdict(samples[0])
    return Sample(**{name: median(getattr(each, name) for each in samples) for name in names})


def run_round(open_store: Open, redises: Sequence[RedisProcess], seconds: float) -> Sample:
    with ready(open_store, "games", seconds) as run:
        redis_before_s = sum(map(redis_cpu_s, redises))
        result = run()
        redis_s = sum(map(redis_cpu_s, redises)) - redis_before_s
    return summarise([result], redis_s)


@dataclass(frozen=True)
class Result:
    """What one process did in one round."""

    appends: int
    appends_per_s: float
    p50_ms: float
    p99_ms: float
    cpu_s: float


class Delivery:
    """How a store hands over its answers: at once while games begin, later to the load."""

    def __init__(self) -> None:
        self.to: Deliver = deliver_at_once

    def __call__(self, completion: Callable[[], None]) -> None:
        self.to(completion)


@contextmanager
def ready(open_store: Open, name: str, seconds: float) -> Iterator[Callable[[], Result]]:
    """Begin the games, and give what has them append until the time is up."""
    delivery, load = Delivery(), Load(seconds)
    with closing(open_store(delivery)) as store:
        revisions = begin_games(store, [f"{name}-{number}" for number in range(GAMES)])
        delivery.to = load.deliver
        yield lambda: run_load(load, store, revisions)


def begin_games(store: Store, players: Sequence[str]) -> Mapping[str, int]:
    """Begin a game of each player; its revision."""
    perform_all(store, [PutPlayer(player, player, {}, 1) for player in players])
    perform_all(store, [Enter(player, "", OWNER) for player in players])
    games = [PutRunning(player, OWNER, RunningGame(player, SETUP)) for player in players]
    return dict(zip(players, perform_all(store, games), strict=True))


def run_load(load: Load, store: Store, revisions: Mapping[str, int]) -> Result:
    before_s = process_time()
    per_s, latencies = load.run(store, revisions)
    cpu_s = process_time() - before_s
    half, late = (latencies[int(len(latencies) * part)] * 1000 for part in (0.5, 0.99))
    return Result(len(latencies), per_s, half, late, cpu_s)


def summarise(results: Sequence[Result], redis_s: float) -> Sample:
    appends = sum(each.appends for each in results)
    return Sample(
        appends_per_s=sum(each.appends_per_s for each in results),
        p50_ms=median(each.p50_ms for each in results),
        p99_ms=max(each.p99_ms for each in results),
        cpu_us=sum(each.cpu_s for each in results) * 1e6 / appends,
        redis_cpu_us=redis_s * 1e6 / appends,
    )


def redis_cpu_s(redis: RedisProcess) -> float:
    used = redis.client.info("cpu")
    return float(used["used_cpu_user"]) + float(used["used_cpu_sys"])


def measure_crowd(redis: RedisProcess, processes: int, rounds: int, seconds: float) -> Crowd:
    """Have processes append at the same time, each for games of its own."""
    context = multiprocessing.get_context("spawn")
    # This process is the last that all wait for: it looks at Redis before and after each round.
    barrier, results = context.Barrier(processes + 1), context.Queue()
    members = [
        context.Process(
            target=join_crowd, args=(redis.url, f"p{number}", [seconds] * rounds, barrier, results)
        )
        for number in range(processes)
    ]
    for member in members:
        member.start()
    samples = [run_crowd(redis, processes, barrier, results) for _ in range(rounds)]
    for member in members:
        member.join()
    sample = middle(samples)
    return Crowd(processes, sample, 1e6 / sample.redis_cpu_us)


def run_crowd(
    redis: RedisProcess, processes: int, barrier: Barrier, results: Queue[Result]
) -> Sample:
    barrier.wait(START_TIMEOUT_S)
    before_s = redis_cpu_s(redis)
    barrier.wait(START_TIMEOUT_S)
    found = [results.get() for _ in range(processes)]
    return summarise(found, redis_cpu_s(redis) - before_s)


def join_crowd(
    url: str, name: str, rounds: Sequence[float], barrier: Barrier, results: Queue[Result]
) -> None:
    """Append as one of several processes for so many seconds each round.

    A round begins when all are ready and Redis was looked at.
    """
    be_quiet()
    for seconds in rounds:
        with ready(partial(open_redis, url), name, seconds) as run:
            barrier.wait(START_TIMEOUT_S)
            barrier.wait(START_TIMEOUT_S)
            results.put(run())


def be_quiet() -> None:
    """Leave out that a Redis without a replica may lose a second: here it may."""
    logging.getLogger("jminesweeper.store").setLevel(logging.ERROR)


def describe(figures: Figures) -> str:
    def tell(sample: Sample) -> str:
        return (
            f"{sample.appends_per_s:.0f} appends/s, p50 {sample.p50_ms:.2f} ms, "
            f"p99 {sample.p99_ms:.2f} ms, {sample.cpu_us:.1f} us and {sample.redis_cpu_us:.1f} "
            "us of Redis"
        )

    return "\n".join(
        [
            *(f"{each.store}: {tell(each.sample)}" for each in figures.contestants),
            *(f"{each.processes} on one Redis: {tell(each.sample)}" for each in figures.crowds),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shared_store", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="some seconds instead of two minutes")
    parser.add_argument("--json", action="store_true", help="write JSON instead of sentences")
    parser.add_argument("--folder", help="where to write: the disk that is to be measured")
    options = parser.parse_args()
    be_quiet()
    rounds, seconds = (3, 0.5) if options.quick else (9, 2.0)
    with TemporaryDirectory(dir=options.folder) as folder:
        figures = measure(Path(folder), rounds, seconds)
    print(json.dumps(asdict(figures)) if options.json else describe(figures))


if __name__ == "__main__":
    main()
