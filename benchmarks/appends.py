"""One process that appends to many games: ``python -m benchmarks.appends PLACE GAMES SECONDS``.

Each game appends again as soon as it is answered. As in the server there is a thread for the games
beside that of the store, and what a round of answers leads to is submitted together. The result is
a line of JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter, process_time
from typing import Any, Final

from jminesweeper.store.blocking import perform_all
from jminesweeper.store.port import DONE, Append, Commit, Deliver, Job, Put, Store
from jminesweeper.store.redis.store import RedisStore
from jminesweeper.store.sqlite.store import SqliteStore

ENTRY: Final = b"\1" * 8
BODY: Final = "x" * 150
"""As long as the document of a game."""


def open_store(place: str, deliver: Deliver) -> RedisStore | SqliteStore:
    if "://" in place:
        return RedisStore(place, deliver=deliver)
    return SqliteStore(Path(place), deliver=deliver)


class Load:
    """Games that each append again as soon as they are answered, until the time is up."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends_at = 0.0
        self._rounds: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: list[Job] = []
        self._submitted = 0
        self.latencies: list[float] = []
        self.is_running = False

    def deliver(self, completions: Callable[[], None]) -> None:
        if self.is_running:
            self._rounds.put(completions)
        else:
            completions()

    def run(self, store: Store, games: Sequence[str]) -> None:
        self.is_running = True
        self._ends_at = perf_counter() + self._seconds
        for game in games:
            self._append(game, 1)
        while len(self.latencies) < self._submit(store):
            self._rounds.get()()
            while not self._rounds.empty():
                self._rounds.get()()
        self.is_running = False

    def _submit(self, store: Store) -> int:
        """Hand over what has gathered; return how many appends were handed over by now."""
        jobs, self._jobs = self._jobs, []
        store.submit(jobs)
        self._submitted += len(jobs)
        return self._submitted

    def _append(self, game: str, at: int) -> None:
        sent = perf_counter()

        def answered(answer: Any) -> None:
            if answer is not DONE:
                raise SystemExit(f"The store refused an append: {answer}")
            now = perf_counter()
            self.latencies.append(now - sent)
            if now < self._ends_at:
                self._append(game, at + 1)

        self._jobs.append(Job(Commit(appends=(Append(game, at, ENTRY, ENTRY),)), answered))


def main(place: str, games: int, seconds: float) -> None:
    load = Load(seconds)
    with closing(open_store(place, load.deliver)) as store:
        names = [f"game:abcdefgh{number:04}" for number in range(games)]
        made = [(Put(name, BODY), Append(name, 0, b"", ENTRY)) for name in names]
        perform_all(store, [Commit(7, puts=(put,), appends=(first,)) for put, first in made])
        begun, cpu = perf_counter(), process_time()
        load.run(store, names)
        taken, cpu = perf_counter() - begun, process_time() - cpu
    latencies, count = sorted(load.latencies), len(load.latencies)
    middle, late = (latencies[int(count * part)] * 1000 for part in (0.5, 0.99))
    figures = {
        "appends": count,
        "rate": count / taken,
        "cpu_us": cpu * 1e6 / count,
        "p50_ms": middle,
        "p99_ms": late,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
