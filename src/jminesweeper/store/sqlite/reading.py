"""Reading what is committed, on a connection of its own: a long list of games delays no commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final, TypeAlias

from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.store import (
    ConfirmHold,
    FencedError,
    FindGame,
    FindPlayer,
    FindSave,
    FinishedGame,
    Job,
    KnownPlayer,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    StoreOpenError,
    StoreUnavailableError,
    Tally,
    Total,
)
from jminesweeper.store.sqlite import transfer
from jminesweeper.store.sqlite.database import Database, translated_errors
from jminesweeper.store.sqlite.records import (
    BY_PLACE,
    EVERYBODY,
    OWN_WINS,
    SUMS,
    leaderboard_row,
    own_board_row,
    read_sums,
)
from jminesweeper.store.sqlite.schema import (
    CATEGORY,
    FINISHED,
    GAME,
    PLAYER_OF,
    VARIANT,
    read_finished,
    read_game,
    read_player,
)
from jminesweeper.store.statistics import CategorySums
from jminesweeper.store.values import MAX_LISTED, MAX_OWN_BEST
from jminesweeper.store.variants import read_variant

_BY_NAME: Final = "instr(rules, ' ') > 0, board, rules"
"""Boards with changed rules come last; a preset is one word."""
_PLAYED: Final = "won + lost + terminated + apart_won + apart_lost + apart_terminated"
_MOST_PLAYED_FIRST: Final = f"""
    {_PLAYED} DESC, {_BY_NAME}, columns, rows, mines, is_no_guess
"""


_Line: TypeAlias = tuple[Variant, CategorySums]


class Reader:
    """Answers from what is committed; opens the file at the first question, and after errors."""

    def __init__(self, path: Path, *, lock_timeout_s: float) -> None:
        self._database = Database(path, may_create=False)
        self._lock_timeout_s = lock_timeout_s

    @property
    def patience_s(self) -> float | None:
        return None

    def answer(self, jobs: Sequence[Job[Any]]) -> Sequence[Any]:
        return [self._read(operation) for operation, _ in jobs]

    def open(self) -> None:
        self._database.open(self._lock_timeout_s)

    def close(self) -> None:
        self._database.close()

    def _read(self, operation: Operation[Any]) -> Any:
        try:
            if not self._database.is_open:
                self.open()
            with translated_errors():
                return READS[type(operation)](self._database.connection(), operation)
        except FencedError as error:
            return error
        except StoreOpenError as error:
            return StoreUnavailableError(error.fault)
        except StoreUnavailableError as error:
            self.close()
            return error


def find_player(connection: Connection, asked: FindPlayer) -> KnownPlayer | None:
    row = connection.execute(
        f"SELECT key, name, settings, created_at_s FROM player WHERE id = {PLAYER_OF}",
        (asked.player,),
    ).fetchone()
    return row and read_player(row[0], row[1:])


def confirm_hold(connection: Connection, asked: ConfirmHold) -> None:
    claimed = connection.execute(
        """
        SELECT 1 FROM slot JOIN player ON player.id = slot.player WHERE key = ? AND owner <> ?
        """,
        (asked.player, asked.owner),
    )
    if claimed.fetchone() is not None:
        raise FencedError


def list_saves(connection: Connection, asked: ListSaves) -> tuple[SaveLabel, ...]:
    rows = connection.execute(
        f"""
        SELECT name, saved_at_s, clock_ms, opened_share, {VARIANT} FROM save
        WHERE player = (SELECT id FROM player WHERE key = ?)
        ORDER BY saved_at_s DESC, name
        """,
        (asked.player,),
    )
    return tuple(
        SaveLabel(name, saved_at_s, read_variant(*variant), clock_ms, opened_share)
        for name, saved_at_s, clock_ms, opened_share, *variant in rows
    )


def find_save(connection: Connection, asked: FindSave) -> RunningGame | None:
    row = connection.execute(
        f"""
        SELECT entries, clock_ms, cursor_column, cursor_row, is_paused, {GAME} FROM save
        WHERE name = ? AND player = (SELECT id FROM player WHERE key = ?)
        """,
        (asked.name, asked.player),
    ).fetchone()
    return row and read_game(row[5:], row[0], row[1:5])


def find_game(connection: Connection, asked: FindGame) -> FinishedGame | None:
    row = connection.execute(
        f"""
        SELECT player.key, {FINISHED}
        FROM finished JOIN player ON player.id = finished.player WHERE code = ?
        """,
        (asked.code,),
    ).fetchone()
    return row and read_finished(row[0], row[1:])


def list_games(connection: Connection, asked: ListGames) -> tuple[FinishedGame, ...]:
    # The numbers come from the index alone: sorting must not carry the logs along.
    rows = connection.execute(
        f"""
        SELECT {FINISHED} FROM finished WHERE id IN (
            SELECT id FROM finished WHERE player = (SELECT id FROM player WHERE key = ?)
            ORDER BY id DESC LIMIT ?
        )
        ORDER BY id DESC
        """,
        (asked.player, asked.limit),
    )
    return tuple(read_finished(asked.player, row) for row in rows)


def read_statistics(connection: Connection, asked: ReadStatistics) -> Statistics:
    row = connection.execute("SELECT id FROM player WHERE key = ?", (asked.player,)).fetchone()
    if row is None:
        return Statistics()
    listed, others = _tallies(connection, row[0])
    return Statistics(tuple(sums.statistics(category) for category, sums in listed), Tally(*others))


def read_totals(connection: Connection, _asked: ReadTotals) -> tuple[Total, ...]:
    listed, others = _tallies(connection, EVERYBODY)
    totals = [Total(category, *_counts(sums)) for category, sums in listed]
    if any(others):
        totals.append(Total(None, *others))
    return tuple(totals)


def read_leaderboard(connection: Connection, asked: ReadLeaderboard) -> tuple[Score, ...]:
    if not asked.board.is_classic_board:
        return ()
    rows = connection.execute(
        """
        SELECT player.name, best.wall_ms, finished.code, best.ended_at_s, player.key
        FROM best JOIN player ON player.id = best.player JOIN finished ON finished.id = best.game
        WHERE best.leaderboard = (
            SELECT id FROM leaderboard
            WHERE (board, rules, is_no_guess, daily) = (?, ?, ?, ?)
        )
        ORDER BY best.wall_ms, best.ended_at_s, best.game LIMIT ?
        """,
        (*leaderboard_row(asked.board), asked.limit),
    )
    return tuple(Score(*row) for row in rows)


def read_own_best(connection: Connection, asked: ReadOwnBest) -> tuple[Score, ...]:
    row = connection.execute("SELECT id FROM player WHERE key = ?", (asked.player,)).fetchone()
    if row is None or not asked.board.is_classic_board:
        return ()
    rows = connection.execute(
        f"""
        SELECT wall_ms, code, ended_at_s FROM finished WHERE {OWN_WINS}
        ORDER BY {BY_PLACE} LIMIT ?
        """,
        (*row, *own_board_row(asked.board), MAX_OWN_BEST),
    )
    return tuple(
        Score("", wall_ms, code, ended_at_s, asked.player) for wall_ms, code, ended_at_s in rows
    )


def list_boards(connection: Connection, asked: ListBoards) -> tuple[Variant, ...]:
    rows = connection.execute(
        f"""
        SELECT board, rules, is_no_guess, daily FROM leaderboard
        ORDER BY daily <> '', daily DESC, {_BY_NAME}, is_no_guess LIMIT ?
        """,
        (asked.limit,),
    )
    return tuple(_read_board(*row) for row in rows)


def _read_board(board: str, rules: str, is_no_guess: int, daily: str) -> Variant:
    known = CLASSIC_BOARDS[board]
    size = known.size
    return read_variant(board, size.columns, size.rows, known.mine_count, rules, is_no_guess, daily)


def _most_played(connection: Connection, player: int) -> Sequence[_Line]:
    rows = connection.execute(
        f"""
        SELECT {CATEGORY}, {SUMS} FROM tally WHERE player = ? AND board <> ''
        ORDER BY {_MOST_PLAYED_FIRST} LIMIT ?
        """,
        (player, MAX_LISTED),
    )
    width = CATEGORY.count(",") + 1
    return [(read_variant(*row[:width]), read_sums(row[width:])) for row in rows]


def _tallies(connection: Connection, player: int) -> tuple[Sequence[_Line], Sequence[int]]:
    """Give the categories that are listed, and the counts of all others, as of one moment.

    A game that was recorded between the two questions would count among the others.
    """
    connection.execute("BEGIN")
    try:
        listed = _most_played(connection, player)
        return listed, _count_others(connection, player, listed)
    finally:
        connection.execute("ROLLBACK")


def _count_others(connection: Connection, player: int, listed: Sequence[_Line]) -> Sequence[int]:
    """Count the games won, lost and given up in all categories that are not listed."""
    everything = connection.execute(
        """
        SELECT coalesce(sum(won + apart_won), 0), coalesce(sum(lost + apart_lost), 0),
            coalesce(sum(terminated + apart_terminated), 0)
        FROM tally WHERE player = ?
        """,
        (player,),
    ).fetchone()
    counts = zip((0, 0, 0), *(_counts(sums) for _, sums in listed), strict=True)
    return [total - sum(each) for total, each in zip(everything, counts, strict=True)]


def _counts(sums: CategorySums) -> Sequence[int]:
    return sums.won, sums.lost, sums.terminated


READS: Final[Mapping[type[Operation[Any]], Callable[[Connection, Any], Any]]] = {
    ConfirmHold: confirm_hold,
    FindPlayer: find_player,
    ListSaves: list_saves,
    FindSave: find_save,
    FindGame: find_game,
    ListGames: list_games,
    ReadStatistics: read_statistics,
    ReadLeaderboard: read_leaderboard,
    ReadOwnBest: read_own_best,
    ListBoards: list_boards,
    ReadTotals: read_totals,
    **transfer.READS,
}
