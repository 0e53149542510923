"""Updating a store's tables in one transaction: an interrupted update leaves no trace.

Version 1 kept what was played as text: a header of lines such as ``size 9x9`` with a line ``play
BOARD DAY MARKS`` at its end, and categories such as ``custom 30x20 12 mines no-guess`` by rules
such as ``changed classic``. These are read here and nowhere else. Setups are exact, as every game
had a header. The totals had only words: there changed rules are those of their preset under another
name. Wall time was not measured then, so the clock replaces it. Nor was the beginning of a game: it
was not before its player came.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from sqlite3 import Connection
from typing import Any, Final, NamedTuple

from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.grid import Size
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, Level, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.text import parse_rules, parse_size
from jminesweeper.store import Fault, FinishedGame
from jminesweeper.store.sqlite.records import EVERYBODY, OTHERS, SUMS, keep
from jminesweeper.store.sqlite.schema import (
    APPLICATION_ID,
    CATEGORY,
    DEVICE_TABLES,
    GAME,
    GAME_TABLES,
    PLAYER_TABLES,
    VERSION,
    setup_row,
)
from jminesweeper.store.variants import category_row

_OLD_TABLES: Final = ("slot", "move", "save", "finished", "finished_log", "best", "total")
_OLD_INDEXES: Final = ("finished_by_player", "best_by_time")
_PLAY: Final = "play"
_NO_DAY: Final = "-"
_SHARE: Final = re.compile(r"([0-9]{1,3})%")


def identify(connection: Connection, newest: int = VERSION) -> Fault | None:
    """Return why this file cannot be used as a store, if it cannot."""
    application_id = _pragma(connection, "application_id")
    if application_id != APPLICATION_ID:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        return Fault.FOREIGN if application_id or tables else None
    return Fault.NEWER if schema_version(connection) > newest else None


def schema_version(connection: Connection) -> int:
    return _pragma(connection, "user_version")


def migrate(connection: Connection) -> None:
    """Create the tables, or update those of an older version."""
    if schema_version(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    # Read again under the lock: another process may just have done it.
    match schema_version(connection):
        case 0:
            _create(connection, *PLAYER_TABLES, *GAME_TABLES, *DEVICE_TABLES)
        case 1:
            _upgrade(connection)
            _create(connection, *DEVICE_TABLES)
        case 2:
            _create(connection, *DEVICE_TABLES)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _pragma(connection: Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _create(connection: Connection, *statements: str) -> None:
    for statement in statements:
        connection.execute(statement)


def _upgrade(connection: Connection) -> None:
    for index in _OLD_INDEXES:
        connection.execute(f"DROP INDEX {index}")
    for table in _OLD_TABLES:
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    _create(connection, *GAME_TABLES)
    _copy_running(connection)
    _copy_saves(connection)
    _copy_finished(connection)
    _copy_totals(connection)
    for table in _OLD_TABLES:
        connection.execute(f"DROP TABLE old_{table}")


def _copy_running(connection: Connection) -> None:
    rows = connection.execute(
        """
        SELECT player, owner, code, header, max(1, created_at_s * 1000)
        FROM old_slot JOIN player ON player.id = player
        """
    )
    for player, owner, code, header, created_at_ms in rows:
        connection.execute("INSERT INTO slot (player, owner) VALUES (?, ?)", (player, owner))
        if (kept := _read_header(header)) is not None:
            _copy_game(connection, player, (*setup_row(kept.setup), code, created_at_ms))


def _copy_game(connection: Connection, player: int, game: tuple[Any, ...]) -> None:
    marks = ", ".join("?" * len(game))
    connection.execute(f"UPDATE slot SET ({GAME}) = ({marks}) WHERE player = ?", (*game, player))
    connection.execute(
        """
        INSERT INTO move
        SELECT player, revision, clock_ms, cursor_column, cursor_row, entries
        FROM old_move WHERE player = ?
        """,
        (player,),
    )
    connection.execute(
        """
        INSERT INTO note
        SELECT player, revision, clock_ms, cursor_column, cursor_row, is_paused
        FROM old_move WHERE player = ? ORDER BY revision DESC LIMIT 1
        """,
        (player,),
    )


def _copy_saves(connection: Connection) -> None:
    rows = connection.execute(
        """
        SELECT header, code, max(1, created_at_s * 1000), player, old_save.name, saved_at_s,
            entries, clock_ms, cursor_column, cursor_row, is_paused
        FROM old_save JOIN player ON player.id = player
        """
    )
    marks = ", ".join("?" * 22)
    for header, code, created_at_ms, player, name, saved_at_s, *progress in rows:
        if (kept := _read_header(header)) is not None:
            connection.execute(
                f"""
                INSERT INTO save (player, name, saved_at_s, opened_share, {GAME},
                    entries, clock_ms, cursor_column, cursor_row, is_paused)
                VALUES ({marks})
                """,
                (
                    *(player, name, saved_at_s, kept.share),
                    *(*setup_row(kept.setup), code, created_at_ms),
                    *progress,
                ),
            )


def _copy_finished(connection: Connection) -> None:
    """Record each game again for its player, in order: that counts and ranks it."""
    rows = connection.execute(
        """
        SELECT player, key, header, code, status, time_ms, ended_at_s, entries,
            is_assisted, is_repeat, figures
        FROM old_finished JOIN old_finished_log ON game = old_finished.id
        JOIN player ON player.id = player ORDER BY old_finished.id
        """
    )
    for player, key, header, code, status, time_ms, ended_at_s, entries, *marks in rows:
        is_assisted, is_repeat, figures = marks
        if (kept := _read_header(header)) is None:
            continue
        variant = replace(kept.setup.variant, is_repeat=bool(is_repeat))
        game = FinishedGame(
            code=code,
            setup=replace(kept.setup, variant=variant),
            status=Status(status),
            time_ms=time_ms,
            ended_at_s=ended_at_s,
            wall_ms=time_ms,
            player=key,
            entries=entries,
            is_assisted=bool(is_assisted),
            figures=json.loads(figures),
        )
        keep(connection, player, game)


def _copy_totals(connection: Connection) -> None:
    rows = connection.execute(
        """
        SELECT preset, rules, sum(games) FILTER (WHERE status = 'won'),
            sum(games) FILTER (WHERE status = 'lost'),
            sum(games) FILTER (WHERE status = 'terminated')
        FROM old_total GROUP BY preset, rules
        """
    )
    for preset, rules, *counts in rows:
        category = _read_category(preset, rules)
        line = OTHERS if category is None else category_row(category)
        connection.execute(
            f"""
            INSERT INTO tally (player, {CATEGORY}, {SUMS})
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, 0, 0, 0, 0, 0, NULL, 0, 0, 0, 0, 0)
            ON CONFLICT DO UPDATE SET won = won + excluded.won, lost = lost + excluded.lost,
                terminated = terminated + excluded.terminated
            """,
            (EVERYBODY, *line, *(count or 0 for count in counts)),
        )


class _Kept(NamedTuple):
    """The content of a header."""

    setup: Setup
    share: float
    """How much of the board was opened, where that was written down."""


def _read_header(header: str | None) -> _Kept | None:
    """Read a header; None if it describes no game, also by the rules of its own version."""
    lines = dict(line.partition(" ")[::2] for line in (header or "").splitlines())
    try:
        return _Kept(_read_setup(lines), _read_share(lines[_PLAY]))
    except (CoreError, LookupError, ValueError):
        return None


def _read_setup(lines: dict[str, str]) -> Setup:
    size = parse_size(lines["size"])
    board, day, *marks = lines[_PLAY].split()
    variant = Variant(
        board,
        size,
        int(lines["mines"]),
        parse_rules(lines["rules"]),
        is_no_guess="no-guess" in marks,
        daily=None if day == _NO_DAY else date.fromisoformat(day),
        is_repeat="repeat" in marks,
    )
    if "seed" in lines:
        return Setup(variant, seed=int(lines["seed"], 16))
    return Setup(variant, layout=parse_board(lines["layout"].replace("/", "\n")).mines)


def _read_share(play: str) -> float:
    share = _SHARE.fullmatch(play.rpartition(" ")[2])
    return int(share[1]) / 100 if share else 0.0


def _read_category(preset: str, rules: str) -> Variant | None:
    """Read a category's words; None if they make none."""
    board, *words = preset.split() or [""]
    try:
        size, mine_count = _read_board(board, words)
        played = _read_rules(rules)
        return Variant(board, size, mine_count, played, is_no_guess="no-guess" in words)
    except (CoreError, LookupError, ValueError):
        return None


def _read_board(board: str, words: list[str]) -> tuple[Size, int]:
    if board in CLASSIC_BOARDS:
        known = CLASSIC_BOARDS[board]
        return known.size, known.mine_count
    size = parse_size(words[0])
    if "mines" in words:
        return size, int(words[words.index("mines") - 1])
    return size, Level[board.upper()].mines(size)


def _read_rules(text: str) -> Rules:
    match text.split():
        case [name]:
            return PRESETS[name]
        case ["changed", name]:
            return replace(PRESETS[name], name=f"changed-{name}")
        case _:
            raise NotationError(f"no rules of version 1: {text!r}")
