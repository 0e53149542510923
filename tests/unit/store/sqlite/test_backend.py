import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import get_ident

import pytest

from jminesweeper.store import (
    Enter,
    Fault,
    FindGame,
    FindPlayer,
    Job,
    KnownPlayer,
    PutPlayer,
    PutRunning,
    Record,
    StoreOpenError,
    StoreUnavailableError,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore
from tests.contract.examples import ANN, GAME, WIN, append

WAIT_S = 60.0
ANNS = PutPlayer(ANN, "Ann", {}, 1)


def test_what_was_written_is_there_after_closing_and_opening(path: Path) -> None:
    with SqliteStore(path) as store:
        perform(store, PutPlayer(ANN, "Ann", {"a": "b"}, 1))
        perform(store, Enter(ANN, "", "first"))
        revision = perform(store, PutRunning(ANN, "first", GAME))
        perform(store, append(revision, 3))
        perform(store, Record(WIN))
    with SqliteStore(path) as store:
        assert perform(store, FindPlayer(ANN)) == KnownPlayer(ANN, "Ann", {"a": "b"}, 1)
        assert perform(store, FindGame("win1")) == WIN
        assert perform(store, Enter(ANN, "", "second")).revision == revision + 1


def test_two_processes_can_share_a_store(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as two:
        perform(one, PutRunning(ANN, "first", GAME))
        assert perform(two, Enter(ANN, "", "second")).game == GAME
        assert perform(two, append(1, 3, owner="second")) == 2
        assert perform(one, FindPlayer(ANN)) is not None


def test_what_is_read_and_what_is_written_may_be_submitted_together(path: Path) -> None:
    answers: SimpleQueue[tuple[str, object]] = SimpleQueue()
    with SqliteStore(path) as store:
        store.submit(
            [
                Job(FindPlayer("nobody"), lambda answer: answers.put(("read", answer))),
                Job(PutRunning(ANN, "first", GAME), lambda answer: answers.put(("put", answer))),
                Job(append(1, 3), lambda answer: answers.put(("append", answer))),
            ]
        )
        found = [answers.get(timeout=WAIT_S) for _ in range(3)]
    assert sorted(found, key=str) == [("append", 2), ("put", 1), ("read", None)]
    assert found.index(("put", 1)) < found.index(("append", 2))


def test_answers_reach_an_event_loop_in_its_own_thread(path: Path) -> None:
    async def enter() -> tuple[int, object]:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[tuple[int, object]] = loop.create_future()
        with SqliteStore(path, deliver=loop.call_soon_threadsafe) as store:
            store.submit([Job(ANNS, lambda answer: answered.set_result((get_ident(), answer)))])
            return await answered

    assert asyncio.run(enter()) == (get_ident(), None)


def test_a_store_tells_when_it_fails_and_when_it_is_back(path: Path) -> None:
    states: SimpleQueue[Fault | None] = SimpleQueue()
    with SqliteStore(path, watch=states.put, lock_timeout_s=0, retry_s=0.01) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailableError):
                perform(store, ANNS)
            assert states.get(timeout=WAIT_S) is Fault.LOCKED
            assert perform(store, FindPlayer(ANN)) is None
        assert states.get(timeout=WAIT_S) is None
        perform(store, ANNS)


def test_a_closed_store_refuses_everything(path: Path) -> None:
    store = SqliteStore(path)
    store.close()
    for operation in (ANNS, FindPlayer(ANN)):
        with pytest.raises(StoreUnavailableError) as refusal:
            perform(store, operation)
        assert refusal.value.fault is Fault.CLOSED


def test_a_store_that_cannot_be_opened_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StoreOpenError):
        SqliteStore(tmp_path)
    assert list(tmp_path.iterdir()) == []
