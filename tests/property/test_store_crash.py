"""Killed at any moment: nothing acknowledged is lost, nothing is applied twice."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

import pytest
from hypothesis import settings

from jminesweeper.store import Enter, FindGame, ListGames, ReadTotals, Store, unpack_entries
from jminesweeper.store.blocking import perform
from jminesweeper.store.redis.backend import RedisArchive
from jminesweeper.store.transfer import FindDamage
from tests.property.store_crash import PLAYED, PLAYERS, code_of, finished_game, open_place
from tests.redis_process import RedisProcess

ROOT = Path(__file__).parents[2]
# Ten lives by default, a thousand with `--hypothesis-profile=long`.
LIVES = settings().max_examples // 20
MOST = 600


@dataclass
class Acknowledged:
    """What the killed program was told is safe."""

    lengths: dict[str, tuple[int, int]] = field(default_factory=dict)
    finished: dict[str, tuple[str, int, int]] = field(default_factory=dict)

    def note(self, line: str) -> None:
        word, player, game, length = line.split()
        self.lengths[player] = int(game), int(length)
        if word == "finish":
            self.finished[code_of(player, int(game))] = player, int(game), int(length)


class Storage(Protocol):
    """Where a program keeps its games: killed with it, or not, and there again afterwards."""

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
    """A Redis, killed under the program that plays on it."""

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

    def check(self) -> None:
        with RedisArchive(self.place) as archive:
            assert perform(archive, FindDamage()) == ()


def live_and_die(
    storage: Storage, seed: int, acknowledged: Acknowledged, count: int, *, kills_storage: bool
) -> None:
    """Let the program play until it was acknowledged `count` writes, then kill it.

    It plays on meanwhile, so that the kill hits it anywhere: in a commit, in a checkpoint, or, at
    a count of nought, while it opens the store.
    """
    storage.begin()
    command = [sys.executable, "-m", "tests.property.store_crash", storage.place, str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "started\n"
        for _ in range(count):
            acknowledged.note(program.stdout.readline())
        if kills_storage:
            storage.kill()
        program.kill()
        # A last line that was cut is no acknowledgement.
        for line in program.stdout.read().split("\n")[:-1]:
            acknowledged.note(line)


def check(storage: Storage, acknowledged: Acknowledged) -> None:
    storage.begin()
    with open_place(storage.place) as store:
        for player in PLAYERS:
            check_running_game(store, player, acknowledged.lengths.get(player, (0, 0)))
        for code, (player, game, length) in acknowledged.finished.items():
            assert perform(store, FindGame(code)) == finished_game(player, game, length)
        games = [len(perform(store, ListGames(player, limit=10**9))) for player in PLAYERS]
        lost = [total.lost for total in perform(store, ReadTotals()) if total.category == PLAYED]
        assert sum(lost) == sum(games)
    storage.check()


def check_running_game(store: Store, player: str, acknowledged: tuple[int, int]) -> None:
    game = perform(store, Enter(player, "", "checker")).game
    if game is None:
        assert acknowledged == (0, 0)
        return
    entries = list(unpack_entries(game.entries))
    assert entries == list(range(len(entries)))
    assert (game.setup.seed or 0, len(entries)) >= acknowledged
    assert game.clock_ms == len(entries)


def die_often(storage: Storage, seed: int) -> None:
    random = Random(seed)
    acknowledged = Acknowledged()
    for _ in range(LIVES):
        count = random.choice([0, random.randrange(10), random.randrange(300), MOST])
        kills_storage = random.random() < 0.5
        live_and_die(
            storage, random.getrandbits(32), acknowledged, count, kills_storage=kills_storage
        )
        check(storage, acknowledged)
    assert acknowledged.finished


@pytest.mark.parametrize("seed", range(2))
def test_nothing_acknowledged_is_lost_and_nothing_applied_twice(tmp_path: Path, seed: int) -> None:
    die_often(File(tmp_path / "games.sqlite3"), seed)


@pytest.mark.parametrize("seed", range(2))
def test_nothing_acknowledged_by_redis_is_lost_and_nothing_applied_twice(
    redis_program: str, tmp_path: Path, seed: int
) -> None:
    redis = RedisProcess(redis_program, tmp_path / "redis", {"appendfsync": "always"})
    with closing(redis):
        die_often(Server(redis), seed)
