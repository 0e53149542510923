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
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final

from jminesweeper.store.admission import Admission, OnCrowded, ignore_crowd
from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.port import Deliver, Operation, Watch, deliver_at_once, ignore_state
from jminesweeper.store.sqlite.file import StoreFile, open_to_write, translated_errors
from jminesweeper.store.sqlite.transaction import Transaction
from jminesweeper.store.worker import Archive, Desk, Worker, has_to_write

LOCK_TIMEOUT_S: Final = 10.0
OPEN_TIMEOUT_S: Final = 3.0
"""An operator who starts a server on a locked file should learn it soon."""
RETRY_S: Final = 1.0
LONGEST_PAUSE_S: Final = 0.002
"""Between two tries for a lock: a commit takes a few milliseconds. Where pauses grew to 20 ms, one
wait in a hundred of four servers took 29 ms; now it takes 7."""
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
        # Later there is no patience for locks: players wait for the refusal.
        timeouts_s = chain([min(lock_timeout_s, OPEN_TIMEOUT_S)], repeat(0.0))
        admission = Admission(deliver, on_crowded)

        def open_file() -> OpenFile:
            file = open_to_write(path, next(timeouts_s))
            return OpenFile(file, admission, limit_bytes, lock_timeout_s)

        super().__init__("store", Desk(open_file, deliver, watch, retry_s), deliver)


def open_archive(path: Path) -> Archive:
    """Open the store in the file at `path`; StoreOpenError says why it cannot be read."""
    return Archive(OpenFile(StoreFile(path, OPEN_TIMEOUT_S), Admission()))


class OpenFile:
    """Makes a transaction of each batch."""

    def __init__(
        self,
        file: StoreFile,
        admission: Admission,
        limit_bytes: int | None = None,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        self._file = file
        self._admission = admission
        self._limit_bytes = limit_bytes
        self._lock_timeout_s = lock_timeout_s
        self._next_sweep_s = 0.0

    def close(self) -> None:
        self._file.close()

    @property
    def idle_s(self) -> float:
        return max(0.0, self._next_sweep_s - time.monotonic())

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Carry out a batch once other processes leave the file, or until patience ends."""
        give_up_s = time.monotonic() + self._lock_timeout_s
        while True:
            try:
                if time.monotonic() >= self._next_sweep_s and has_to_write(operations):
                    self._sweep()
                return self._transact(operations)
            except StoreUnavailableError as error:
                if error.fault is not Fault.LOCKED or time.monotonic() >= give_up_s:
                    raise
            time.sleep(random.uniform(0, LONGEST_PAUSE_S))

    def _sweep(self) -> None:
        with self._begun("BEGIN IMMEDIATE") as transaction:
            is_swept = transaction.sweep()
        self._next_sweep_s = time.monotonic() + (SWEEP_S if is_swept else 0)

    def _transact(self, operations: Sequence[Operation]) -> Sequence[Any]:
        is_writing = has_to_write(operations)
        with self._begun("BEGIN IMMEDIATE" if is_writing else "BEGIN") as transaction:
            if is_writing and self._limit_bytes:
                self._admission.measure(self._file.size(), self._limit_bytes)
            return transaction.carry_out_all(operations)

    @contextmanager
    def _begun(self, begin: str) -> Iterator[Transaction]:
        """Begin a transaction that is committed at the end, and rolled back on failure."""
        with translated_errors():
            connection = self._file.connection()
            connection.execute(begin)
            try:
                yield Transaction(connection, int(time.time()), self._admission)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
