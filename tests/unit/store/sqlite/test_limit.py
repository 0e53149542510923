"""A file that the operator limited."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.backend import Admission
from jminesweeper.store.port import DONE, Commit, Importance, Put, StoreFullError, deliver_at_once
from tests.contract.examples import KEY, append, begin
from tests.unit.store.asking import AskedRetrier
from tests.unit.store.sqlite.conftest import open_retrier

LIMIT = 1 << 19


def fill(retrier: AskedRetrier, importance: Importance) -> int:
    """Put documents until one is refused; return how many are there."""
    for number in range(10_000):
        put = Put(f"{importance}:{number}", "x" * 7_000)
        (answer,) = retrier.ask(Commit(1, puts=(put,), importance=importance))
        if isinstance(answer, StoreFullError):
            return number
        assert answer is DONE
    raise AssertionError("it is never full")


def move(at: int, importance: Importance) -> Commit:
    return append(at, at, at + 1)._replace(importance=importance)


def test_a_full_store_refuses_strangers_first_and_a_known_players_move_last(path: Path) -> None:
    warnings: list[None] = []
    admission = Admission(deliver_at_once, lambda: warnings.append(None))
    with closing(open_retrier(path, admission, LIMIT)) as retrier:
        retrier.ask(begin(1))
        assert fill(retrier, Importance.LOW) > 30
        assert isinstance(retrier.ask(move(1, Importance.LOW))[0], StoreFullError)
        assert retrier.ask(move(1, Importance.NORMAL)) == [DONE]
        assert fill(retrier, Importance.NORMAL) > 2
        assert isinstance(retrier.ask(move(2, Importance.NORMAL))[0], StoreFullError)
        assert retrier.ask(move(2, Importance.HIGH)) == [DONE]
        assert fill(retrier, Importance.HIGH) > 2
        assert isinstance(retrier.ask(move(3, Importance.HIGH))[0], StoreFullError)
        assert len(warnings) == 1
        assert path.stat().st_size <= LIMIT * 1.1
        assert retrier.states == []


def test_what_is_deleted_makes_room_even_in_a_full_store(path: Path) -> None:
    with closing(open_retrier(path, limit_bytes=LIMIT)) as retrier:
        retrier.ask(begin(1))
        count = fill(retrier, Importance.HIGH)
        gone = tuple(Put(f"{Importance.HIGH}:{number}", None) for number in range(count))
        assert retrier.ask(Commit(puts=gone)) == [DONE]
        assert retrier.ask(move(1, Importance.LOW)) == [DONE]
        assert fill(retrier, Importance.HIGH) == pytest.approx(count, rel=0.05)
        assert path.stat().st_size <= LIMIT * 1.1


def test_what_has_ended_is_deleted_piece_by_piece(path: Path) -> None:
    with closing(open_retrier(path)) as retrier:
        retrier.ask(*(begin(1, key=f"game:{number:0150}", until_s=9) for number in range(1_000)))
        retrier.ask(begin(1))
    with closing(open_retrier(path)) as retrier, closing(sqlite3.connect(path)) as other:
        for left in range(1_000, -1, -100):
            (count,) = other.execute("SELECT count(*) FROM document").fetchone()
            assert count == left + 1
            assert retrier.is_due
            retrier.ask()
        assert not retrier.is_due
        assert retrier.ask(append(1, 1, 2, key=KEY)) == [DONE]
