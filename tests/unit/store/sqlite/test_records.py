import sqlite3

import pytest

from jminesweeper.store.errors import FencedError, TakenCodeError
from jminesweeper.store.operations import Finish, PutRunning, Record
from jminesweeper.store.sqlite.records import finish, record
from jminesweeper.store.sqlite.running import put_running
from tests.contract.examples import ANN, BEGINNER, BOB, GAME, append, loss, win


def games(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT id, code, status FROM finished ORDER BY id").fetchall()


def totals(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT preset, status, games FROM total WHERE games").fetchall()


def test_a_game_recorded_again_keeps_its_place_in_the_order(connection: sqlite3.Connection) -> None:
    for code in ("one", "two"):
        record(connection, Record(loss(code)))
    record(connection, Record(win("one", is_assisted=True)))
    assert games(connection) == [(1, "one", "won"), (2, "two", "lost")]
    logs = connection.execute("SELECT count(*) FROM finished_log").fetchone()
    assert logs == (2,)


def test_totals_follow_a_game_that_is_recorded_again(connection: sqlite3.Connection) -> None:
    record(connection, Record(loss("one")))
    record(connection, Record(win("one", category=BEGINNER, is_assisted=True)))
    assert totals(connection) == [("beginner", "won", 1)]


def test_a_slower_win_leaves_the_best_alone(connection: sqlite3.Connection) -> None:
    for code, time_ms in (("first", 2000), ("slow", 3000), ("fast", 1000), ("equal", 1000)):
        record(connection, Record(win(code, time_ms)))
    best = connection.execute(
        "SELECT code, best.time_ms FROM best JOIN finished ON finished.id = game"
    )
    assert best.fetchall() == [("fast", 1000)]


def test_anonymous_games_leave_only_a_count(connection: sqlite3.Connection) -> None:
    record(connection, Record(win("", player=None)))
    assert games(connection) == []
    assert totals(connection) == [("expert", "won", 1)]


def test_a_finish_that_is_refused_changes_nothing(connection: sqlite3.Connection) -> None:
    revision = put_running(connection, PutRunning(ANN, "first", GAME))
    record(connection, Record(loss("bobs", player=BOB)))
    before = connection.total_changes
    with pytest.raises(FencedError):
        finish(connection, Finish(append(revision, 3, owner="second"), win("game1")))
    with pytest.raises(TakenCodeError):
        finish(connection, Finish(append(revision, 3), win("bobs")))
    assert connection.total_changes == before
