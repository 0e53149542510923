import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.sqlite.database import Database


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with closing(Database(path, may_create=True)) as opened:
        opened.open(lock_timeout_s=0)
        yield opened


def fault(database: Database) -> Fault:
    with pytest.raises((StoreUnavailableError, OSError)) as refusal:
        database.connection()
    assert isinstance(refusal.value, StoreUnavailableError)
    return refusal.value.fault


def test_an_open_database_gives_the_same_connection_every_time(database: Database) -> None:
    assert database.is_open
    assert database.connection() is database.connection()


def test_a_database_that_was_not_opened_has_no_connection(path: Path) -> None:
    database = Database(path, may_create=True)
    assert not database.is_open
    assert fault(database) is Fault.CLOSED


def test_a_closed_database_has_no_connection(database: Database) -> None:
    database.close()
    database.close()
    assert fault(database) is Fault.CLOSED


def test_a_file_that_was_deleted_is_noticed(database: Database) -> None:
    database.path.unlink()
    with pytest.raises(FileNotFoundError):
        database.connection()


def test_a_file_that_was_replaced_is_noticed(database: Database) -> None:
    copy = database.path.with_name("copy")
    copy.write_bytes(database.path.read_bytes())
    copy.replace(database.path)
    assert fault(database) is Fault.MISSING


def test_a_file_that_was_cut_short_is_noticed(database: Database) -> None:
    connection = database.connection()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.connection()
    os.truncate(database.path, 4096)
    assert fault(database) is Fault.DAMAGED


def test_opening_again_takes_up_the_file_that_is_there_now(database: Database) -> None:
    database.path.unlink()
    database.open(lock_timeout_s=0)
    assert database.path.exists()
    assert database.connection().execute("SELECT count(*) FROM player").fetchone() == (0,)


def test_a_database_that_may_not_create_needs_a_file(path: Path) -> None:
    with pytest.raises(StoreOpenError):
        Database(path, may_create=False).open(lock_timeout_s=0)


def test_a_file_that_was_moved_away_is_whole_and_leaves_nothing_to_what_takes_its_place(
    database: Database,
) -> None:
    database.connection().execute("INSERT INTO player VALUES (1, 'key', 'Ada', '{}', 0)")
    aside = database.path.with_name("aside")
    database.path.rename(aside)
    database.open(lock_timeout_s=0)
    assert database.connection().execute("SELECT count(*) FROM player").fetchone() == (0,)
    with closing(Database(aside, may_create=False)) as moved:
        moved.open(lock_timeout_s=0)
        assert moved.connection().execute("SELECT name FROM player").fetchone() == ("Ada",)
