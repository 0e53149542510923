"""Measure the stores: ``python -m benchmarks.store [--quick] [--json] [--folder FOLDER]``."""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from time import perf_counter

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.store import (
    Append,
    Enter,
    Job,
    PutPlayer,
    PutRunning,
    RunningGame,
    Store,
    StoreError,
    pack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory.backend import MemoryStore
from jminesweeper.store.sqlite.backend import SqliteStore

GAMES = (1, 50, 100, 500, 1000)
AIM_PER_S = 20_000
"""Durable appends a second with 50 to 500 games at once."""
SECONDS, QUICK_SECONDS = 4.0, 0.5
ACTIONS = 10_000
RESUME_AIM_MS = 50
ENTRY = pack_entries([1 << 40])
OWNER = "bench"
SETUP = Setup.of("expert", seed=0x4D2)


@dataclass(frozen=True)
class Throughput:
    """How fast a store acknowledges, with each game waiting for its last write."""

    games: int
    appends_per_s: int
    p50_ms: float
    p99_ms: float


@dataclass(frozen=True)
class Resume:
    """How fast a long game goes on, and what it takes on the disk."""

    open_ms: float
    claim_ms: float
    bytes_per_action: float


@dataclass(frozen=True)
class Figures:
    """Everything that is measured."""

    appends: Sequence[Throughput]
    plain_per_s: float
    memory_per_s: float
    resume: Resume


class Load:
    """Games that each append again as soon as they are answered, until the time is up.

    As in the server there is a thread for the games beside that of the store: what a round of
    answers leads to is handed over as one batch.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends_at = 0.0
        self._rounds: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: list[Job[int]] = []
        self._latencies: list[float] = []
        self._submitted = 0
        self.deliver = self._rounds.put

    def run(self, store: Store, revisions: Mapping[str, int]) -> tuple[float, Sequence[float]]:
        """Return appends per second, and latencies in seconds, the shortest first."""
        begun = perf_counter()
        self._ends_at = begun + self._seconds
        for player, revision in revisions.items():
            self._append(player, revision)
        while len(self._latencies) < self._submit(store):
            self._rounds.get()()
            while not self._rounds.empty():
                self._rounds.get()()
        return len(self._latencies) / (perf_counter() - begun), sorted(self._latencies)

    def _submit(self, store: Store) -> int:
        """Hand over what has gathered; tell how many appends were handed over by now."""
        jobs, self._jobs = self._jobs, []
        store.submit(jobs)
        self._submitted += len(jobs)
        return self._submitted

    def _append(self, player: str, revision: int) -> None:
        sent = perf_counter()

        def answered(answer: int | StoreError) -> None:
            if isinstance(answer, StoreError):
                raise answer
            now = perf_counter()
            self._latencies.append(now - sent)
            if now < self._ends_at:
                self._append(player, answer)

        operation = Append(player, OWNER, revision, ENTRY, revision, Cell(3, 4))
        self._jobs.append(Job(operation, answered))


def start(store: Store, player: str) -> int:
    perform(store, PutPlayer(player, player, {}, 1))
    perform(store, Enter(player, "", OWNER))
    return perform(store, PutRunning(player, OWNER, RunningGame(player, SETUP)))


def measure(folder: Path, seconds: float) -> Figures:
    return Figures(
        [measure_appends(folder, games, seconds) for games in GAMES],
        measure_plain_sqlite(folder, seconds),
        measure_memory(seconds),
        measure_resume(folder),
    )


def measure_appends(folder: Path, games: int, seconds: float) -> Throughput:
    path = folder / f"{games}.sqlite3"
    with SqliteStore(path) as store:
        players = [f"player-{number}" for number in range(games)]
        revisions = {player: start(store, player) for player in players}
    load = Load(seconds)
    with SqliteStore(path, deliver=load.deliver) as store:
        per_s, latencies = load.run(store, revisions)
    middle, late = (latencies[int(len(latencies) * part)] for part in (0.5, 0.99))
    return Throughput(games, round(per_s), round(middle * 1000, 3), round(late * 1000, 3))


def measure_memory(seconds: float) -> float:
    """Appends per second into memory; its completions come at once, so they are not nested."""
    store = MemoryStore()
    revision = start(store, "player")
    begun = perf_counter()
    appends = 0
    while perf_counter() < begun + seconds:
        revision = perform(store, Append("player", OWNER, revision, ENTRY, appends, Cell(3, 4)))
        appends += 1
    return appends / seconds


def measure_plain_sqlite(folder: Path, seconds: float) -> float:
    """Commits per second of the least a durable write can be: one row, one commit."""
    with closing(sqlite3.connect(folder / "plain", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE entry (value BLOB)")
        begun = perf_counter()
        commits = 0
        while perf_counter() < begun + seconds:
            connection.execute("INSERT INTO entry VALUES (?)", (ENTRY,))
            commits += 1
    return commits / seconds


def measure_resume(folder: Path) -> Resume:
    """Claim a game of many actions from a file just opened, as after a crash."""
    path = folder / "resume.sqlite3"
    with SqliteStore(path) as store:
        revision = start(store, "player")
        for number in range(ACTIONS):
            entries = pack_entries([number])
            operation = Append("player", OWNER, revision + number, entries, number, Cell(0, 0))
            store.submit([Job(operation, lambda _: None)])
    begun = perf_counter()
    with SqliteStore(path) as store:
        opened = perf_counter()
        game = perform(store, Enter("player", "", "again")).game
        claimed = perf_counter()
    assert game is not None
    assert game.entries == pack_entries(range(ACTIONS))
    size = path.stat().st_size / ACTIONS
    return Resume((opened - begun) * 1000, (claimed - opened) * 1000, size)


def row(result: Throughput) -> str:
    aim = AIM_PER_S if 50 <= result.games <= 500 else ""
    return (
        f"{result.games:>6} {result.appends_per_s:>10} {aim:>8} "
        f"{result.p50_ms:>9.2f} {result.p99_ms:>9.2f}"
    )


def say_all(figures: Figures, say: Callable[[str], None]) -> None:
    say(f"CPython {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    say(f"{'games':>6} {'appends/s':>10} {'aim':>8} {'p50 ms':>9} {'p99 ms':>9}")
    for result in figures.appends:
        say(row(result))
    say(f"one row, one commit, plain sqlite3: {figures.plain_per_s:.0f} a second")
    say(f"memory store: {figures.memory_per_s:.0f} a second")
    resume = figures.resume
    say(
        f"a game of {ACTIONS} actions: opened in {resume.open_ms:.1f} ms, claimed in "
        f"{resume.claim_ms:.1f} ms, aim {RESUME_AIM_MS}; "
        f"{resume.bytes_per_action:.0f} bytes of disk an action"
    )


def main(say: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_SECONDS} s each")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--folder", help="where to write: the disk that is to be measured")
    options = parser.parse_args()
    with TemporaryDirectory(dir=options.folder) as folder:
        figures = measure(Path(folder), QUICK_SECONDS if options.quick else SECONDS)
    if options.json:
        say(json.dumps(asdict(figures), indent=2))
    else:
        say_all(figures, say)


if __name__ == "__main__":
    main()
