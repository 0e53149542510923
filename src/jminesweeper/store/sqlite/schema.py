"""The tables, as the steps that lead to them: version n is what the first n migrations make."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from jminesweeper.store.errors import Fault

APPLICATION_ID = 0x4A4D5357
"""Stands in the header of the file: "JMSW"."""

Migration = Sequence[str]

MIGRATIONS: Sequence[Migration] = (
    (
        """
        CREATE TABLE player (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            settings TEXT NOT NULL,
            created_at_s INTEGER NOT NULL
        )
        """,
        # Who may write a player's running game. The header stands last: appending reads the owner
        # and must not walk through a layout of 64 KB.
        """
        CREATE TABLE slot (
            player INTEGER PRIMARY KEY REFERENCES player,
            owner TEXT NOT NULL,
            generation INTEGER NOT NULL,
            code TEXT,
            header TEXT
        )
        """,
        # One row for each write, none ever changed: an append dirties one page and is fenced by
        # the primary key itself. The first row of a game holds what was put as a whole.
        """
        CREATE TABLE move (
            player INTEGER NOT NULL REFERENCES player,
            revision INTEGER NOT NULL,
            clock_ms INTEGER NOT NULL,
            cursor_column INTEGER NOT NULL,
            cursor_row INTEGER NOT NULL,
            is_paused INTEGER NOT NULL,
            entries BLOB NOT NULL,
            PRIMARY KEY (player, revision)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE save (
            player INTEGER NOT NULL REFERENCES player,
            name TEXT NOT NULL,
            saved_at_s INTEGER NOT NULL,
            code TEXT NOT NULL,
            header TEXT NOT NULL,
            entries BLOB NOT NULL,
            clock_ms INTEGER NOT NULL,
            cursor_column INTEGER NOT NULL,
            cursor_row INTEGER NOT NULL,
            is_paused INTEGER NOT NULL,
            PRIMARY KEY (player, name)
        )
        """,
        # The logs stand apart, so that counting a player's games does not read them.
        """
        CREATE TABLE finished (
            id INTEGER PRIMARY KEY,
            code TEXT NOT NULL UNIQUE,
            player INTEGER NOT NULL REFERENCES player,
            preset TEXT NOT NULL,
            rules TEXT NOT NULL,
            columns INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            mine_count INTEGER NOT NULL,
            status TEXT NOT NULL,
            time_ms INTEGER NOT NULL,
            ended_at_s INTEGER NOT NULL,
            seed TEXT NOT NULL,
            daily TEXT NOT NULL,
            is_assisted INTEGER NOT NULL,
            is_repeat INTEGER NOT NULL,
            speed REAL,
            figures TEXT NOT NULL
        )
        """,
        "CREATE INDEX finished_by_player ON finished (player)",
        """
        CREATE TABLE finished_log (
            game INTEGER PRIMARY KEY REFERENCES finished,
            header TEXT NOT NULL,
            entries BLOB NOT NULL
        )
        """,
        # Each player's best win on each board, so that reading a leaderboard takes as many steps
        # as it has lines, however many games somebody's program has won.
        """
        CREATE TABLE best (
            preset TEXT NOT NULL,
            rules TEXT NOT NULL,
            daily TEXT NOT NULL,
            player INTEGER NOT NULL REFERENCES player,
            time_ms INTEGER NOT NULL,
            ended_at_s INTEGER NOT NULL,
            game INTEGER NOT NULL REFERENCES finished,
            PRIMARY KEY (preset, rules, daily, player)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX best_by_time ON best (preset, rules, daily DESC, time_ms, ended_at_s, game)",
        """
        CREATE TABLE total (
            preset TEXT NOT NULL,
            rules TEXT NOT NULL,
            status TEXT NOT NULL,
            games INTEGER NOT NULL,
            PRIMARY KEY (preset, rules, status)
        ) WITHOUT ROWID
        """,
        # What is written and deleted again to find out whether the disk takes writes.
        "CREATE TABLE probe (padding BLOB NOT NULL)",
    ),
)


def identify(connection: sqlite3.Connection, newest: int = len(MIGRATIONS)) -> Fault | None:
    """Tell what keeps this file from being used as a store, if anything does."""
    application_id = _pragma(connection, "application_id")
    if application_id != APPLICATION_ID:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return Fault.FOREIGN if application_id or tables else None
    return Fault.NEWER if schema_version(connection) > newest else None


def schema_version(connection: sqlite3.Connection) -> int:
    return _pragma(connection, "user_version")


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the tables up to date, in one transaction: an interrupted migration left no trace."""
    if schema_version(connection) == len(migrations):
        return
    connection.execute("BEGIN IMMEDIATE")
    # Read again under the lock: another process may just have done it.
    for migration in migrations[schema_version(connection) :]:
        for statement in migration:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(migrations)}")
    connection.execute("COMMIT")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value
