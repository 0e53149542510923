"""A file that somebody else is writing is busy, which is no fault."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from jminesweeper.store import (
    Enter,
    Fault,
    Job,
    PutPlayer,
    PutRunning,
    StoreUnavailableError,
    unpack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore
from tests.contract.examples import ANN, GAME, append
from tests.unit.store.sqlite.rival import PLAYER

ROOT = Path(__file__).parents[4]
WAIT_S = 60.0
MOVES = 100


@pytest.fixture
def lock(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection that can hold the store's lock."""
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def test_two_servers_on_one_file_take_turns_and_lose_nothing(path: Path) -> None:
    command = [sys.executable, "-m", "tests.unit.store.sqlite.rival", str(path)]
    with SqliteStore(path) as store:
        perform(store, PutPlayer(PLAYER, "Ann", {}, 1))
        rivals = [
            subprocess.Popen(
                [*command, str(owner), str(MOVES)], cwd=ROOT, stdout=subprocess.PIPE, text=True
            )
            for owner in (1, 2)
        ]
        printed = [rival.communicate(timeout=WAIT_S)[0] for rival in rivals]
        assert [rival.returncode for rival in rivals] == [0, 0]
        game = perform(store, Enter(PLAYER, "", "checker")).game
    acknowledged = [int(line) for text in printed for line in text.splitlines()]
    assert len(acknowledged) == 2 * MOVES
    assert game
    entries = list(unpack_entries(game.entries))
    assert sorted(entries) == sorted(acknowledged)
    for owner in (1, 2):
        own = [entry for entry in entries if entry >> 32 == owner]
        assert own == sorted(own)


def test_who_plays_waits_while_the_file_is_locked(path: Path, lock: sqlite3.Connection) -> None:
    states: list[Fault | None] = []
    answers: SimpleQueue[object] = SimpleQueue()
    with SqliteStore(path, watch=states.append) as store:
        revision = perform(store, PutRunning(ANN, "first", GAME))
        lock.execute("BEGIN IMMEDIATE")
        store.submit([Job(append(revision, 3), answers.put)])
        with pytest.raises(Empty):
            answers.get(timeout=0.2)
        lock.execute("ROLLBACK")
        assert answers.get(timeout=WAIT_S) == revision + 1
        assert states == []


def test_a_file_that_stays_locked_is_a_fault_in_the_end(
    path: Path, lock: sqlite3.Connection
) -> None:
    states: list[Fault | None] = []
    with SqliteStore(path, watch=states.append, lock_timeout_s=0.1) as store:
        lock.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError) as refusal:
            perform(store, PutRunning(ANN, "first", GAME))
        assert refusal.value.fault is Fault.LOCKED
        assert states == [Fault.LOCKED]
