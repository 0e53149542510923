"""Killed at any moment: nothing acknowledged is lost, nothing is applied twice."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from jminesweeper.store import (
    Enter,
    FindGame,
    ListGames,
    ReadTotals,
    unpack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite import SqliteStore
from tests.property.store_crash import PLAYED, PLAYERS, code_of, finished_game

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


def live_and_die(path: Path, seed: int, acknowledged: Acknowledged, count: int) -> None:
    """Let the program play until it was acknowledged `count` writes, then kill it.

    It plays on meanwhile, so that the kill hits it anywhere: in a commit, in a checkpoint, or, at
    a count of nought, while it opens the file.
    """
    command = [sys.executable, "-m", "tests.property.store_crash", str(path), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        assert program.stdout.readline() == "started\n"
        for _ in range(count):
            acknowledged.note(program.stdout.readline())
        program.kill()
        # A last line that was cut is no acknowledgement.
        for line in program.stdout.read().split("\n")[:-1]:
            acknowledged.note(line)


def check(path: Path, acknowledged: Acknowledged) -> None:
    with SqliteStore(path) as store:
        for player in PLAYERS:
            check_running_game(store, player, acknowledged.lengths.get(player, (0, 0)))
        for code, (player, game, length) in acknowledged.finished.items():
            assert perform(store, FindGame(code)) == finished_game(player, game, length)
        games = [len(perform(store, ListGames(player, limit=10**9))) for player in PLAYERS]
        lost = [total.lost for total in perform(store, ReadTotals()) if total.category == PLAYED]
        assert sum(lost) == sum(games)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def check_running_game(store: SqliteStore, player: str, acknowledged: tuple[int, int]) -> None:
    game = perform(store, Enter(player, "", "checker")).game
    if game is None:
        assert acknowledged == (0, 0)
        return
    entries = list(unpack_entries(game.entries))
    assert entries == list(range(len(entries)))
    assert (game.setup.seed or 0, len(entries)) >= acknowledged
    assert game.clock_ms == len(entries)


@pytest.mark.parametrize("seed", range(2))
def test_nothing_acknowledged_is_lost_and_nothing_applied_twice(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    path = tmp_path / "games.sqlite3"
    acknowledged = Acknowledged()
    for _ in range(LIVES):
        count = random.choice([0, random.randrange(10), random.randrange(300), MOST])
        live_and_die(path, random.getrandbits(32), acknowledged, count)
        check(path, acknowledged)
    assert acknowledged.finished
