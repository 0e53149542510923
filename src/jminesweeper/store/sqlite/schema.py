"""The tables, and how values are stored in their columns.

What is played is in typed columns, the same everywhere: those of a *category* are what results are
compared by, with day and repetition they are a *variant*, with seed and layout a *setup*. Rules are
one text, a single word for a preset. A seed has 64 bits without a sign, which SQLite lacks, so it
is stored with one. A layout is a blob, its first cell in the lowest bit. Blobs come last in a row:
SQLite must not walk through them to reach a number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.view import Status
from jminesweeper.store import FinishedGame, KnownPlayer, RunningGame
from jminesweeper.store.values import reading_values
from jminesweeper.store.variants import read_variant, variant_row

Row: TypeAlias = Sequence[Any]

APPLICATION_ID: Final = 0x4A4D5357
"""In the header of the file: "JMSW"."""
VERSION: Final = 3

CATEGORY: Final = "board, columns, rows, mines, rules, is_no_guess"
VARIANT: Final = f"{CATEGORY}, daily, is_repeat"
SETUP: Final = f"{VARIANT}, seed, first, layout"
GAME: Final = f"{SETUP}, code, begun_at_ms"

_CATEGORY_COLUMNS: Final = """
    board TEXT NOT NULL,
    columns INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    mines INTEGER NOT NULL,
    rules TEXT NOT NULL,
    is_no_guess INTEGER NOT NULL
"""
_VARIANT_COLUMNS: Final = f"""
    {_CATEGORY_COLUMNS},
    daily TEXT,
    is_repeat INTEGER NOT NULL
"""

PLAYER_TABLES: Final[Sequence[str]] = (
    """
    CREATE TABLE player (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        settings TEXT NOT NULL,
        created_at_s INTEGER NOT NULL
    )
    """,
    # What is written and deleted again to find out whether the disk takes writes.
    "CREATE TABLE probe (padding BLOB NOT NULL)",
)
GAME_TABLES: Final[Sequence[str]] = (
    # Who may write a player's running game, and which game it is: none while the code is NULL.
    """
    CREATE TABLE slot (
        player INTEGER PRIMARY KEY REFERENCES player,
        owner TEXT NOT NULL,
        code TEXT,
        begun_at_ms INTEGER,
        board TEXT,
        columns INTEGER,
        rows INTEGER,
        mines INTEGER,
        rules TEXT,
        is_no_guess INTEGER,
        daily TEXT,
        is_repeat INTEGER,
        seed INTEGER,
        first INTEGER,
        layout BLOB
    )
    """,
    # One row for each write, none ever changed: an append dirties one page and is fenced by the
    # primary key itself. The first row of a game holds the log that was put with it.
    """
    CREATE TABLE move (
        player INTEGER NOT NULL REFERENCES player,
        revision INTEGER NOT NULL,
        clock_ms INTEGER NOT NULL,
        cursor_column INTEGER NOT NULL,
        cursor_row INTEGER NOT NULL,
        entries BLOB NOT NULL,
        PRIMARY KEY (player, revision)
    ) WITHOUT ROWID
    """,
    # What is not in a game's log; it counts while the last move has the same revision.
    """
    CREATE TABLE note (
        player INTEGER PRIMARY KEY REFERENCES player,
        revision INTEGER NOT NULL,
        clock_ms INTEGER NOT NULL,
        cursor_column INTEGER NOT NULL,
        cursor_row INTEGER NOT NULL,
        is_paused INTEGER NOT NULL
    )
    """,
    f"""
    CREATE TABLE save (
        player INTEGER NOT NULL REFERENCES player,
        name TEXT NOT NULL,
        saved_at_s INTEGER NOT NULL,
        opened_share REAL NOT NULL,
        code TEXT NOT NULL,
        begun_at_ms INTEGER NOT NULL,
        {_VARIANT_COLUMNS},
        clock_ms INTEGER NOT NULL,
        cursor_column INTEGER NOT NULL,
        cursor_row INTEGER NOT NULL,
        is_paused INTEGER NOT NULL,
        seed INTEGER,
        first INTEGER,
        layout BLOB,
        entries BLOB NOT NULL,
        PRIMARY KEY (player, name)
    )
    """,
    # The last games of each player, and those that are kept for good: a best win, or the first
    # game on a daily board, by which it is known that another one is a repetition.
    f"""
    CREATE TABLE finished (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        player INTEGER NOT NULL REFERENCES player,
        is_kept INTEGER NOT NULL,
        {_VARIANT_COLUMNS},
        status TEXT NOT NULL,
        is_assisted INTEGER NOT NULL,
        time_ms INTEGER NOT NULL,
        wall_ms INTEGER NOT NULL,
        ended_at_s INTEGER NOT NULL,
        figures TEXT NOT NULL,
        seed INTEGER,
        first INTEGER,
        layout BLOB,
        entries BLOB NOT NULL
    )
    """,
    "CREATE INDEX finished_by_player ON finished (player, is_kept)",
    # The sums behind statistics, so that a look at them adds up no games. Player 0 is everybody;
    # an empty board means all categories beyond the limit.
    f"""
    CREATE TABLE tally (
        player INTEGER NOT NULL,
        {_CATEGORY_COLUMNS},
        won INTEGER NOT NULL,
        lost INTEGER NOT NULL,
        terminated INTEGER NOT NULL,
        best_ms INTEGER,
        time_ms INTEGER NOT NULL,
        speed REAL NOT NULL,
        speeds INTEGER NOT NULL,
        apart_won INTEGER NOT NULL,
        apart_lost INTEGER NOT NULL,
        apart_terminated INTEGER NOT NULL,
        apart_best_ms INTEGER,
        apart_time_ms INTEGER NOT NULL,
        apart_speed REAL NOT NULL,
        apart_speeds INTEGER NOT NULL,
        streak INTEGER NOT NULL,
        best_streak INTEGER NOT NULL,
        PRIMARY KEY (player, {CATEGORY})
    ) WITHOUT ROWID
    """,
    # The boards on which somebody has a place; the day is empty where there is none.
    """
    CREATE TABLE leaderboard (
        id INTEGER PRIMARY KEY,
        board TEXT NOT NULL,
        rules TEXT NOT NULL,
        is_no_guess INTEGER NOT NULL,
        daily TEXT NOT NULL,
        UNIQUE (board, rules, is_no_guess, daily)
    )
    """,
    # Each player's best win on each of them: reading a leaderboard takes as many steps as it has
    # lines, however many games somebody's program has won.
    """
    CREATE TABLE best (
        leaderboard INTEGER NOT NULL REFERENCES leaderboard,
        player INTEGER NOT NULL REFERENCES player,
        wall_ms INTEGER NOT NULL,
        ended_at_s INTEGER NOT NULL,
        game INTEGER NOT NULL REFERENCES finished,
        PRIMARY KEY (leaderboard, player)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX best_by_time ON best (leaderboard, wall_ms, ended_at_s, game)",
)

DEVICE_TABLES: Final[Sequence[str]] = (
    # The player whose offer a device took; a device is named as the player of its key.
    """
    CREATE TABLE device (
        key TEXT PRIMARY KEY,
        player INTEGER NOT NULL REFERENCES player
    ) WITHOUT ROWID
    """,
    "CREATE INDEX device_by_player ON device (player)",
    """
    CREATE TABLE offer (
        player INTEGER PRIMARY KEY REFERENCES player,
        code TEXT NOT NULL UNIQUE,
        end_s INTEGER NOT NULL
    )
    """,
)
PLAYER_OF: Final = """
    coalesce(
        (SELECT player FROM device WHERE key = ?1), (SELECT id FROM player WHERE key = ?1)
    )
"""


def setup_row(setup: Setup) -> Row:
    first = None if setup.first is None else setup.variant.grid.index(setup.first)
    return *variant_row(setup.variant), _signed(setup.seed), first, _packed(setup.layout)


def game_row(game: RunningGame) -> Row:
    return *setup_row(game.setup), game.code, game.begun_at_ms


@reading_values()
def read_player(key: str, row: Row) -> KnownPlayer:
    name, settings, created_at_s = row
    return KnownPlayer(key, name, json.loads(settings), created_at_s)


@reading_values()
def read_setup(*row: Any) -> Setup:
    *columns, seed, first, layout = row
    variant = read_variant(*columns)
    cell = None if first is None else variant.grid.cell(first)
    return Setup(variant, _unsigned(seed), _unpacked(layout), cell)


@reading_values()
def read_game(game: Row, entries: bytes, state: Row) -> RunningGame:
    """Make a running game of the columns `GAME`, and of clock, cursor and pause."""
    *setup, code, begun_at_ms = game
    clock_ms, column, row, is_paused = state
    return RunningGame(
        code,
        read_setup(*setup),
        entries,
        clock_ms,
        Cell(column, row),
        bool(is_paused),
        begun_at_ms,
    )


FINISHED: Final = f"""
    {SETUP}, code, status, is_assisted, time_ms, wall_ms, ended_at_s, figures, entries
"""


def finished_row(game: FinishedGame) -> Row:
    return (
        *setup_row(game.setup),
        game.code,
        game.status.value,
        game.is_assisted,
        game.time_ms,
        game.wall_ms,
        game.ended_at_s,
        format_mapping(game.figures),
        game.entries,
    )


@reading_values()
def read_finished(player: str, row: Row) -> FinishedGame:
    *setup, code, status, is_assisted, time_ms, wall_ms, ended_at_s, figures, entries = row
    return FinishedGame(
        code=code,
        setup=read_setup(*setup),
        status=Status(status),
        time_ms=time_ms,
        ended_at_s=ended_at_s,
        wall_ms=wall_ms,
        player=player,
        entries=entries,
        is_assisted=bool(is_assisted),
        figures=json.loads(figures),
    )


def format_mapping(mapping: Mapping[str, Any]) -> str:
    return json.dumps(dict(mapping), ensure_ascii=False, separators=(",", ":"))


def _signed(seed: int | None) -> int | None:
    return seed if seed is None or seed < 1 << SEED_BITS - 1 else seed - (1 << SEED_BITS)


def _unsigned(seed: int | None) -> int | None:
    return None if seed is None else seed & (1 << SEED_BITS) - 1


def _packed(layout: int | None) -> bytes | None:
    return None if layout is None else layout.to_bytes((layout.bit_length() + 7) // 8, "little")


def _unpacked(layout: bytes | None) -> int | None:
    return None if layout is None else int.from_bytes(layout, "little")
