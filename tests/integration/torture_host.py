"""A process in which several players act on one game that other processes act on, too.

It says `ready` and begins at a line on standard input. After each second's worth of actions it says
`played`, and in the end, once everything is stored that was done here, `rested`. At another line it
reads the whole log and says, as one line of JSON, what it shows. Every entry that the store
acknowledged is a line of a file, by its place and value.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.bus.redis import open_redis_bus
from jminesweeper.core.actions import ActionKind, unpack_entries
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.players import Opened, PlayerCopy, open_game
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Commit, Deliver, Job, Operation, Store, deliver_at_once
from jminesweeper.store.redis import RedisStore, open_client
from jminesweeper.store.sqlite import SqliteStore

CODE: Final = "tortured"
SETUP: Final = Setup.of("expert", seed=7)
FEWEST_COVERED: Final = 200
"""Cells that are left alone, so that the game is never won."""
RETRY_S: Final = 0.05


class Host:
    """One journal, which takes part of what its players do, and hears of the others."""

    def __init__(
        self, store: Store, bus: Bus, opened: Opened, seed: int, acknowledged: int
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._store = store
        self._bus = bus
        self._acts_per_s = self._acts_left = 0
        self._changed = asyncio.Event()
        self._random = random.Random(seed)
        self._acknowledged = acknowledged
        self._jobs: list[Job] = []
        self._game_began_s = opened.game.begun_at_ms / 1000
        game = Game.replay(SETUP, unpack_entries(opened.entries))
        draw = self._random.getrandbits
        self.journal = Journal.of(opened, game, PlayerCopy("p", draw), draw)
        self._cells = [*game.grid.cells(game.grid.mask)]
        bus.subscribe(CODE, self._hear)

    def begin(self, authors: Sequence[int], rate: int, seconds: int) -> None:
        self._acts_per_s = rate * len(authors)
        self._acts_left = self._acts_per_s * seconds
        for author in authors:
            self.play(author, rate, rate * seconds)

    def play(self, author: int, rate: float, acts: int) -> None:
        """Act so many times, at irregular intervals."""
        if acts:
            pause_s = self._random.expovariate(rate)
            self._loop.call_later(pause_s, self._act, author, rate, acts)

    def read_all(self) -> None:
        self.journal.read_anew()
        self.submit()

    async def rest(self) -> None:
        """Wait until nobody here acts any more, and everything is stored."""
        while self._acts_left or not self.journal.is_at_rest:
            self._changed.clear()
            await self._changed.wait()

    def shown(self) -> dict[str, object]:
        game = self.journal.game
        return {
            "log": list(game.log.entries),
            "board": [game.visible, game.flagged, game.questioned, game.status.value],
            "rebased": self.journal.rebased,
        }

    def submit(self) -> None:
        operation = self.journal.next_operation(time.time_ns() // 1_000_000)
        if operation is not None:
            if not self._jobs:
                self._loop.call_soon(self._hand_over)
            self._jobs.append(Job(operation, partial(self._take, operation)))
        self._changed.set()

    def _act(self, author: int, rate: float, acts: int) -> None:
        game = self.journal.game
        cell = self._random.choice(self._cells)
        index = game.grid.index(cell)
        is_mine = game.reveal_truth().mines >> index & 1
        covered = (game.grid.mask & ~game.visible).bit_count()
        kinds = [ActionKind.FLAG, ActionKind.FLAG, ActionKind.QUESTION, ActionKind.UNDO]
        if not is_mine and covered > FEWEST_COVERED:
            kinds += ActionKind.REVEAL, ActionKind.REVEAL
        at_ms = round((time.time() - self._game_began_s) * 1000)
        kind = self._random.choice(kinds)
        self.journal.act(kind, index, at_ms, author, time.time_ns() // 1_000_000)
        self._acts_left -= 1
        if self._acts_left % self._acts_per_s == 0:
            say("played")
        self.submit()
        self.play(author, rate, acts - 1)

    def _hand_over(self) -> None:
        jobs, self._jobs = self._jobs, []
        self._store.submit(jobs)

    def _take(self, operation: Operation, answer: Any) -> None:
        self.journal.take_answer(answer)
        if isinstance(operation, Commit) and answer is True:
            for append in operation.appends:
                pairs = enumerate(unpack_entries(append.entries), append.at)
                lines = "".join(f"{place} {entry}\n" for place, entry in pairs)
                os.write(self._acknowledged, lines.encode())
            self._bus.publish(CODE, b"%d" % self.journal.stored)
        if self.journal.state is State.AWAY:
            self._loop.call_later(RETRY_S, self.read_all)
        self.submit()

    def _hear(self, message: bytes) -> None:
        if message:
            self.journal.note_length(int(message))
        else:
            self.journal.read_anew()
        self.submit()


def open_store(place: str, deliver: Deliver) -> SqliteStore | RedisStore:
    if "://" in place:
        return RedisStore(place, deliver=deliver)
    return SqliteStore(Path(place), deliver=deliver)


@asynccontextmanager
async def open_bus(place: str) -> AsyncIterator[Bus]:
    if "://" not in place:
        # Nobody tells who shares a file: each finds out by a conflict.
        yield LocalBus(asyncio.get_running_loop().call_soon)
        return
    async with open_client(place) as client, open_redis_bus(client) as over_redis:
        yield over_redis


async def read_commands() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def main(
    place: str, seed: int, authors: Sequence[int], rate: int, seconds: int, file: str
) -> None:
    with closing(open_store(place, deliver_at_once)) as store:
        opened = run(store, open_game(CODE))
    assert opened is not None
    acknowledged = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    commands = await read_commands()
    deliver = asyncio.get_running_loop().call_soon_threadsafe
    with closing(open_store(place, deliver)) as store:
        async with open_bus(place) as bus:
            host = Host(store, bus, opened, seed, acknowledged)
            say("ready")
            await commands.readline()
            host.begin(authors, rate, seconds)
            await host.rest()
            say("rested")
            await commands.readline()
            host.read_all()
            await host.rest()
            say(json.dumps(host.shown()))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*json.loads(sys.argv[1])))
