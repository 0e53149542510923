import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store import FindPlayer, PutPlayer
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore
from jminesweeper.store.sqlite.database import Database, Hold
from tests.contract.examples import ANN, BOB

LOOK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT name FROM player ORDER BY id").fetchall())
connection.close()
"""


def look(path: Path) -> str:
    """Read the store in another program, which closes the file as if it were its last user."""
    command = [sys.executable, "-c", LOOK, str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def descriptors(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Collect what is open at the moment."""
    opened: list[int] = []
    os_open, os_close = os.open, os.close

    def note_open(path: Path, flags: int, mode: int) -> int:
        opened.append(os_open(path, flags, mode))
        return opened[-1]

    def note_close(descriptor: int) -> None:
        opened.remove(descriptor)
        os_close(descriptor)

    monkeypatch.setattr(os, "open", note_open)
    monkeypatch.setattr(os, "close", note_close)
    yield opened
    assert not opened


@pytest.mark.parametrize("is_read", [False, True])
def test_another_program_that_reads_the_store_leaves_the_log_to_its_server(
    path: Path, is_read: bool
) -> None:
    with SqliteStore(path) as store:
        perform(store, PutPlayer(ANN, "Ann", {}, 0))
        if is_read:
            perform(store, FindPlayer(ANN))
        assert look(path) == "[('Ann',)]\n"
        assert path.with_name(f"{path.name}-wal").exists()
        perform(store, PutPlayer(BOB, "Bob", {}, 0))
        assert look(path) == "[('Ann',), ('Bob',)]\n"


def test_a_server_that_recovers_keeps_its_readers_locks(path: Path) -> None:
    with closing(Database(path, may_create=True)) as writer:
        writer.open(lock_timeout_s=0)
        with closing(Database(path, may_create=False)) as reader:
            reader.open(lock_timeout_s=0)
            writer.open(lock_timeout_s=0)
            look(path)
            assert path.with_name(f"{path.name}-wal").exists()


def test_a_file_is_opened_once_and_closed_with_its_last_user(
    path: Path, descriptors: list[int]
) -> None:
    path.write_bytes(b"a store")
    first, second = Hold(path, os.O_RDWR), Hold(path, os.O_RDONLY)
    assert len(descriptors) == 1
    first.release()
    first.release()
    assert second.start(3) == b"a s"
    second.release()
    assert not descriptors


def test_a_file_that_takes_the_place_of_another_is_opened_by_itself(
    path: Path, descriptors: list[int]
) -> None:
    path.write_bytes(b"old")
    old = Hold(path, os.O_RDWR)
    path.unlink()
    new = Hold(path, os.O_RDWR | os.O_CREAT)
    assert (old.start(3), new.start(3)) == (b"old", b"")
    assert len(descriptors) == 2
    old.release()
    new.release()


def test_a_file_that_cannot_be_opened_is_not_held(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Hold(path, os.O_RDWR)
