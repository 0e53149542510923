import sqlite3
from collections.abc import Callable

import pytest

from jminesweeper.store.operations import (
    ListBoards,
    ListGames,
    ReadLeaderboard,
    ReadStatistics,
    Record,
)
from jminesweeper.store.sqlite import reads
from jminesweeper.store.sqlite.records import record
from jminesweeper.store.values import Board
from tests.contract.examples import ANN, EXPERT, loss, win


def plan_of(connection: sqlite3.Connection, read: Callable[[], object]) -> str:
    """How SQLite carries out the one statement of a read."""
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    read()
    connection.set_trace_callback(None)
    steps = connection.execute(f"EXPLAIN QUERY PLAN {statements[-1]}").fetchall()
    return "\n".join(detail for *_, detail in steps)


@pytest.mark.parametrize(
    "read",
    [
        lambda c: reads.read_leaderboard(c, ReadLeaderboard(Board(EXPERT))),
        lambda c: reads.list_boards(c, ListBoards()),
        lambda c: reads.list_games(c, ListGames(ANN)),
        lambda c: reads.read_statistics(c, ReadStatistics(ANN)),
    ],
    ids=["leaderboard", "boards", "games", "statistics"],
)
def test_a_read_follows_an_index_and_sorts_nothing(
    connection: sqlite3.Connection, read: Callable[[sqlite3.Connection], object]
) -> None:
    plan = plan_of(connection, lambda: read(connection))
    assert "TEMP B-TREE" not in plan
    assert "SCAN finished" not in plan


def test_statistics_do_not_read_logs(connection: sqlite3.Connection) -> None:
    plan = plan_of(connection, lambda: reads.read_statistics(connection, ReadStatistics(ANN)))
    assert "finished_log" not in plan


def test_games_come_with_their_logs(connection: sqlite3.Connection) -> None:
    record(connection, Record(win("one")))
    record(connection, Record(loss("two")))
    assert reads.list_games(connection, ListGames(ANN)) == (loss("two"), win("one"))
