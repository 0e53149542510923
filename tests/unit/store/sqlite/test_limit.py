"""A file that the operator limited."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.errors import StoreFullError
from jminesweeper.store.port import DONE, Commit, Importance, Put, deliver_at_once
from jminesweeper.store.room import Room
from tests.contract.examples import KEY, append, begin
from tests.unit.store.sqlite.conftest import Desk

LIMIT = 1 << 19


class Limited(Desk):
    """Counts how often it says that it is crowded."""

    def __init__(self, path: Path, limit_bytes: int = LIMIT) -> None:
        self.warnings = 0
        super().__init__(path, Room(deliver_at_once, self.warn), limit_bytes)

    def warn(self) -> None:
        self.warnings += 1

    def fill(self, importance: Importance) -> int:
        """Put documents until one is refused; return how many are there."""
        for number in range(10_000):
            put = Put(f"{importance}:{number}", "x" * 7_000)
            (answer,) = self.ask(Commit(1, puts=(put,), importance=importance))
            if isinstance(answer, StoreFullError):
                return number
            assert answer is DONE
        raise AssertionError("it is never full")


def move(at: int, importance: Importance) -> Commit:
    return append(at, at, at + 1)._replace(importance=importance)


def test_a_full_store_refuses_strangers_first_and_a_known_players_move_last(path: Path) -> None:
    with closing(Limited(path)) as desk:
        desk.ask(begin(1))
        assert desk.fill(Importance.LOW) > 30
        assert isinstance(desk.ask(move(1, Importance.LOW))[0], StoreFullError)
        assert desk.ask(move(1, Importance.NORMAL)) == [DONE]
        assert desk.fill(Importance.NORMAL) > 2
        assert isinstance(desk.ask(move(2, Importance.NORMAL))[0], StoreFullError)
        assert desk.ask(move(2, Importance.HIGH)) == [DONE]
        assert desk.fill(Importance.HIGH) > 2
        assert isinstance(desk.ask(move(3, Importance.HIGH))[0], StoreFullError)
        assert desk.warnings == 1
        assert path.stat().st_size <= LIMIT * 1.1
        assert desk.states == []


def test_what_is_deleted_makes_room_even_in_a_full_store(path: Path) -> None:
    with closing(Limited(path)) as desk:
        desk.ask(begin(1))
        count = desk.fill(Importance.HIGH)
        gone = tuple(Put(f"{Importance.HIGH}:{number}", None) for number in range(count))
        assert desk.ask(Commit(puts=gone)) == [DONE]
        assert desk.ask(move(1, Importance.LOW)) == [DONE]
        assert desk.fill(Importance.HIGH) == pytest.approx(count, rel=0.05)
        assert path.stat().st_size <= LIMIT * 1.1


def test_what_has_ended_is_deleted_piece_by_piece(path: Path) -> None:
    with closing(Limited(path, limit_bytes=1 << 22)) as desk:
        desk.ask(*(begin(1, key=f"game:{number:0150}", until_s=9) for number in range(1_000)))
        desk.ask(begin(1))
        desk._next_sweep_s = 0
        size = desk._file.size()
        for _ in range(11):
            assert desk.patience_s == 0
            desk.ask()
        assert desk.patience_s > 0
        assert desk._file.size() < size / 5
        assert desk.ask(append(1, 1, 2, key=KEY)) == [DONE]
