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
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from jminesweeper.store.errors import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.port import Commit, Deliver, Operation, Watch, deliver_at_once, ignore_state
from jminesweeper.store.room import OnCrowded, Room, ignore_crowd
from jminesweeper.store.sqlite.file import StoreFile, create, translated_errors
from jminesweeper.store.sqlite.transaction import Transaction
from jminesweeper.store.worker import Archive, Desk, Worker

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


class SqliteArchive(Archive):
    """The store in the file at `path`; StoreOpenError says why it cannot be read."""

    def __init__(self, path: Path) -> None:
        self._file = StoreFile(path, OPEN_TIMEOUT_S)

    def _carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        return transact(self._file, operations, Room())

    def close(self) -> None:
        self._file.close()


class SqliteDesk(Desk):
    """Makes a transaction of each batch."""

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
        self._room = room
        self._limit_bytes = limit_bytes
        self._lock_timeout_s = lock_timeout_s
        self._open_timeout_s = min(lock_timeout_s, OPEN_TIMEOUT_S)
        self._next_sweep_s = 0.0
        super().__init__(deliver, watch, retry_s)

    def close(self) -> None:
        self._file.close()

    def _open(self) -> None:
        create(self._path)
        self._file = StoreFile(self._path, self._open_timeout_s)
        try:
            self._file.probe()
        except StoreUnavailableError as error:
            self._file.close()
            raise StoreOpenError(str(self._path), error.fault) from error
        # Later there is no patience for locks: players wait for the refusal.
        self._open_timeout_s = 0

    def _idle_s(self) -> float:
        return max(0.0, self._next_sweep_s - time.monotonic())

    def _carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Carry out a batch once other processes leave the file, or until patience ends."""
        give_up_s = time.monotonic() + self._lock_timeout_s
        pause_s = SHORTEST_PAUSE_S
        while True:
            try:
                if time.monotonic() >= self._next_sweep_s and has_to_write(operations):
                    self._sweep()
                return transact(self._file, operations, self._room, self._limit_bytes)
            except StoreUnavailableError as error:
                if error.fault is not Fault.LOCKED or time.monotonic() >= give_up_s:
                    raise
            time.sleep(random.uniform(0, pause_s))
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _sweep(self) -> None:
        with begun(self._file, "BEGIN IMMEDIATE") as connection:
            is_swept = Transaction(connection, int(time.time()), self._room).sweep()
        self._next_sweep_s = time.monotonic() + (SWEEP_S if is_swept else 0)


def has_to_write(operations: Sequence[Operation]) -> bool:
    """Whether a batch takes the file's lock; without operations there is time to delete."""
    return not operations or any(type(each) is Commit for each in operations)


def transact(
    file: StoreFile, operations: Sequence[Operation], room: Room, limit_bytes: int | None = None
) -> Sequence[Any]:
    is_writing = has_to_write(operations)
    with begun(file, "BEGIN IMMEDIATE" if is_writing else "BEGIN") as connection:
        if is_writing and limit_bytes:
            room.measure(file.size(), limit_bytes)
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
