"""Writing finished games, and what counts and ranks them, inside the transaction of a batch."""

from __future__ import annotations

from sqlite3 import Connection
from typing import NamedTuple

from jminesweeper.core import Status
from jminesweeper.store.errors import TakenCodeError
from jminesweeper.store.operations import Finish, Record
from jminesweeper.store.sqlite.rows import (
    category_row_of,
    finished_row_of,
    speed_of,
)
from jminesweeper.store.sqlite.running import append, known
from jminesweeper.store.values import Category, FinishedGame


def record(connection: Connection, asked: Record) -> None:
    game = asked.game
    if game.player is None:
        _count(connection, game.category, game.status, 1)
        return
    player = known(connection, game.player)
    before = _find(connection, game.code, player)
    if before is None or before.status is not Status.WON:
        _replace(connection, before, player, game)


def finish(connection: Connection, asked: Finish) -> int:
    _find(connection, asked.game.code, known(connection, asked.last.player))
    revision = append(connection, asked.last)
    record(connection, Record(asked.game))
    return revision


class _Recorded(NamedTuple):
    number: int
    category: Category
    status: Status


def _find(connection: Connection, code: str, player: int) -> _Recorded | None:
    """Find what is recorded under the code, which must not be another player's."""
    row = connection.execute(
        "SELECT id, player, preset, rules, status FROM finished WHERE code = ?", (code,)
    ).fetchone()
    if row is None:
        return None
    number, recorded_player, preset, rules, status = row
    if recorded_player != player:
        raise TakenCodeError(code)
    return _Recorded(number, Category(preset, rules), Status(status))


def _replace(
    connection: Connection, before: _Recorded | None, player: int, game: FinishedGame
) -> None:
    if before is not None:
        _count(connection, before.category, before.status, -1)
    number = _keep(connection, before.number if before else None, player, game)
    _count(connection, game.category, game.status, 1)
    if game.is_ranked and game.status is Status.WON:
        _rank(connection, number, player, game)


def _keep(connection: Connection, number: int | None, player: int, game: FinishedGame) -> int:
    (number,) = connection.execute(
        """
        INSERT OR REPLACE INTO finished
        (id, player, speed, code, preset, rules, columns, rows, mine_count, status,
         time_ms, ended_at_s, seed, daily, is_assisted, is_repeat, figures)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        RETURNING id
        """,
        (number, player, speed_of(game), *finished_row_of(game)),
    ).fetchone()
    connection.execute(
        "INSERT OR REPLACE INTO finished_log (game, header, entries) VALUES (?, ?, ?)",
        (number, game.header, game.entries),
    )
    return number


def _count(connection: Connection, category: Category, status: Status, games: int) -> None:
    connection.execute(
        """
        INSERT INTO total (preset, rules, status, games) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET games = games + excluded.games
        """,
        (*category_row_of(category), status.value, games),
    )


def _rank(connection: Connection, number: int, player: int, game: FinishedGame) -> None:
    connection.execute(
        """
        INSERT INTO best (preset, rules, daily, player, time_ms, ended_at_s, game)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE
        SET time_ms = excluded.time_ms, ended_at_s = excluded.ended_at_s, game = excluded.game
        WHERE (excluded.time_ms, excluded.ended_at_s) < (best.time_ms, best.ended_at_s)
        """,
        (
            *category_row_of(game.category),
            game.daily,
            player,
            game.time_ms,
            game.ended_at_s,
            number,
        ),
    )
