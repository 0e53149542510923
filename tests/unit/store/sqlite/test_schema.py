import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.errors import Fault
from jminesweeper.store.sqlite.schema import (
    APPLICATION_ID,
    MIGRATIONS,
    identify,
    migrate,
    schema_version,
)

NEXT = (*MIGRATIONS, ("ALTER TABLE player ADD COLUMN motto TEXT NOT NULL DEFAULT ''",))


@pytest.fixture
def bare(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def tables(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


@pytest.mark.parametrize("version", range(len(NEXT)))
def test_every_older_version_comes_to_the_same_tables(
    bare: sqlite3.Connection, version: int
) -> None:
    migrate(bare, NEXT[:version])
    migrate(bare, NEXT)
    assert schema_version(bare) == len(NEXT)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh, NEXT)
        assert tables(bare) == tables(fresh)


def test_a_migration_keeps_what_is_stored(bare: sqlite3.Connection) -> None:
    migrate(bare)
    bare.execute("INSERT INTO player VALUES (1, 'key', 'Ann', '{}', 5)")
    migrate(bare, NEXT)
    assert bare.execute("SELECT name, motto FROM player").fetchall() == [("Ann", "")]


def test_a_migration_that_fails_leaves_no_trace(path: Path, bare: sqlite3.Connection) -> None:
    migrate(bare)
    before = tables(bare)
    other = sqlite3.connect(path, isolation_level=None)
    with closing(other), pytest.raises(sqlite3.OperationalError):
        migrate(other, (*NEXT, ("CREATE TABLE half (id)", "no SQL at all")))
    assert tables(bare) == before
    assert schema_version(bare) == len(MIGRATIONS)


def test_what_is_up_to_date_is_not_written_to(path: Path, bare: sqlite3.Connection) -> None:
    migrate(bare)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        migrate(bare)


def test_an_empty_file_may_become_a_store(bare: sqlite3.Connection) -> None:
    assert identify(bare) is None


def test_a_store_of_any_known_version_is_recognised(bare: sqlite3.Connection) -> None:
    migrate(bare)
    assert identify(bare) is None
    assert identify(bare, newest=len(MIGRATIONS) + 1) is None


def test_a_newer_store_is_left_alone(bare: sqlite3.Connection) -> None:
    migrate(bare, NEXT)
    assert identify(bare) is Fault.NEWER


def test_the_database_of_another_program_is_left_alone(bare: sqlite3.Connection) -> None:
    bare.execute("CREATE TABLE bookmarks (url)")
    assert identify(bare) is Fault.FOREIGN


def test_an_empty_database_that_another_program_claimed_is_left_alone(
    bare: sqlite3.Connection,
) -> None:
    bare.execute(f"PRAGMA application_id = {APPLICATION_ID + 1}")
    assert identify(bare) is Fault.FOREIGN
