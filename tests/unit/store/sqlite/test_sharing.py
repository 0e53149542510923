"""A file that somebody else is writing is busy, which is no fault."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import DONE, Fault, Job, Read, StoreUnavailableError
from jminesweeper.store.sqlite import SqliteStore
from tests.contract.examples import KEY, append, begin, entries, log_of
from tests.unit.store.sqlite.rival import KEY as SHARED

ROOT = Path(__file__).parents[4]
WAIT_S = 60.0
MOVES = 100
LOOK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM log").fetchone()[0])
connection.close()
"""


def look(path: Path) -> int:
    """Read the store in another program, which closes the file as if it were its last user."""
    command = [sys.executable, "-c", LOOK, str(path)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.fixture
def lock(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection that can hold the store's lock."""
    SqliteStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def test_servers_on_one_file_take_turns_and_lose_nothing(path: Path) -> None:
    command = [sys.executable, "-m", "tests.unit.store.sqlite.rival", str(path)]
    with closing(SqliteStore(path)) as store:
        perform(store, begin(0, key=SHARED))
        rivals = [
            subprocess.Popen(
                [*command, str(owner), str(MOVES)], cwd=ROOT, stdout=subprocess.PIPE, text=True
            )
            for owner in (1, 2)
        ]
        printed = [rival.communicate(timeout=WAIT_S)[0] for rival in rivals]
        assert [rival.returncode for rival in rivals] == [0, 0]
        log = log_of(store, SHARED)
    acknowledged = [[int(line) for line in text.splitlines()] for text in printed]
    stored = [int.from_bytes(log[at : at + 8], "big") for at in range(8, len(log), 8)]
    assert len(stored) == 2 * MOVES
    for owner, own in enumerate(acknowledged, 1):
        assert [entry for entry in stored if entry >> 32 == owner] == own


def test_another_program_that_reads_the_store_leaves_the_log_to_its_server(path: Path) -> None:
    """Even if it opens the file again itself, as a recovery and an archive do."""
    with closing(SqliteStore(path)) as store, closing(SqliteStore(path)):
        perform(store, begin(1))
        assert look(path) == 1
        assert path.with_name(f"{path.name}-wal").exists()
        perform(store, append(1, 1, 2))
        assert look(path) == 2


def test_who_plays_waits_while_the_file_is_locked(path: Path, lock: sqlite3.Connection) -> None:
    states: list[Fault | None] = []
    answers: SimpleQueue[object] = SimpleQueue()
    with closing(SqliteStore(path, watch=states.append)) as store:
        perform(store, begin(1))
        lock.execute("BEGIN IMMEDIATE")
        store.submit([Job(append(1, 1, 2), answers.put)])
        with pytest.raises(Empty):
            answers.get(timeout=0.2)
        lock.execute("ROLLBACK")
        assert answers.get(timeout=WAIT_S) is DONE
        assert states == []


def test_no_answer_stands_for_that_of_a_commit_that_waits(
    path: Path, lock: sqlite3.Connection
) -> None:
    """A server that took the answer to a read for that of its append lost a move."""
    answers: SimpleQueue[tuple[str, object]] = SimpleQueue()
    with closing(SqliteStore(path)) as store:
        perform(store, begin(1))
        lock.execute("BEGIN IMMEDIATE")
        store.submit([Job(append(1, 1, 2), lambda answer: answers.put(("append", answer)))])
        for _ in range(3):
            store.submit([Job(Read((KEY,)), lambda answer: answers.put(("read", answer)))])
        with pytest.raises(Empty):
            answers.get(timeout=0.2)
        lock.execute("ROLLBACK")
        assert answers.get(timeout=WAIT_S) == ("append", DONE)
        assert [answers.get(timeout=WAIT_S)[0] for _ in range(3)] == ["read"] * 3


def test_a_file_that_stays_locked_is_a_fault_in_the_end(
    path: Path, lock: sqlite3.Connection
) -> None:
    states: list[Fault | None] = []
    with closing(SqliteStore(path, watch=states.append, lock_timeout_s=0.1)) as store:
        lock.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError) as refusal:
            perform(store, begin(1))
        assert refusal.value.fault is Fault.LOCKED
        assert states == [Fault.LOCKED]


def test_two_stores_of_one_process_see_each_others_commits(path: Path) -> None:
    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as two:
        perform(one, begin(1))
        assert perform(two, append(1, 1, 2)) is DONE
        assert log_of(one) == entries(1, 2)
