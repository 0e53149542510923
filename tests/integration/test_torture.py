"""Four processes with three players each act on one game; one is killed, and one stops for a while.

Whoever survives, a process that only watches, and a fresh replay of the log show the same, and
nothing that was acknowledged is lost.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import settings

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry, unpack_entries
from jminesweeper.core.game import Game
from jminesweeper.records.documents import GameDocument
from jminesweeper.records.keys import game_key
from jminesweeper.records.players import open_game
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.port import Append, Commit, Put, Store, deliver_at_once
from tests.integration.torture_host import CODE, SETUP, open_store
from tests.redis_process import RedisProcess, running_redis

ROOT = Path(__file__).parents[2]
# Four seconds by default, almost seven minutes with `--hypothesis-profile=long`.
SECONDS = settings().max_examples * 4 // 100
HOSTS, PLAYERS = 4, 3


class Process:
    """A host, told what to do line by line."""

    def __init__(self, place: str, number: int, rate: int, folder: Path) -> None:
        authors = [1 + PLAYERS * number + player for player in range(PLAYERS)]
        self._file = folder / f"{number}.acknowledged"
        players = authors if number < HOSTS else []
        arguments = [place, number, players, rate, SECONDS, str(self._file)]
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.torture_host", json.dumps(arguments)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hear(self) -> str:
        assert self.popen.stdout
        return self.popen.stdout.readline()

    def hear_until(self, word: str) -> None:
        while (heard := self.hear()) != f"{word}\n":
            assert heard, "it ended"

    def tell(self) -> None:
        assert self.popen.stdin
        self.popen.stdin.write("\n")
        self.popen.stdin.flush()

    def acknowledged(self) -> dict[int, int]:
        """Return the entries that the store acknowledged, by their places."""
        # A last line that was cut is no acknowledgement.
        lines = self._file.read_text().split("\n")[:-1]
        return {int(place): int(entry) for place, entry in map(str.split, lines)}

    def close(self) -> None:
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.communicate()


@pytest.fixture
def redis(redis_program: str, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(redis_program, tmp_path / "redis") as server:
        yield server


@pytest.mark.parametrize("rate", [5, 30])
@pytest.mark.parametrize("kind", ["sqlite", "redis"])
@pytest.mark.timeout(0)
def test_all_who_play_one_game_show_the_same(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str, rate: int
) -> None:
    place = str(tmp_path / "games.sqlite3")
    if kind == "redis":
        place = request.getfixturevalue("redis").url
    with ExitStack() as opened:
        store = opened.enter_context(closing(open_store(place, deliver_at_once)))
        begin(store)
        hosts = [
            opened.enter_context(closing(Process(place, number, rate, tmp_path)))
            for number in range(HOSTS + 1)
        ]
        play(hosts)
        killed, *survivors = hosts
        assert killed.popen.poll() == -signal.SIGKILL
        shown = [json.loads(host.hear()) for host in survivors]
        record = run(store, open_game(CODE))
        assert record is not None
        log = list(unpack_entries(record.entries))
    replayed = Game.replay(SETUP, log)
    board = [replayed.visible, replayed.flagged, replayed.questioned, replayed.status.value]
    assert list(replayed.log.entries) == log
    for each in shown:
        assert each["log"] == log
        assert each["board"] == board
    for host in hosts[:HOSTS]:
        for at, entry in host.acknowledged().items():
            assert log[at] == entry
    assert len(log) > SECONDS * rate * 2
    if rate >= 30:
        assert sum(each["rebased"] for each in shown) > 0


def begin(store: Store) -> None:
    game = Game(SETUP)
    game.push(pack_entry(1, ActionKind.REVEAL, game.grid.index(next(game.grid.cells(1)))))
    document = GameDocument(SETUP, ("p",), time.time_ns() // 1_000_000)
    append = Append(game_key(CODE), 0, b"", pack_entries(game.log.entries))
    put = Put(game_key(CODE), document.format())
    assert perform(store, Commit(1, puts=(put,), appends=(append,))) is True


def play(hosts: list[Process]) -> None:
    """Have all play; after a second the first is killed, and the second stops for two."""
    for host in hosts:
        host.hear_until("ready")
    for host in hosts:
        host.tell()
    killed, stopped, other, *_ = hosts
    killed.hear_until("played")
    killed.popen.kill()
    stopped.hear_until("played")
    stopped.popen.send_signal(signal.SIGSTOP)
    for _ in range(3):
        other.hear_until("played")
    stopped.popen.send_signal(signal.SIGCONT)
    for host in hosts[1:]:
        host.hear_until("rested")
    for host in hosts[1:]:
        host.tell()
    killed.popen.wait()
