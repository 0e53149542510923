"""What the contract cannot see: what a read costs, and what becomes of its file."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store import (
    Fault,
    FindPlayer,
    Job,
    KnownPlayer,
    ListGames,
    Operation,
    PutPlayer,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    Record,
    StoreOpenError,
    StoreUnavailableError,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite import reading
from jminesweeper.store.sqlite.backend import Archive, SqliteStore
from jminesweeper.store.sqlite.reading import READS, Reader
from tests.contract.examples import ANN, BEGINNER, BOB, EXPERT, win

KNOWN = KnownPlayer(ANN, "Ann", {}, 1)


def plan_of(connection: sqlite3.Connection, read: Callable[[], object]) -> str:
    """How SQLite carries out the last statement of a read."""
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    read()
    connection.set_trace_callback(None)
    steps = connection.execute(f"EXPLAIN QUERY PLAN {statements[-1]}").fetchall()
    return "\n".join(detail for *_, detail in steps)


@pytest.mark.parametrize(
    ("operation", "is_sorted"),
    [
        (ReadLeaderboard(EXPERT), True),
        (ReadOwnBest(ANN, EXPERT), False),
        (ListGames(ANN), False),
        (ReadStatistics(ANN), False),
        (ReadTotals(), False),
    ],
    ids=["leaderboard", "own best", "games", "statistics", "totals"],
)
def test_a_read_follows_an_index(
    connection: sqlite3.Connection, operation: Operation[Any], is_sorted: bool
) -> None:
    plan = plan_of(connection, lambda: READS[type(operation)](connection, operation))
    assert "SCAN finished" not in plan
    assert "SCAN tally" not in plan
    assert not (is_sorted and "TEMP B-TREE" in plan)


@pytest.fixture
def reader(path: Path) -> Iterator[Reader]:
    with closing(Reader(path, lock_timeout_s=0)) as made:
        yield made


def answer(reader: Reader, operation: Operation[Any]) -> Any:
    (only,) = reader.answer([Job(operation, lambda _: None)])
    return only


def fault(reader: Reader) -> Fault:
    refusal = answer(reader, FindPlayer(ANN))
    assert isinstance(refusal, StoreUnavailableError)
    return refusal.fault


def test_a_value_that_makes_no_sense_is_damage_to_one_player(
    connection: sqlite3.Connection, reader: Reader
) -> None:
    connection.execute("UPDATE player SET settings = '{' WHERE key = ?", (ANN,))
    connection.execute("INSERT OR REPLACE INTO player VALUES (8, ?, 'Bob', '{}', 1)", (BOB,))
    assert fault(reader) is Fault.DAMAGED
    assert answer(reader, FindPlayer(BOB)) == KnownPlayer(BOB, "Bob", {}, 1)


@pytest.mark.usefixtures("connection")
def test_a_reader_sees_what_is_committed(reader: Reader) -> None:
    assert answer(reader, FindPlayer(ANN)) == KNOWN
    assert answer(reader, ReadTotals()) == ()
    assert reader.patience_s is None


def test_a_reader_creates_nothing(reader: Reader, path: Path) -> None:
    assert fault(reader) is Fault.MISSING
    assert not path.exists()


@pytest.mark.usefixtures("connection")
def test_a_reader_finds_its_file_again(reader: Reader, path: Path) -> None:
    answer(reader, FindPlayer(ANN))
    away = path.rename(path.with_name("away"))
    assert fault(reader) is Fault.MISSING
    away.rename(path)
    assert answer(reader, FindPlayer(ANN)) == KNOWN


def test_statistics_are_those_of_one_moment(
    path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_categories = reading._most_played
    with SqliteStore(path) as store:
        perform(store, PutPlayer(ANN, "Ann", {}, 1))
        perform(store, Record(win("first")))

        def list_and_record(connection: sqlite3.Connection, player: int) -> Any:
            listed = list_categories(connection, player)
            perform(store, Record(win("second", variant=BEGINNER)))
            return listed

        monkeypatch.setattr(reading, "_most_played", list_and_record)
        statistics = answer(reader, ReadStatistics(ANN))
        assert (statistics.games_played, statistics.others.played) == (1, 0)
        monkeypatch.undo()
        assert answer(reader, ReadStatistics(ANN)).games_played == 2


def test_an_archive_is_read_while_a_server_writes(path: Path) -> None:
    with SqliteStore(path) as store, Archive(path) as archive:
        assert perform(archive, FindPlayer(ANN)) is None
        perform(store, PutPlayer(ANN, "Ann", {}, 1))
        assert perform(archive, FindPlayer(ANN)) == KNOWN


@pytest.mark.usefixtures("connection")
def test_an_archive_is_read_when_no_server_runs(path: Path) -> None:
    with Archive(path) as archive:
        player = perform(archive, FindPlayer(BOB))
        assert player
        assert player.name == "Bob"


def test_an_archive_that_is_not_there_is_not_made(path: Path) -> None:
    with pytest.raises(StoreOpenError) as refusal:
        Archive(path)
    assert refusal.value.fault is Fault.MISSING
    assert not path.exists()


@pytest.mark.usefixtures("connection")
def test_an_archive_that_goes_away_says_so(path: Path) -> None:
    with Archive(path) as archive:
        path.unlink()
        with pytest.raises(StoreUnavailableError):
            perform(archive, ReadTotals())
