"""Killed at any moment: nothing acknowledged is lost, nothing is done by halves or twice."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Protocol

import pytest
from hypothesis import settings

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Part, Read, Store, Tail
from tests.property.store_crash import (
    COUNTER,
    GAME_LENGTH,
    GAMES,
    OVER,
    entries,
    key_of,
    open_place,
)
from tests.redis_process import RedisProcess

ROOT = Path(__file__).parents[2]
# Ten lives by default, a thousand with `--hypothesis-profile=long`.
LIVES = settings().max_examples // 20
MOST = 600


class Storage(Protocol):
    """The place to which a program writes: killed with it or not, and there again afterwards."""

    place: str

    def begin(self) -> None:
        """Be there for the next life."""

    def kill(self) -> None:
        """End without a word."""

    def check(self) -> None:
        """Be whole."""


class File:
    """A file of SQLite, which lives on without its program."""

    def __init__(self, path: Path) -> None:
        self.place = str(path)

    def begin(self) -> None: ...

    def kill(self) -> None: ...

    def check(self) -> None:
        with closing(sqlite3.connect(self.place)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


class Server:
    """A Redis, killed under the program that writes to it."""

    def __init__(self, redis: RedisProcess) -> None:
        self.place = redis.url
        self._redis = redis
        self._is_running = False

    def begin(self) -> None:
        if not self._is_running:
            self._redis.start()
            self._is_running = True

    def kill(self) -> None:
        self._redis.kill()
        self._is_running = False

    def check(self) -> None: ...


Acknowledged = dict[str, tuple[int, int]]
"""The number and length of each game that the killed program was told is safe."""


def live_and_die(
    storage: Storage, seed: int, acknowledged: Acknowledged, count: int, *, kills_storage: bool
) -> None:
    """Let the program write until it was acknowledged `count` commits, then kill it.

    It writes on meanwhile, so that the kill hits it anywhere: in a commit, in a checkpoint, or, at
    a count of nought, while it opens the store.
    """
    storage.begin()
    command = [sys.executable, "-m", "tests.property.store_crash", storage.place, str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "started\n"
        lines = [program.stdout.readline() for _ in range(count)]
        if kills_storage:
            storage.kill()
        program.kill()
        # A last line that was cut is no acknowledgement.
        for line in [*lines, *program.stdout.read().split("\n")[:-1]]:
            game, number, length = line.split()
            acknowledged[game] = int(number), int(length)


def check(store: Store, acknowledged: Acknowledged) -> None:
    found = perform(store, Read(parts=(Part(OVER, 10**6),), counters=(COUNTER,)))
    ended = set(found.parts[0])
    assert found.counters[0].get("games", 0) == len(ended)
    for game in GAMES:
        numbers = range(sum(key.startswith(f"{game}:") for key in ended) + 1)
        keys = tuple(key_of(game, number) for number in numbers)
        games = perform(store, Read(keys, tuple(Tail(key) for key in keys)))
        lengths = [len(log) // 8 for log in games.tails]
        for length, log in zip(lengths, games.tails, strict=True):
            assert log == entries(0, length)
        assert (numbers[-1], lengths[-1]) >= acknowledged.get(game, (0, 0)) or (
            acknowledged[game] == (numbers[-2], lengths[-2])
        )
        for key, document, length in zip(keys, games.documents, lengths, strict=True):
            is_over = key in ended
            assert document.body == (OVER if is_over else "running" if length else "")
            assert is_over == (length >= GAME_LENGTH)


def die_often(storage: Storage, seed: int) -> None:
    random = Random(seed)
    acknowledged: Acknowledged = {}
    for _ in range(LIVES):
        count = random.choice([0, random.randrange(10), random.randrange(300), MOST])
        kills_storage = random.random() < 0.5
        life = random.getrandbits(32)
        live_and_die(storage, life, acknowledged, count, kills_storage=kills_storage)
        storage.begin()
        with closing(open_place(storage.place)) as store:
            check(store, acknowledged)
        storage.check()
    assert max(acknowledged.values()) > (1, 0)


@pytest.mark.parametrize("seed", range(2))
def test_nothing_acknowledged_is_lost_and_nothing_done_by_halves(tmp_path: Path, seed: int) -> None:
    die_often(File(tmp_path / "store.sqlite3"), seed)


@pytest.mark.parametrize("seed", range(2))
def test_nothing_acknowledged_by_redis_is_lost_and_nothing_done_by_halves(
    redis_program: str, tmp_path: Path, seed: int
) -> None:
    redis = RedisProcess(redis_program, tmp_path / "redis", {"appendfsync": "always"})
    with closing(redis):
        die_often(Server(redis), seed)
