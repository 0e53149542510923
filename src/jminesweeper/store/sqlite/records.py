"""Writing finished games, and their statistics, inside the transaction of a batch."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Final, NamedTuple

from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.text import format_rules
from jminesweeper.store import Finish, FinishedGame, Record, TakenCodeError
from jminesweeper.store.sqlite.schema import CATEGORY, FINISHED, VARIANT, Row, finished_row
from jminesweeper.store.sqlite.writing import append, known
from jminesweeper.store.statistics import CategorySums, Result, Sums
from jminesweeper.store.values import MAX_CATEGORIES, MAX_GAMES, MAX_OWN_BEST
from jminesweeper.store.variants import category_row, read_variant

EVERYBODY: Final = 0
"""The player whose tally counts all games, those of anonymous players included."""
OTHERS: Final[Row] = ("", 0, 0, 0, "", False)
"""The category for all beyond the limit."""

_IS_CATEGORY: Final = f"player = ? AND ({CATEGORY}) = (?, ?, ?, ?, ?, ?)"
SUMS: Final = """
    won, lost, terminated, best_ms, time_ms, speed, speeds,
    apart_won, apart_lost, apart_terminated,
    apart_best_ms, apart_time_ms, apart_speed, apart_speeds,
    streak, best_streak
"""


class Recorded(NamedTuple):
    """A game that is already recorded under a code."""

    number: int
    result: Result


def record(connection: Connection, asked: Record) -> None:
    game = asked.game
    if game.player is None:
        count(connection, EVERYBODY, Result.of(game))
        return
    player = known(connection, game.player)
    before = find_recorded(connection, game.code, player)
    if before is not None and before.result.status is Status.WON:
        return
    former = before.result if before else None
    count(connection, EVERYBODY, Result.of(game), former)
    keep(connection, player, game, before)


def finish(connection: Connection, asked: Finish) -> int:
    find_recorded(connection, asked.game.code, known(connection, asked.last.player))
    revision = append(connection, asked.last)
    record(connection, Record(asked.game))
    return revision


def keep(
    connection: Connection, player: int, game: FinishedGame, before: Recorded | None = None
) -> None:
    """Record a game, count it for its player, rank it, and drop the oldest one over the limit."""
    count(connection, player, Result.of(game), before.result if before else None)
    (number,) = connection.execute(
        f"""
        INSERT OR REPLACE INTO finished (id, player, is_kept, {FINISHED})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        RETURNING id
        """,
        (before.number if before else None, player, game.is_first_daily, *finished_row(game)),
    ).fetchone()
    if game.is_ranked:
        _rank(connection, number, player, game)
    connection.execute(
        """
        DELETE FROM finished WHERE player = ?1 AND is_kept = 0 AND id <= (
            SELECT id FROM finished WHERE player = ?1 AND is_kept = 0
            ORDER BY id DESC LIMIT 1 OFFSET ?2
        )
        """,
        (player, MAX_GAMES),
    )


OWN_WINS: Final = f"""
    player = ? AND status = '{Status.WON.value}' AND NOT is_assisted AND NOT is_repeat
    AND board = ? AND columns = ? AND rows = ? AND mines = ? AND rules = ? AND is_no_guess = ?
    AND daily IS ?
"""
BY_PLACE: Final = "wall_ms, ended_at_s, id"


def drop_oldest(connection: Connection, share: int, fewest: int) -> int:
    """Drop the oldest games of all players, a share of them; return how many."""
    dropped = connection.execute(
        """
        DELETE FROM finished WHERE id IN (
            SELECT id FROM finished WHERE is_kept = 0 ORDER BY id
            LIMIT max(?1, (SELECT count(*) FROM finished) / ?2)
        )
        """,
        (fewest, share),
    )
    return dropped.rowcount


def count(
    connection: Connection, player: int, result: Result, former: Result | None = None
) -> None:
    """Count a game for a player; for one recorded again, subtract what it was before."""
    if former is not None:
        line, sums = _line(connection, player, former.category)
        put_sums(connection, player, line, sums.minus(former))
    line, sums = _line(connection, player, result.category)
    put_sums(connection, player, line, sums.plus(result, is_again=former is not None))


def read_sums(row: Row) -> CategorySums:
    width = len(Sums._fields)
    return CategorySums(Sums(*row[:width]), Sums(*row[width : 2 * width]), *row[2 * width :])


def leaderboard_row(board: Variant) -> Row:
    day = board.daily.isoformat() if board.daily else ""
    return board.board, format_rules(board.rules), board.is_no_guess, day


def own_board_row(board: Variant) -> Row:
    return *category_row(board), board.daily and board.daily.isoformat()


def find_recorded(connection: Connection, code: str, player: int) -> Recorded | None:
    """Find what is recorded under the code, which must not be another player's."""
    row = connection.execute(
        f"SELECT id, player, status, is_assisted, {VARIANT} FROM finished WHERE code = ?", (code,)
    ).fetchone()
    if row is None:
        return None
    number, recorded_player, status, is_assisted, *variant = row
    if recorded_player != player:
        raise TakenCodeError(code)
    played = read_variant(*variant)
    counts = not (is_assisted or played.is_repeat)
    return Recorded(number, Result(played.category, Status(status), counts))


def _line(connection: Connection, player: int, category: Variant) -> tuple[Row, CategorySums]:
    """Find where a category is counted: alone, or with the others once there are too many."""
    line = category_row(category)
    sums = _sums(connection, player, line)
    if sums is None and _has_all_lines(connection, player):
        line = OTHERS
        sums = _sums(connection, player, line)
    return line, sums or CategorySums()


def _sums(connection: Connection, player: int, line: Row) -> CategorySums | None:
    row = connection.execute(
        f"SELECT {SUMS} FROM tally WHERE {_IS_CATEGORY}", (player, *line)
    ).fetchone()
    return row and read_sums(row)


def _has_all_lines(connection: Connection, player: int) -> bool:
    counted = connection.execute(
        "SELECT count(*) FROM tally WHERE player = ? AND board <> ''", (player,)
    )
    lines: int = counted.fetchone()[0]
    return lines >= MAX_CATEGORIES


def put_sums(connection: Connection, player: int, line: Row, sums: CategorySums) -> None:
    connection.execute(
        f"""
        INSERT OR REPLACE INTO tally (player, {CATEGORY}, {SUMS})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (player, *line, *sums.ranked, *sums.unranked, sums.streak, sums.best_streak),
    )


def _rank(connection: Connection, number: int, player: int, game: FinishedGame) -> None:
    """Give a win its place among the player's own, and on the leaderboard if it is the best."""
    connection.execute("UPDATE finished SET is_kept = 1 WHERE id = ?", (number,))
    connection.execute(
        f"""
        UPDATE finished SET is_kept = 0 WHERE daily IS NULL AND id IN (
            SELECT id FROM finished WHERE {OWN_WINS} AND is_kept = 1
            ORDER BY {BY_PLACE} LIMIT -1 OFFSET ?
        )
        """,
        (player, *own_board_row(game.variant), MAX_OWN_BEST),
    )
    board = _leaderboard(connection, game.variant)
    before = connection.execute(
        "SELECT wall_ms, ended_at_s, game FROM best WHERE leaderboard = ? AND player = ?",
        (board, player),
    ).fetchone()
    place = (game.wall_ms, game.ended_at_s, number)
    if before is not None and place[:2] >= before[:2]:
        return
    connection.execute(
        """
        INSERT OR REPLACE INTO best (leaderboard, player, wall_ms, ended_at_s, game)
        VALUES (?, ?, ?, ?, ?)
        """,
        (board, player, *place),
    )


def _leaderboard(connection: Connection, board: Variant) -> int:
    row = leaderboard_row(board)
    connection.execute(
        """
        INSERT INTO leaderboard (board, rules, is_no_guess, daily) VALUES (?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """,
        row,
    )
    found = connection.execute(
        "SELECT id FROM leaderboard WHERE (board, rules, is_no_guess, daily) = (?, ?, ?, ?)", row
    )
    number: int = found.fetchone()[0]
    return number
