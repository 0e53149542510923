"""What players cost a store: entered, a game begun, a game recorded, many side by side.

As in the server, what a round of answers leads to is submitted together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from queue import SimpleQueue
from statistics import median
from time import process_time
from typing import Any, Final

from benchmarks.appends import open_store
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records.documents import Due, GameDocument, Outcome, pack_entries
from jminesweeper.records.flows import Flow
from jminesweeper.records.games import begin
from jminesweeper.records.players import Held, enter
from jminesweeper.records.results import settle
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import Job, Store

PLAYERS: Final = 200
SETUP: Final = Setup.of("expert", seed=1)
ENTRIES: Final = pack_entries([1 << 40])
NOW_S: Final = 1_800_000_000
FIGURES: Final = {f"figure {number}": 1.5 for number in range(10)}


class Rounds:
    """The answers of a store, taken in turns."""

    def __init__(self) -> None:
        self._completions: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: list[Job] = []
        self.deliver = self._completions.put

    def drive(self, store: Store, flows: Sequence[Flow[Any]]) -> list[Any]:
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
            store.submit(jobs)
            self._completions.get()()
        return [results[place] for place in range(len(flows))]


def measure(place: str, turns: int) -> Mapping[str, float]:
    """Return microseconds of processor time, the store's thread included."""
    taken: dict[str, list[float]] = {"enter": [], "begin": [], "finish": []}
    draw = random.Random(1).getrandbits
    rounds = Rounds()
    with ExitStack() as opened:
        store = opened.enter_context(closing(open_store(place, rounds.deliver)))

        def drive(what: str, flows: Sequence[Flow[Any]]) -> list[Any]:
            before_s = process_time()
            results = rounds.drive(store, flows)
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
