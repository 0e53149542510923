"""A thread that makes one transaction of all that waits.

While the file cannot be used everything is refused, and the file is tried again every second. A
file that another process is writing is no fault: servers on one file take turns, so the thread
tries again for some seconds, at random intervals so that neither starves, and the players wait.

The operator may limit the file. What is deleted makes room in it; the file itself never shrinks.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from jminesweeper.store.errors import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.port import (
    Commit,
    Deliver,
    Job,
    Operation,
    Watch,
    deliver_at_once,
    ignore_state,
)
from jminesweeper.store.room import OnCrowded, Room, ignore_crowd
from jminesweeper.store.sqlite.file import StoreFile, create, translated_errors
from jminesweeper.store.sqlite.transaction import Transaction
from jminesweeper.store.worker import Worker, complete

LOCK_TIMEOUT_S: Final = 10.0
OPEN_TIMEOUT_S: Final = 3.0
"""An operator who starts a server on a locked file should learn it soon."""
RETRY_S: Final = 1.0
SHORTEST_PAUSE_S: Final = 0.001
LONGEST_PAUSE_S: Final = 0.02
"""Between two tries for a lock: a commit takes a few milliseconds."""
SWEEP_S: Final = 60.0


class SqliteStore(Worker):
    """A store in the file at `path`, which is created; StoreOpenError says why it cannot be used.

    Answers are delivered once for each batch, in whatever way `deliver` chooses; by default in the
    store's own thread.
    """

    def __init__(
        self,
        path: Path,
        *,
        deliver: Deliver = deliver_at_once,
        watch: Watch = ignore_state,
        limit_bytes: int | None = None,
        on_crowded: OnCrowded = ignore_crowd,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
        retry_s: float = RETRY_S,
    ) -> None:
        desk = SqliteDesk(
            path,
            deliver,
            watch,
            room=Room(deliver, on_crowded),
            limit_bytes=limit_bytes,
            lock_timeout_s=lock_timeout_s,
            retry_s=retry_s,
        )
        super().__init__("store", desk, deliver)


class SqliteArchive:
    """The store in the file at `path`, which has to exist, for reading in the caller's thread."""

    def __init__(self, path: Path) -> None:
        self._file = StoreFile(path, OPEN_TIMEOUT_S)

    def submit(self, jobs: Sequence[Job]) -> None:
        answers: Sequence[Any]
        try:
            answers = transact(self._file, [job.operation for job in jobs], Room())
        except StoreUnavailableError as error:
            answers = [error] * len(jobs)
        complete(deliver_at_once, jobs, answers)

    def close(self) -> None:
        self._file.close()


class SqliteDesk:
    """Carries out batches; while the file is unusable, refuses them and tries again."""

    def __init__(
        self,
        path: Path,
        deliver: Deliver,
        watch: Watch,
        *,
        room: Room,
        limit_bytes: int | None,
        lock_timeout_s: float,
        retry_s: float,
    ) -> None:
        self._path = path
        self._deliver = deliver
        self._watch = watch
        self._room = room
        self._limit_bytes = limit_bytes
        self._lock_timeout_s = lock_timeout_s
        self._retry_s = retry_s
        self._fault: Fault | None = None
        self._next_try_s = 0.0
        self._next_sweep_s = 0.0
        self._file: StoreFile | None = self._open(min(lock_timeout_s, OPEN_TIMEOUT_S))

    @property
    def patience_s(self) -> float:
        if self._file is None:
            return self._retry_s
        return max(0.0, self._next_sweep_s - time.monotonic())

    def answer(self, jobs: Sequence[Job]) -> Sequence[Any]:
        """Carry out all operations or none; a refusal concerns the operation alone."""
        if self._file is None and time.monotonic() >= self._next_try_s:
            self._recover()
        if self._file is None:
            return [StoreUnavailableError(self._fault or Fault.CLOSED)] * len(jobs)
        try:
            return self._transact_in_turn(self._file, jobs)
        except StoreUnavailableError as error:
            self.close()
            self._suspend(error.fault)
            return [error] * len(jobs)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _transact_in_turn(self, file: StoreFile, jobs: Sequence[Job]) -> Sequence[Any]:
        """Carry out a batch once other processes leave the file, or until patience ends."""
        operations = [job.operation for job in jobs]
        give_up_s = time.monotonic() + self._lock_timeout_s
        pause_s = SHORTEST_PAUSE_S
        while True:
            try:
                if time.monotonic() >= self._next_sweep_s and has_to_write(operations):
                    self._sweep(file)
                return transact(file, operations, self._room, self._limit_bytes)
            except StoreUnavailableError as error:
                if error.fault is not Fault.LOCKED or time.monotonic() >= give_up_s:
                    raise
            time.sleep(random.uniform(0, pause_s))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _sweep(self, file: StoreFile) -> None:
        with begun(file, "BEGIN IMMEDIATE") as connection:
            is_swept = Transaction(connection, int(time.time()), self._room).sweep()
        self._next_sweep_s = time.monotonic() + (SWEEP_S if is_swept else 0)

    def _suspend(self, fault: Fault) -> None:
        self._next_try_s = time.monotonic() + self._retry_s
        self._report(fault)

    def _recover(self) -> None:
        try:
            # Without patience for locks: players wait for the refusal.
            self._file = self._open(0)
        except StoreOpenError as error:
            self._suspend(error.fault)
        else:
            self._report(None)

    def _open(self, lock_timeout_s: float) -> StoreFile:
        create(self._path)
        file = StoreFile(self._path, lock_timeout_s)
        try:
            file.probe()
        except StoreUnavailableError as error:
            file.close()
            raise StoreOpenError(str(self._path), error.fault) from error
        return file

    def _report(self, fault: Fault | None) -> None:
        if fault is not self._fault:
            self._fault = fault
            self._deliver(partial(self._watch, fault))


def has_to_write(operations: Sequence[Operation]) -> bool:
    """Whether a batch takes the file's lock; without operations there is time to delete."""
    return not operations or any(type(each) is Commit for each in operations)


def transact(
    file: StoreFile, operations: Sequence[Operation], room: Room, limit_bytes: int | None = None
) -> Sequence[Any]:
    """Carry out operations in one transaction."""
    is_writing = has_to_write(operations)
    with begun(file, "BEGIN IMMEDIATE" if is_writing else "BEGIN") as connection:
        if is_writing and limit_bytes:
            room.measure(file.size(), limit_bytes)
            room.warn()
        return Transaction(connection, int(time.time()), room).carry_out_all(operations)


@contextmanager
def begun(file: StoreFile, begin: str) -> Iterator[Connection]:
    """Begin a transaction that is committed at the end, and rolled back on failure."""
    with translated_errors():
        connection = file.connection()
        connection.execute(begin)
        try:
            yield connection
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
