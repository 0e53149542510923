"""Faults of the file, and what the store makes of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import (
    DONE,
    Check,
    Commit,
    Conflict,
    Fault,
    Read,
    StoreOpenError,
    StoreUnavailableError,
)
from jminesweeper.store.sqlite import PROBE_BYTES, open_archive
from tests.contract.examples import KEY, append, begin, body_of, entries, log_of
from tests.unit.store.asking import AskedRetrier
from tests.unit.store.sqlite.conftest import locked, open_retrier
from tests.unit.store.sqlite.full_disk import files_limited_to


def test_what_is_submitted_together_is_one_transaction(path: Path, retrier: AskedRetrier) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        version = other.execute("PRAGMA data_version").fetchone()[0]
        retrier.ask(*(append(number, number, number + 1) for number in range(1, 100)))
        assert other.execute("PRAGMA data_version").fetchone()[0] == version + 1


def test_while_all_is_well_nothing_is_reported(retrier: AskedRetrier) -> None:
    assert retrier.ask() == []
    assert retrier.states == []


def test_a_locked_file_refuses_and_recovers(path: Path, retrier: AskedRetrier) -> None:
    with locked(path):
        for _ in range(2):
            given = retrier.ask(append(1, 1, 2), begin(1, key="other"), Read((KEY,)))
            assert {answer.fault for answer in given} == {Fault.LOCKED}
        assert retrier.states == [Fault.LOCKED]
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    assert retrier.states == [Fault.LOCKED, None]


@pytest.mark.usefixtures("retrier")
def test_a_locked_file_is_read_even_if_something_is_to_be_deleted(path: Path) -> None:
    with closing(open_retrier(path)) as retrier, locked(path):
        assert retrier.is_due
        ((document,), *_) = retrier.ask(Read((KEY,)))[0]
        assert document.body == "{}"
        assert retrier.states == []


def test_a_store_recovers_without_being_asked_for_anything(
    path: Path, retrier: AskedRetrier
) -> None:
    with locked(path):
        retrier.ask(append(1, 1, 2))
    assert retrier.ask() == []
    assert retrier.states == [Fault.LOCKED, None]


def test_between_tries_the_refusal_is_immediate(path: Path) -> None:
    with closing(open_retrier(path, retry_s=3600)) as retrier:
        with locked(path):
            for _ in range(2):
                assert retrier.fault(begin(1)) is Fault.LOCKED
        assert retrier.fault(begin(1)) is Fault.LOCKED
        assert not retrier.is_due


def test_a_full_disk_refuses_whole_batches_and_recovers(retrier: AskedRetrier) -> None:
    with files_limited_to(PROBE_BYTES - 4096):
        others = (begin(1, key=f"other:{number:0100}") for number in range(1000))
        given = retrier.ask(append(1, 1, 2), *others)
        assert {type(answer) for answer in given} == {StoreUnavailableError}
        assert retrier.fault(append(1, 1, 2)) in {Fault.FULL, Fault.BROKEN}
        assert retrier.states[-1] is not None
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    assert retrier.states[-1] is None


def test_a_disk_that_only_just_takes_a_page_is_still_full(path: Path) -> None:
    open_retrier(path).close()
    with files_limited_to(PROBE_BYTES - 4096), pytest.raises(StoreOpenError) as refusal:
        open_retrier(path)
    assert refusal.value.fault in {Fault.FULL, Fault.BROKEN}


@pytest.mark.usefixtures("retrier")
def test_a_store_does_not_open_what_is_locked(path: Path) -> None:
    with locked(path), pytest.raises(StoreOpenError) as refusal:
        open_retrier(path)
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
def test_harm_to_the_file_is_noticed_before_anything_is_acknowledged(
    path: Path, retrier: AskedRetrier, harm: Callable[[Path], None], faults: list[Fault]
) -> None:
    checkpoint(path)
    harm(path)
    for fault in faults:
        assert retrier.fault(append(1, 1, 2)) is fault
    assert retrier.states == faults


def checkpoint(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_store_that_comes_back_empty_says_so_by_conflicts(
    path: Path, retrier: AskedRetrier
) -> None:
    path.unlink()
    assert retrier.fault(append(1, 1, 2)) is Fault.MISSING
    absent = Commit(checks=(Check(KEY, 1),))
    assert retrier.ask(append(1, 1, 2), absent, begin(1, 2)) == [Conflict(KEY), Conflict(KEY), DONE]
    assert retrier.states == [Fault.MISSING, None]


def test_an_archive_reads_what_a_server_writes_and_says_when_it_is_gone(
    path: Path, retrier: AskedRetrier
) -> None:
    with closing(open_archive(path)) as archive:
        retrier.ask(append(1, 1, 2))
        assert log_of(archive) == entries(1, 2)
        assert body_of(archive) == "{}"
        path.unlink()
        with pytest.raises(StoreUnavailableError, match="does not exist"):
            perform(archive, Read())


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_a_log_that_alone_is_deleted_is_noticed_and_nothing_in_it_is_lost(
    path: Path, retrier: AskedRetrier, suffix: str
) -> None:
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    Path(f"{path}{suffix}").unlink()
    assert retrier.fault(append(2, 2, 3)) is Fault.MISSING
    assert retrier.ask(append(2, 2, 3)) == [DONE]
    assert retrier.states == [Fault.MISSING, None]
    with closing(open_archive(path)) as archive:
        assert log_of(archive) == entries(1, 2, 3)
