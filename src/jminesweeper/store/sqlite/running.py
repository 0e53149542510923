"""Writing players, running games and saves, inside the transaction of a batch.

A write that is refused raises before it has changed anything: the batch goes on without it.
"""

from __future__ import annotations

import json
from sqlite3 import Connection
from typing import Any

from jminesweeper.core import Cell
from jminesweeper.store.errors import FencedError, RevisionError, UnknownPlayerError
from jminesweeper.store.operations import (
    Append,
    Claim,
    DropSave,
    Greet,
    PutRunning,
    PutSave,
    PutSettings,
)
from jminesweeper.store.sqlite.rows import Row, format_mapping, row_of
from jminesweeper.store.values import Holding, Player, RunningGame, check_save_count

# The whole fence in one statement: nothing is inserted unless the owner holds the game and the
# revision before this one is stored; what is stored already stays as it is.
_APPEND = """
    INSERT INTO move
    (player, revision, clock_ms, cursor_column, cursor_row, is_paused, entries)
    SELECT slot.player, ?3 + 1, ?4, ?5, ?6, ?7, ?8
    FROM player
    JOIN slot ON slot.player = player.id
    JOIN move AS last ON last.player = player.id AND last.revision = ?3
    WHERE player.key = ?1 AND slot.owner = ?2
    ON CONFLICT (player, revision) DO NOTHING
"""
_IS_APPENDED = """
    SELECT 1
    FROM player
    JOIN move AS last ON last.player = player.id AND last.revision = ?3
    JOIN move ON move.player = player.id AND move.revision = ?3 + 1
    WHERE player.key = ?1
    AND (move.clock_ms, move.cursor_column, move.cursor_row) = (?4, ?5, ?6)
    AND (move.is_paused, move.entries) = (?7, ?8)
"""


def known(connection: Connection, player: str) -> int:
    row = connection.execute("SELECT id FROM player WHERE key = ?", (player,)).fetchone()
    if row is None:
        raise UnknownPlayerError
    number: int = row[0]
    return number


def greet(connection: Connection, asked: Greet) -> Player:
    name, settings, created_at_s = connection.execute(
        """
        INSERT INTO player (key, name, settings, created_at_s) VALUES (?, ?, '{}', ?)
        ON CONFLICT (key) DO UPDATE SET name = coalesce(nullif(excluded.name, ''), name)
        RETURNING name, settings, created_at_s
        """,
        (asked.player, asked.name, asked.at_s),
    ).fetchone()
    return Player(asked.player, name, json.loads(settings), created_at_s)


def put_settings(connection: Connection, asked: PutSettings) -> None:
    player = known(connection, asked.player)
    settings = format_mapping(asked.settings)
    connection.execute("UPDATE player SET settings = ? WHERE id = ?", (settings, player))


def claim(connection: Connection, asked: Claim) -> Holding:
    player = known(connection, asked.player)
    generation, code, header = connection.execute(
        """
        INSERT INTO slot (player, owner, generation) VALUES (?, ?, 1)
        ON CONFLICT (player) DO UPDATE SET owner = excluded.owner, generation = generation + 1
        RETURNING generation, code, header
        """,
        (player, asked.owner),
    ).fetchone()
    moves = connection.execute(
        """
        SELECT revision, clock_ms, cursor_column, cursor_row, is_paused, entries
        FROM move WHERE player = ? ORDER BY revision
        """,
        (player,),
    ).fetchall()
    if not moves:
        return Holding(generation, 0, None)
    revision, *_ = moves[-1]
    return Holding(generation, revision, _join(code, header, moves))


def put_running(connection: Connection, asked: PutRunning) -> int:
    connection.execute(
        """
        INSERT INTO player (key, name, settings, created_at_s) VALUES (?, '', '{}', 0)
        ON CONFLICT DO NOTHING
        """,
        (asked.player,),
    )
    player = known(connection, asked.player)
    connection.execute(
        """
        INSERT INTO slot (player, owner, generation) VALUES (?1, ?2, 1)
        ON CONFLICT DO UPDATE SET owner = ?2, generation = generation + 1
        WHERE ?3 AND owner <> ?2
        """,
        (player, asked.owner, asked.takes_over),
    )
    held = connection.execute(
        "UPDATE slot SET code = ?, header = ? WHERE player = ? AND owner = ?",
        (asked.game.code, asked.game.header, player, asked.owner),
    )
    if not held.rowcount:
        raise FencedError
    revision = _last_revision(connection, player) + 1
    connection.execute("DELETE FROM move WHERE player = ?", (player,))
    connection.execute(
        """
        INSERT INTO move
        (player, revision, clock_ms, cursor_column, cursor_row, is_paused, entries)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        (player, revision, *_progress(asked.game)),
    )
    return revision


def append(connection: Connection, asked: Append) -> int:
    bindings = (asked.player, asked.owner, asked.revision, *_progress(asked))
    if not connection.execute(_APPEND, bindings).rowcount:
        _demand_holder(connection, asked)
        # A write that is tried again because its acknowledgement was lost is a success.
        if connection.execute(_IS_APPENDED, bindings).fetchone() is None:
            raise RevisionError(asked.revision)
    return asked.revision + 1


def put_save(connection: Connection, asked: PutSave) -> None:
    player = known(connection, asked.player)
    others = connection.execute(
        "SELECT count(*) FROM save WHERE player = ? AND name <> ?", (player, asked.name)
    )
    check_save_count(others.fetchone()[0] + 1)
    connection.execute(
        """
        INSERT OR REPLACE INTO save
        (player, name, saved_at_s,
         code, header, entries, clock_ms, cursor_column, cursor_row, is_paused)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (player, asked.name, asked.at_s, *row_of(asked.game)),
    )


def drop_save(connection: Connection, asked: DropSave) -> bool:
    dropped = connection.execute(
        "DELETE FROM save WHERE name = ? AND player = (SELECT id FROM player WHERE key = ?)",
        (asked.name, asked.player),
    )
    return dropped.rowcount > 0


def _last_revision(connection: Connection, player: int) -> int:
    row = connection.execute("SELECT max(revision) FROM move WHERE player = ?", (player,))
    return row.fetchone()[0] or 0


def _demand_holder(connection: Connection, asked: Append) -> None:
    player = known(connection, asked.player)
    row = connection.execute("SELECT owner FROM slot WHERE player = ?", (player,)).fetchone()
    if row != (asked.owner,):
        raise FencedError


def _progress(of: RunningGame | Append) -> Row:
    return of.clock_ms, *of.cursor, of.is_paused, of.entries


def _join(code: str, header: str, moves: list[Any]) -> RunningGame:
    _, clock_ms, column, row, is_paused, _ = moves[-1]
    entries = b"".join(entries for *_, entries in moves)
    return RunningGame(code, header, entries, clock_ms, Cell(column, row), bool(is_paused))
