"""A file that the operator limited drops the oldest finished games, and nothing else."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store import (
    Enter,
    Fault,
    FindGame,
    FindSave,
    FinishedGame,
    Job,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadStatistics,
    Record,
    StoreOpenError,
    StoreUnavailableError,
    deliver_at_once,
)
from jminesweeper.store.sqlite.backend import PROBE_BYTES, Writer
from jminesweeper.store.sqlite.reading import Reader
from tests.contract.examples import ANN, EXPERT, GAME, MONDAY, append, loss, win
from tests.unit.store.sqlite.full_disk import files_limited_to

LIMIT = 1 << 19
LONG_LOG = bytes(8192)


class Limited:
    """A store in a small file, and what it has to say."""

    def __init__(self, path: Path, limit_bytes: int = LIMIT) -> None:
        self.states: list[Fault | None] = []
        self.drops: list[int] = []
        self.writer = Writer(
            path,
            deliver_at_once,
            self.states.append,
            lock_timeout_s=0,
            retry_s=0,
            limit_bytes=limit_bytes,
            on_drop=self.drops.append,
        )
        self.reader = Reader(path, lock_timeout_s=0)

    def write(self, *operations: Any) -> Sequence[Any]:
        return self.writer.answer([Job(operation, lambda _: None) for operation in operations])

    def read(self, operation: Any) -> Any:
        (answer,) = self.reader.answer([Job(operation, lambda _: None)])
        return answer

    def close(self) -> None:
        self.reader.close()
        self.writer.close()


def long_loss(number: int) -> FinishedGame:
    return loss(f"{number}", entries=LONG_LOG)


def test_the_oldest_games_go_and_play_continues(path: Path) -> None:
    daily = loss("daily", variant=replace(EXPERT, daily=MONDAY))
    with closing(Limited(path)) as store:
        store.write(PutPlayer(ANN, "Ann", {}, 1), PutSave(ANN, "one", GAME, 1))
        (revision,) = store.write(PutRunning(ANN, "first", GAME))
        store.write(Record(win("best")), Record(daily))
        for number in range(200):
            assert store.write(Record(long_loss(number))) == [None]
        assert store.write(append(revision, 3)) == [revision + 1]
        assert store.states == []
        assert sum(store.drops) > 100
        assert path.stat().st_size <= LIMIT
        assert store.read(FindGame("0")) is None
        assert store.read(FindGame("199")) == long_loss(199)
        assert store.read(FindGame("best")) == win("best")
        assert store.read(FindGame("daily")) == daily
        assert store.read(FindSave(ANN, "one")) == GAME
        assert store.read(ReadStatistics(ANN)).games_played == 202
        (entrance,) = store.write(Enter(ANN, "", "second"))
        assert entrance.revision == revision + 1


def test_a_file_that_is_full_of_what_is_kept_is_full(path: Path) -> None:
    with closing(Limited(path)) as store:
        store.write(PutPlayer(ANN, "Ann", {}, 1))
        huge = replace(GAME, entries=bytes(LIMIT))
        (answer,) = store.write(PutRunning(ANN, "first", huge))
        assert isinstance(answer, StoreUnavailableError)
        assert store.states == [Fault.FULL]
        assert store.write(PutRunning(ANN, "first", GAME)) == [1]
        assert store.states == [Fault.FULL, None]


def test_a_file_above_the_limit_grows_no_more(path: Path) -> None:
    with closing(Limited(path)) as store:
        store.write(PutPlayer(ANN, "Ann", {}, 1))
        store.write(*(Record(long_loss(number)) for number in range(40)))
    size = path.stat().st_size
    with closing(Limited(path, limit_bytes=size // 2)) as store:
        for number in range(40, 80):
            assert store.write(Record(long_loss(number))) == [None]
        assert store.drops
    assert path.stat().st_size <= size


def test_a_disk_that_is_full_below_the_limit_drops_nothing(path: Path) -> None:
    with closing(Limited(path, limit_bytes=1 << 30)) as store:
        store.write(PutPlayer(ANN, "Ann", {}, 1), Record(long_loss(0)))
        with files_limited_to(PROBE_BYTES):
            store.write(*(Record(long_loss(number)) for number in range(1, 99)))
            assert store.states[-1] is not None
        assert store.drops == []
        assert store.write(Record(long_loss(1))) == [None]
        assert store.read(FindGame("0")) == long_loss(0)


def test_a_limit_that_has_room_for_nothing_is_refused(path: Path) -> None:
    with pytest.raises(StoreOpenError) as refusal:
        Limited(path, limit_bytes=PROBE_BYTES)
    assert refusal.value.fault is Fault.FULL
