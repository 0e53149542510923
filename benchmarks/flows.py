"""What a store is asked for players, by flows that run side by side.

As in the server, what a round of answers leads to is submitted together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.documents import Due, GameDocument, Outcome, pack_entries
from jminesweeper.records.flows import Flow
from jminesweeper.records.games import begin
from jminesweeper.records.players import Held, enter
from jminesweeper.records.results import settle
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import DONE, Append, Commit, Job, Put
from jminesweeper.store.redis.store import RedisStore
from jminesweeper.store.sqlite.store import SqliteStore

PLAYERS: Final = 200
SETUP: Final = Setup.of("expert", seed=1)
ENTRIES: Final = pack_entries([1 << 40])
NOW_S: Final = 1_800_000_000
FIGURES: Final = {f"figure {number}": 1.5 for number in range(10)}
ENTRY: Final = b"\1" * 8
BODY: Final = "x" * 150
"""As long as the document of a game."""


class Desk:
    """A store whose answers are taken in turns."""

    def __init__(self, place: str) -> None:
        self._completions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: list[Job] = []
        deliver = self._completions.put
        self._store = (
            RedisStore(place, deliver=deliver)
            if "://" in place
            else SqliteStore(Path(place), deliver=deliver)
        )

    def close(self) -> None:
        self._store.close()

    def drive(self, flows: Sequence[Flow[Any]]) -> list[Any]:
        """Carry flows out side by side; return what they do."""
        results: dict[int, Any] = {}

        def step(place: int, answer: Any) -> None:
            flow = flows[place]
            try:
                is_error = isinstance(answer, StoreError)
                asked = flow.throw(answer) if is_error else flow.send(answer)
            except StopIteration as end:
                results[place] = end.value
            else:
                self._jobs.append(Job(asked, lambda next_one: step(place, next_one)))

        for place in range(len(flows)):
            step(place, None)
        while len(results) < len(flows):
            jobs, self._jobs = self._jobs, []
            self._store.submit(jobs)
            self._completions.get()()
        return [results[place] for place in range(len(flows))]


def measure(place: str, turns: int) -> Mapping[str, float]:
    """Return microseconds of processor time, the store's thread included."""
    taken: dict[str, list[float]] = {"enter": [], "begin": [], "finish": []}
    draw = random.Random(1).getrandbits
    with closing(Desk(place)) as desk:

        def drive(what: str, flows: Sequence[Flow[Any]]) -> list[Any]:
            before_s = process_time()
            results = desk.drive(flows)
            taken[what].append((process_time() - before_s) * 1e6 / len(flows))
            return results

        held = [Held(f"{number:032}", draw) for number in range(PLAYERS)]
        for turn in range(turns):
            held = drive("enter", [enter(Held(each.id, draw)) for each in held])
            codes = [f"{turn:05}{number:05}" for number in range(PLAYERS)]
            begun = []
            for player, code in zip(held, codes, strict=True):
                game = GameDocument(SETUP, (player.id,), NOW_S * 1000)
                begun.append(begin(player, code, game, ENTRIES, NOW_S))
            drive("begin", begun)
            status = (Status.WON, Status.LOST)[turn % 2]
            outcome = Outcome(status, 1, 5_000, 5_000 + turn, NOW_S + turn, figures=FIGURES)
            ended = [Due(NOW_S * 1000, code, 1) for code in codes]
            drive("finish", [settle(due, outcome, draw) for due in ended])
    return {what: median(times) for what, times in taken.items()}


def measure_appends(place: str, games: int, seconds: float) -> Sequence[float]:
    """Append to games, each again as soon as it is answered.

    Return appends a second, the median and the 99th percentile in milliseconds, microseconds of
    processor time for one, and how many there were.
    """
    times: list[float] = []

    def play(game: str) -> Flow[None]:
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
        desk.drive([play(f"game:abcdefgh{number:04}") for number in range(games)])
        taken_s, cpu_s = perf_counter() - begun_s, process_time() - cpu_s
    times.sort()
    count = len(times)
    p50_ms, p99_ms = (times[int(count * part)] * 1000 for part in (0.5, 0.99))
    return count / taken_s, p50_ms, p99_ms, cpu_s * 1e6 / count, count
