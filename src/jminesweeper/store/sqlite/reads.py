"""Reading what is stored, on a connection of its own beside the writer's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from sqlite3 import Connection

from jminesweeper.core import Status
from jminesweeper.store.operations import (
    FindGame,
    FindPlayer,
    FindSave,
    ListBoards,
    ListGames,
    ListSaves,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
)
from jminesweeper.store.sqlite.rows import (
    category_row_of,
    finished_of,
    game_of,
)
from jminesweeper.store.statistics import Result, Statistics, summarise
from jminesweeper.store.values import (
    Board,
    Category,
    FinishedGame,
    Player,
    RunningGame,
    SaveLabel,
    Score,
    Total,
)

_FINISHED = """
    SELECT key, header, entries,
        code, preset, rules, columns, rows, mine_count, status,
        time_ms, ended_at_s, seed, daily, is_assisted, is_repeat, figures
    FROM finished
    JOIN finished_log ON finished_log.game = finished.id
    JOIN player ON player.id = finished.player
"""


def find_player(connection: Connection, asked: FindPlayer) -> Player | None:
    row = connection.execute(
        "SELECT name, settings, created_at_s FROM player WHERE key = ?", (asked.player,)
    ).fetchone()
    if row is None:
        return None
    name, settings, created_at_s = row
    return Player(asked.player, name, json.loads(settings), created_at_s)


def list_saves(connection: Connection, asked: ListSaves) -> tuple[SaveLabel, ...]:
    rows = connection.execute(
        """
        SELECT save.name, saved_at_s, header, clock_ms
        FROM save JOIN player ON player.id = save.player
        WHERE key = ? ORDER BY saved_at_s DESC, save.name
        """,
        (asked.player,),
    )
    return tuple(SaveLabel(*row) for row in rows)


def find_save(connection: Connection, asked: FindSave) -> RunningGame | None:
    row = connection.execute(
        """
        SELECT code, header, entries, clock_ms, cursor_column, cursor_row, is_paused
        FROM save JOIN player ON player.id = save.player WHERE key = ? AND save.name = ?
        """,
        (asked.player, asked.name),
    ).fetchone()
    return row and game_of(row)


def find_game(connection: Connection, asked: FindGame) -> FinishedGame | None:
    row = connection.execute(_FINISHED + " WHERE code = ?", (asked.code,)).fetchone()
    return row and _finished_of(*row)


def list_games(connection: Connection, asked: ListGames) -> tuple[FinishedGame, ...]:
    rows = connection.execute(
        _FINISHED + " WHERE key = ? ORDER BY finished.id DESC LIMIT ?", (asked.player, asked.limit)
    )
    return tuple(_finished_of(*row) for row in rows)


def read_statistics(connection: Connection, asked: ReadStatistics) -> Statistics:
    return summarise(_results(connection, asked.player))


def read_leaderboard(connection: Connection, asked: ReadLeaderboard) -> tuple[Score, ...]:
    board = asked.board
    rows = connection.execute(
        """
        SELECT player.name, best.time_ms, finished.code, best.ended_at_s, player.key
        FROM best JOIN player ON player.id = best.player JOIN finished ON finished.id = best.game
        WHERE best.preset = ? AND best.rules = ? AND best.daily = ?
        ORDER BY best.time_ms, best.ended_at_s, best.game LIMIT ?
        """,
        (*category_row_of(board.category), board.daily, asked.limit),
    )
    return tuple(Score(*row) for row in rows)


def list_boards(connection: Connection, asked: ListBoards) -> tuple[Board, ...]:
    rows = connection.execute(
        """
        SELECT preset, rules, daily FROM best
        GROUP BY preset, rules, daily ORDER BY preset, rules, daily DESC LIMIT ?
        """,
        (asked.limit,),
    )
    return tuple(Board(Category(preset, rules), daily) for preset, rules, daily in rows)


def read_totals(connection: Connection, _asked: ReadTotals) -> tuple[Total, ...]:
    rows = connection.execute(
        """
        SELECT preset, rules, sum(games) FILTER (WHERE status = 'won'),
            sum(games) FILTER (WHERE status = 'lost'),
            sum(games) FILTER (WHERE status = 'terminated')
        FROM total GROUP BY preset, rules ORDER BY preset, rules
        """
    )
    return tuple(
        Total(Category(preset, rules), *(count or 0 for count in counts))
        for preset, rules, *counts in rows
    )


def _finished_of(player: str, header: str, entries: bytes, *row: object) -> FinishedGame:
    return finished_of(row, player, header, entries)


def _results(connection: Connection, player: str) -> Iterator[Result]:
    rows = connection.execute(
        """
        SELECT preset, rules, status, time_ms, NOT (is_assisted OR is_repeat), speed
        FROM finished JOIN player ON player.id = finished.player
        WHERE key = ? ORDER BY finished.id
        """,
        (player,),
    )
    for preset, rules, status, time_ms, is_ranked, speed in rows:
        yield Result(Category(preset, rules), Status(status), time_ms, bool(is_ranked), speed)
