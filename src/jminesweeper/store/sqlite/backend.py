"""The port on a SQLite file: a thread that writes and a thread that reads."""

from __future__ import annotations

from pathlib import Path
from typing import Self, TypeVar

from jminesweeper.store.operations import Operation
from jminesweeper.store.ports import Completion, Deliver, Watch, deliver_at_once, ignore_state
from jminesweeper.store.sqlite.reader import READS, Reader
from jminesweeper.store.sqlite.worker import Job, Worker
from jminesweeper.store.sqlite.writer import Writer

T = TypeVar("T")

LOCK_TIMEOUT_S = 1.0
RETRY_S = 1.0


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
        lock_timeout_s: float = LOCK_TIMEOUT_S,
        retry_s: float = RETRY_S,
    ) -> None:
        writer = Writer(path, deliver, watch, lock_timeout_s=lock_timeout_s, retry_s=retry_s)
        reader = Reader(path, lock_timeout_s=lock_timeout_s)
        self._writer = Worker("store-writer", writer, deliver)
        self._reader = Worker("store-reader", reader, deliver)

    def submit(self, operation: Operation[T], done: Completion[T]) -> None:
        worker = self._reader if type(operation) in READS else self._writer
        worker.submit(Job(operation, done))

    def close(self) -> None:
        self._reader.close()
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
