"""Taking players out of the file and putting them in, each inside one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from sqlite3 import Connection
from typing import Any, Final

from jminesweeper.core.variant import Variant
from jminesweeper.store import Operation, PutPlayer, PutRunning, PutSave
from jminesweeper.store.sqlite.records import (
    EVERYBODY,
    OTHERS,
    SUMS,
    find_recorded,
    keep,
    put_sums,
    read_sums,
)
from jminesweeper.store.sqlite.schema import (
    CATEGORY,
    FINISHED,
    GAME,
    Row,
    read_finished,
    read_game,
    read_player,
)
from jminesweeper.store.sqlite.writing import known, put_player, put_running, put_save, read_running
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    FindDamage,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
    PlayerData,
    Tally,
)
from jminesweeper.store.variants import category_row, read_variant

NOBODY: Final = 0
"""A number that no player has."""
UNCLAIMED: Final = ""
"""Owns a running game that no connection has claimed yet."""
_TABLES: Final = ("best", "finished", "tally", "save", "note", "move", "slot", "device", "offer")


def list_players(connection: Connection, asked: ListPlayers) -> tuple[str, ...]:
    rows = connection.execute(
        "SELECT key FROM player WHERE key > ? ORDER BY key LIMIT ?", (asked.after, asked.limit)
    )
    return tuple(key for (key,) in rows)


def export_player(connection: Connection, asked: ExportPlayer) -> PlayerData | None:
    row = connection.execute(
        "SELECT id, name, settings, created_at_s FROM player WHERE key = ?", (asked.player,)
    ).fetchone()
    if row is None:
        return None
    number, *fields = row
    player = read_player(asked.player, fields)
    slot = connection.execute(f"SELECT {GAME} FROM slot WHERE player = ?", (number,)).fetchone()
    saves = connection.execute(
        f"""
        SELECT name, saved_at_s, opened_share,
            entries, clock_ms, cursor_column, cursor_row, is_paused, {GAME}
        FROM save WHERE player = ? ORDER BY name
        """,
        (number,),
    )
    games = connection.execute(
        f"SELECT {FINISHED} FROM finished WHERE player = ? ORDER BY id", (number,)
    )
    devices = connection.execute("SELECT key FROM device WHERE player = ? ORDER BY key", (number,))
    return PlayerData(
        player,
        read_running(connection, number, slot)[1] if slot else None,
        tuple(_read_save(player.id, row) for row in saves),
        tuple(read_finished(player.id, row) for row in games),
        _read_tally(connection, number),
        tuple(key for (key,) in devices),
    )


def export_totals(connection: Connection, _asked: ExportTotals) -> Tally:
    return _read_tally(connection, EVERYBODY)


def find_damage(connection: Connection, _asked: FindDamage) -> tuple[str, ...]:
    found = connection.execute("PRAGMA integrity_check").fetchall()
    return tuple(sentence for (sentence,) in found if sentence != "ok")


def import_player(connection: Connection, asked: ImportPlayer) -> None:
    data = asked.data
    player = data.player
    row = connection.execute("SELECT id FROM player WHERE key = ?", (player.id,)).fetchone()
    for game in data.games:
        find_recorded(connection, game.code, NOBODY if row is None else row[0])
    put_player(connection, PutPlayer(player.id, player.name, player.settings, player.created_at_s))
    number = known(connection, player.id)
    connection.execute(
        "UPDATE player SET created_at_s = ? WHERE id = ?", (player.created_at_s, number)
    )
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table} WHERE player = ?", (number,))
    if data.running is not None:
        put_running(connection, PutRunning(player.id, UNCLAIMED, data.running))
    for save in data.saves:
        put_save(connection, save)
    for game in data.games:
        keep(connection, number, game)
    _put_tally(connection, number, data.tally)
    connection.executemany(
        "INSERT OR REPLACE INTO device (key, player) VALUES (?, ?)",
        [(device, number) for device in data.devices],
    )


def import_totals(connection: Connection, asked: ImportTotals) -> None:
    _put_tally(connection, EVERYBODY, asked.tally)


def _read_save(player: str, row: Row) -> PutSave:
    name, saved_at_s, opened_share, entries = row[:4]
    return PutSave(player, name, read_game(row[8:], entries, row[4:8]), saved_at_s, opened_share)


def _read_tally(connection: Connection, player: int) -> Tally:
    rows = connection.execute(f"SELECT {CATEGORY}, {SUMS} FROM tally WHERE player = ?", (player,))
    width = CATEGORY.count(",") + 1
    return {_read_line(row[:width]): read_sums(row[width:]) for row in rows}


def _read_line(row: Row) -> Variant | None:
    return None if row[0] == OTHERS[0] else read_variant(*row)


def _put_tally(connection: Connection, player: int, tally: Tally) -> None:
    connection.execute("DELETE FROM tally WHERE player = ?", (player,))
    for category, sums in tally.items():
        put_sums(connection, player, OTHERS if category is None else category_row(category), sums)


READS: Final[Mapping[type[Operation[Any]], Callable[[Connection, Any], Any]]] = {
    ListPlayers: list_players,
    ExportPlayer: export_player,
    ExportTotals: export_totals,
    FindDamage: find_damage,
}
WRITES: Final[Mapping[type[Operation[Any]], Callable[[Connection, Any], Any]]] = {
    ImportPlayer: import_player,
    ImportTotals: import_totals,
}
