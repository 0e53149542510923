"""A process in which several players act on one game that other processes act on, too.

It says `ready` and reads commands from standard input: `go` begins, `stop` ends the playing, after
which it says `rested` once everything is stored that was done here, and `end` has it read the whole
log and say, as one line of JSON, what it shows. Every entry that the store acknowledged is a line
of a file, by its place and value.
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
from jminesweeper.bus.redis import open_redis_bus
from jminesweeper.bus.unix import UnixBus
from jminesweeper.core.actions import ActionKind, pack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.setup import Setup
from jminesweeper.records.blocking import run
from jminesweeper.records.documents import unpack_entries
from jminesweeper.records.journal import Journal, State
from jminesweeper.records.players import Held, Opened, open_game
from jminesweeper.store2.port import Commit, Deliver, Job, Operation, Store, deliver_at_once
from jminesweeper.store2.redis.address import open_client
from jminesweeper.store2.redis.store import RedisStore
from jminesweeper.store2.sqlite.store import SqliteStore

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
        self._random = random.Random(seed)
        self._acknowledged = acknowledged
        self._jobs: list[Job] = []
        self._game_began_s = opened.game.begun_at_ms / 1000
        game = Game.replay(SETUP, unpack_entries(opened.entries))
        draw = self._random.getrandbits
        self.journal = Journal.of(opened, game, Held("p", draw), draw)
        self._cells = [*game.grid.cells(game.grid.mask)]
        bus.subscribe(CODE, self._hear)

    async def play(self, author: int, rate: float) -> None:
        while True:
            await asyncio.sleep(self._random.expovariate(rate))
            self._act(author)

    def read_all(self) -> None:
        self.journal.look()
        self.submit()

    async def rest(self) -> None:
        while not self.journal.is_at_rest:
            await asyncio.sleep(RETRY_S)
            self.submit()

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

    def _act(self, author: int) -> None:
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
        self.journal.act(pack_entry(at_ms, kind, index, author), time.time_ns() // 1_000_000)
        self.submit()

    def _hand_over(self) -> None:
        jobs, self._jobs = self._jobs, []
        self._store.submit(jobs)

    def _take(self, operation: Operation, answer: Any) -> None:
        self.journal.take(answer)
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
            self.journal.tell(int(message))
        else:
            self.journal.look()
        self.submit()


def open_store(place: str, deliver: Deliver) -> SqliteStore | RedisStore:
    if "://" in place:
        return RedisStore(place, deliver=deliver)
    return SqliteStore(Path(place), deliver=deliver)


@asynccontextmanager
async def open_bus(place: str) -> AsyncIterator[Bus]:
    if "://" not in place:
        with closing(UnixBus.open(Path(f"{place}-bus"))) as bus:
            yield bus
        return
    async with open_client(place) as client, open_redis_bus(client) as over_redis:
        yield over_redis


async def read_commands() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    return reader


async def main(place: str, seed: int, rate: float, authors: Sequence[int], file: str) -> None:
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
            assert await commands.readline() == b"go\n"
            players = [asyncio.ensure_future(host.play(author, rate)) for author in authors]
            assert await commands.readline() == b"stop\n"
            for player in players:
                player.cancel()
            await host.rest()
            say("rested")
            assert await commands.readline() == b"end\n"
            host.read_all()
            await host.rest()
            say(json.dumps(host.shown()))


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*json.loads(sys.argv[1])))
