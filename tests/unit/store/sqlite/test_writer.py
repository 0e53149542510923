import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store import (
    Enter,
    Fault,
    FencedError,
    Job,
    PutPlayer,
    PutRunning,
    PutSave,
    StoreOpenError,
    StoreUnavailableError,
    UnknownPlayerError,
    deliver_at_once,
)
from jminesweeper.store.sqlite.backend import PROBE_BYTES, Writer
from tests.contract.examples import ANN, BOB, GAME, NOBODY, append
from tests.unit.store.sqlite.full_disk import files_limited_to

States = list[Fault | None]


@pytest.fixture
def states() -> States:
    return []


@pytest.fixture
def writer(path: Path, states: States) -> Iterator[Writer]:
    """Give a writer that tries again whenever it is asked, with Ann's game in its file."""
    made = Writer(path, deliver_at_once, states.append, lock_timeout_s=0, retry_s=0)
    with closing(made):
        answers(made, PutPlayer(ANN, "Ann", {}, 1), PutRunning(ANN, "first", GAME))
        yield made


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def answers(writer: Writer, *operations: Any) -> Sequence[Any]:
    return writer.answer([Job(operation, lambda _: None) for operation in operations])


def only(writer: Writer, operation: Any) -> Any:
    (answer,) = answers(writer, operation)
    return answer


def test_a_batch_is_one_transaction(path: Path, writer: Writer) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        version = other.execute("PRAGMA data_version").fetchone()[0]
        answers(writer, *(append(number, number) for number in range(1, 100)))
        assert other.execute("PRAGMA data_version").fetchone()[0] == version + 1


def test_a_player_whose_values_make_no_sense_stops_nobody_else(path: Path, writer: Writer) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE player SET settings = '{' WHERE key = ?", (ANN,))
    damaged, entered = answers(writer, Enter(ANN, "", "next"), Enter(BOB, "", "next"))
    assert isinstance(damaged, StoreUnavailableError)
    assert damaged.fault is Fault.DAMAGED
    assert not entered.is_known


def test_what_one_write_is_refused_does_not_touch_the_others(writer: Writer) -> None:
    given = answers(
        writer,
        append(1, 3),
        PutSave(NOBODY, "one", GAME, 1),
        append(2, 4, owner="second"),
        append(2, 5),
    )
    assert [type(answer) for answer in given] == [int, UnknownPlayerError, FencedError, int]


def test_a_player_who_is_ahead_appends_in_order_within_a_batch(writer: Writer) -> None:
    answers(writer, PutRunning(BOB, "second", GAME))
    bobs = [append(1, 4, player=BOB, owner="second"), append(2, 5, player=BOB, owner="second")]
    assert answers(writer, append(1, 3), bobs[0], bobs[1], append(2, 4), append(3, 5)) == [
        2,
        2,
        3,
        3,
        4,
    ]


def test_while_all_is_well_nobody_is_told_and_the_writer_waits_for_jobs(
    writer: Writer, states: States
) -> None:
    assert states == []
    assert writer.patience_s is None


def test_a_locked_file_refuses_and_recovers(path: Path, writer: Writer, states: States) -> None:
    with locked(path):
        for _ in range(2):
            given = answers(writer, append(1, 3), PutPlayer(BOB, "Bob", {}, 1))
            assert {answer.fault for answer in given} == {Fault.LOCKED}
        assert writer.patience_s is not None
        assert states == [Fault.LOCKED]
    assert only(writer, append(1, 3)) == 2
    assert states == [Fault.LOCKED, None]


def test_a_writer_recovers_without_being_asked_for_anything(
    path: Path, writer: Writer, states: States
) -> None:
    with locked(path):
        only(writer, append(1, 3))
    assert writer.answer([]) == []
    assert states == [Fault.LOCKED, None]


def test_between_tries_the_refusal_is_immediate(path: Path, states: States) -> None:
    with closing(
        Writer(path, deliver_at_once, states.append, lock_timeout_s=0, retry_s=3600)
    ) as writer:
        with locked(path):
            only(writer, PutPlayer(ANN, "Ann", {}, 1))
        assert only(writer, PutPlayer(ANN, "Ann", {}, 1)).fault is Fault.LOCKED
        assert states == [Fault.LOCKED]


def test_a_full_disk_refuses_whole_batches_and_recovers(writer: Writer, states: States) -> None:
    with files_limited_to(PROBE_BYTES - 4096):
        players = (PutPlayer(f"{number:032}", "x" * 60, {}, 1) for number in range(1000))
        given = answers(writer, append(1, 3), *players)
        assert {type(answer) for answer in given} == {StoreUnavailableError}
        assert only(writer, append(1, 3)).fault in {Fault.FULL, Fault.BROKEN}
        assert states[-1] is not None
    assert only(writer, append(1, 3)) == 2
    assert states[-1] is None


def test_a_disk_that_only_just_takes_a_page_is_still_full(path: Path) -> None:
    with closing(Writer(path, deliver_at_once, lambda _: None, lock_timeout_s=0, retry_s=0)):
        pass
    with files_limited_to(PROBE_BYTES - 4096), pytest.raises(StoreOpenError) as refusal:
        Writer(path, deliver_at_once, lambda _: None, lock_timeout_s=0, retry_s=0)
    assert refusal.value.fault in {Fault.FULL, Fault.BROKEN}


@pytest.mark.usefixtures("writer")
def test_a_writer_does_not_open_what_is_locked(path: Path) -> None:
    with locked(path), pytest.raises(StoreOpenError) as refusal:
        Writer(path, deliver_at_once, lambda _: None, lock_timeout_s=0, retry_s=0)
    assert refusal.value.fault is Fault.LOCKED


def delete(path: Path) -> None:
    path.unlink()


def replace_by_text(path: Path) -> None:
    path.unlink()
    path.write_text("not a store")


def cut_short(path: Path) -> None:
    os.truncate(path, 4096)


@pytest.mark.parametrize(
    ("harm", "faults"),
    [
        (delete, [Fault.MISSING]),
        (replace_by_text, [Fault.MISSING, Fault.FOREIGN]),
        (cut_short, [Fault.DAMAGED]),
    ],
)
def test_what_happens_to_the_file_is_noticed_before_anything_is_acknowledged(
    path: Path,
    writer: Writer,
    states: States,
    harm: Callable[[Path], None],
    faults: list[Fault],
) -> None:
    checkpoint(path)
    harm(path)
    assert isinstance(only(writer, append(1, 3)), StoreUnavailableError)
    if len(faults) > 1:
        assert isinstance(only(writer, append(1, 3)), StoreUnavailableError)
    assert states == faults


def checkpoint(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_store_that_comes_back_empty_takes_up_the_games_of_those_who_play(
    path: Path, writer: Writer, states: States
) -> None:
    path.unlink()
    assert isinstance(only(writer, append(1, 3)), StoreUnavailableError)
    assert isinstance(only(writer, append(1, 3)), UnknownPlayerError)
    assert states == [Fault.MISSING, None]
    revision = only(writer, PutRunning(ANN, "first", GAME))
    assert only(writer, append(revision, 3)) == revision + 1
