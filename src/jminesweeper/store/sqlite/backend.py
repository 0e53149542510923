"""The port on a SQLite file: a thread that writes, a thread that reads, and separate readers.

All operations pending for the writer become one transaction and one commit. While the file cannot
be used the writer refuses them, and retries every second. A file that another process is writing is
no fault: two servers on one file take turns, so the writer retries for some seconds, at random
intervals so that neither starves. The players wait for their answers.

The operator may limit the file. A batch for which there is no room drops the oldest finished games
of all players, those that are kept for good excepted, and is tried again. What is dropped makes
room in the file, which never shrinks. When nothing is left to drop the store is full.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final, Self, TypeAlias, TypeVar

from jminesweeper.store import (
    Append,
    Deliver,
    DropSave,
    Enter,
    Fault,
    Finish,
    Job,
    Note,
    Operation,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    Record,
    StoreError,
    StoreOpenError,
    StoreUnavailableError,
    TakeOffer,
    Watch,
    deliver_at_once,
    ignore_state,
)
from jminesweeper.store.sqlite import records, transfer, writing
from jminesweeper.store.sqlite.database import Database, translated_errors
from jminesweeper.store.sqlite.reading import READS, Reader
from jminesweeper.store.worker import Worker, complete

T = TypeVar("T")

LOCK_TIMEOUT_S: Final = 10.0
OPEN_TIMEOUT_S: Final = 3.0
"""An operator who starts a server on a locked file should learn it soon."""
RETRY_S: Final = 1.0
LONGEST_PAUSE_S: Final = 0.02
"""Between two tries for a lock: a commit takes a few milliseconds."""
PROBE_BYTES: Final = 1 << 16
"""A disk that does not take this much more is still full."""
DROPPED_SHARE: Final = 50
"""One of this many finished games is dropped at once, to make room for some time."""
FEWEST_DROPPED: Final = 100
MOST_DROPS: Final = 10
"""Tries for one batch: if it still does not fit, that is no reason to drop everything."""
BATCH_PAGES: Final = 1024
"""A file closer to its limit than this is full by the limit, otherwise by the disk."""

WRITES: Final[Mapping[type[Operation[Any]], Callable[[Connection, Any], Any]]] = {
    Enter: writing.enter,
    PutPlayer: writing.put_player,
    PutOffer: writing.put_offer,
    TakeOffer: writing.take_offer,
    PutRunning: writing.put_running,
    Append: writing.append,
    Note: writing.note,
    PutSave: writing.put_save,
    DropSave: writing.drop_save,
    Record: records.record,
    Finish: records.finish,
    **transfer.WRITES,
}


OnDrop: TypeAlias = Callable[[int], None]
"""Learns, through `Deliver`, how many finished games were dropped to make room."""


def ignore_drops(_games: int) -> None:
    """Watch nothing."""


class SqliteStore:
    """A store in the file at `path`, which is created; StoreOpenError says why it cannot be used.

    Answers are delivered once for each batch, in whatever way `deliver` chooses; by default in the
    store's own threads.
    """

    def __init__(
        self,
        path: Path,
        *,
        deliver: Deliver = deliver_at_once,
        watch: Watch = ignore_state,
        limit_bytes: int | None = None,
        on_drop: OnDrop = ignore_drops,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
        retry_s: float = RETRY_S,
    ) -> None:
        writer = Writer(
            path,
            deliver,
            watch,
            limit_bytes=limit_bytes,
            on_drop=on_drop,
            lock_timeout_s=lock_timeout_s,
            retry_s=retry_s,
        )
        reader = Reader(path, lock_timeout_s=lock_timeout_s)
        self._writer = Worker("store-writer", writer, deliver)
        self._reader = Worker("store-reader", reader, deliver)

    def submit(self, jobs: Sequence[Job[Any]]) -> None:
        reads = [job for job in jobs if type(job.operation) in READS]
        if reads:
            self._reader.submit(reads)
            jobs = [job for job in jobs if type(job.operation) not in READS]
        self._writer.submit(jobs)

    def close(self) -> None:
        self._reader.close()
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Archive:
    """The store in the file at `path`, read-only, in the caller's own thread.

    The file has to exist; StoreOpenError says why it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._reader = Reader(path, lock_timeout_s=LOCK_TIMEOUT_S)
        self._reader.open()

    def submit(self, jobs: Sequence[Job[Any]]) -> None:
        complete(deliver_at_once, jobs, self._reader.answer(jobs))

    def close(self) -> None:
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Writer:
    """Commits pending operations; while the file is unusable, refuses them and retries."""

    def __init__(
        self,
        path: Path,
        deliver: Deliver,
        watch: Watch,
        *,
        lock_timeout_s: float,
        retry_s: float,
        limit_bytes: int | None = None,
        on_drop: OnDrop = ignore_drops,
    ) -> None:
        self._database = Database(path, may_create=True)
        self._deliver = deliver
        self._watch = watch
        self._limit_bytes = limit_bytes
        self._on_drop = on_drop
        self._lock_timeout_s = lock_timeout_s
        self._retry_s = retry_s
        self._fault: Fault | None = None
        self._next_try_s = 0.0
        self._open(min(lock_timeout_s, OPEN_TIMEOUT_S))

    @property
    def patience_s(self) -> float | None:
        return self._retry_s if self._fault else None

    def answer(self, jobs: Sequence[Job[Any]]) -> Sequence[Any]:
        """Commit all operations or none; a refusal concerns the operation alone."""
        if self._fault and time.monotonic() >= self._next_try_s:
            self._recover()
        if self._fault is None:
            try:
                return self._make_room_for(lambda: self._commit(jobs))
            except StoreUnavailableError as error:
                self._suspend(error.fault)
                return [error] * len(jobs)
        return [StoreUnavailableError(self._fault)] * len(jobs)

    def close(self) -> None:
        self._database.close()

    def _commit(self, jobs: Sequence[Job[Any]]) -> Sequence[Any]:
        with translated_errors():
            connection = self._begin()
            answers = _carry_out_all(connection, jobs)
            connection.execute("COMMIT")
        return answers

    def _begin(self) -> Connection:
        """Begin a transaction, once the file is free or patience ends."""
        give_up_s = time.monotonic() + self._lock_timeout_s
        while True:
            connection = self._database.connection()
            try:
                with translated_errors():
                    connection.execute("BEGIN IMMEDIATE")
            except StoreUnavailableError as error:
                if error.fault is not Fault.LOCKED or time.monotonic() >= give_up_s:
                    raise
            else:
                return connection
            time.sleep(random.uniform(0, LONGEST_PAUSE_S))

    def _make_room_for(self, write: Callable[[], T]) -> T:
        """Write; if the file is at its limit, drop old games and write again."""
        for _ in range(MOST_DROPS):
            try:
                return write()
            except StoreUnavailableError as error:
                if self._limit_bytes is None or error.fault is not Fault.FULL:
                    raise
                with translated_errors():
                    dropped = self._drop_games()
                if not dropped:
                    raise
            self._deliver(partial(self._on_drop, dropped))
        return write()

    def _drop_games(self) -> int:
        connection = self._database.connection()
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (most_pages,) = connection.execute("PRAGMA max_page_count").fetchone()
        if pages < most_pages - BATCH_PAGES:
            return 0
        return records.drop_oldest(connection, DROPPED_SHARE, FEWEST_DROPPED)

    def _suspend(self, fault: Fault) -> None:
        self._next_try_s = time.monotonic() + self._retry_s
        self._database.close()
        self._report(fault)

    def _recover(self) -> None:
        try:
            # Without patience for locks: players wait for the refusal.
            self._open(lock_timeout_s=0)
        except StoreOpenError as error:
            self._suspend(error.fault)
        else:
            self._report(None)

    def _open(self, lock_timeout_s: float) -> None:
        """Open the file and find out whether it takes writes: an open page alone does not tell."""
        self._database.open(lock_timeout_s)
        try:
            self._make_room_for(self._probe)
        except StoreUnavailableError as error:
            self._database.close()
            raise StoreOpenError(str(self._database.path), error.fault) from error

    def _probe(self) -> None:
        with translated_errors():
            connection = self._database.connection()
            if self._limit_bytes is not None:
                (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
                connection.execute(f"PRAGMA max_page_count = {self._limit_bytes // page_bytes}")
            connection.execute("INSERT INTO probe (padding) VALUES (zeroblob(?))", (PROBE_BYTES,))
            connection.execute("DELETE FROM probe")
            # From here on `_begin` does the waiting.
            connection.execute("PRAGMA busy_timeout = 0")

    def _report(self, fault: Fault | None) -> None:
        if fault is not self._fault:
            self._fault = fault
            self._deliver(partial(self._watch, fault))


def _carry_out_all(connection: Connection, jobs: Sequence[Job[Any]]) -> Sequence[Any]:
    """Carry out operations in order, consecutive appends of different players together."""
    answers: list[Any] = []
    appends: dict[str, Append] = {}
    for operation, _ in jobs:
        if isinstance(operation, Append):
            if operation.player in appends:
                answers += writing.append_all(connection, [*appends.values()])
                appends = {}
            appends[operation.player] = operation
        else:
            answers += writing.append_all(connection, [*appends.values()])
            appends = {}
            answers.append(_carry_out(connection, operation))
    answers += writing.append_all(connection, [*appends.values()])
    return answers


def _carry_out(connection: Connection, operation: Operation[Any]) -> Any:
    try:
        return WRITES[type(operation)](connection, operation)
    except StoreError as error:
        return error
