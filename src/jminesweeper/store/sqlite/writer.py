"""The one thread that writes: everything that waits becomes one transaction, one commit."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jminesweeper.store.errors import Fault, StoreError, StoreOpenError, StoreUnavailableError
from jminesweeper.store.operations import (
    Append,
    Claim,
    DropSave,
    Finish,
    Greet,
    Operation,
    PutRunning,
    PutSave,
    PutSettings,
    Record,
)
from jminesweeper.store.ports import Deliver, Watch
from jminesweeper.store.sqlite import records, running
from jminesweeper.store.sqlite.database import Database
from jminesweeper.store.sqlite.opening import translated_errors

WRITES: Mapping[type[Operation[Any]], Callable[[sqlite3.Connection, Any], Any]] = {
    Greet: running.greet,
    PutSettings: running.put_settings,
    Claim: running.claim,
    PutRunning: running.put_running,
    Append: running.append,
    PutSave: running.put_save,
    DropSave: running.drop_save,
    Record: records.record,
    Finish: records.finish,
}

PROBE_BYTES = 1 << 16
"""A disk that does not take this much more is still full."""


class Writer:
    """Commits what has gathered; while the file is unusable, refuses and tries again."""

    def __init__(
        self, path: Path, deliver: Deliver, watch: Watch, *, lock_timeout_s: float, retry_s: float
    ) -> None:
        self._database = Database(path, may_create=True)
        self._deliver = deliver
        self._watch = watch
        self._lock_timeout_s = lock_timeout_s
        self._retry_s = retry_s
        self._fault: Fault | None = None
        self._next_try_s = 0.0
        self._open(lock_timeout_s)

    @property
    def patience_s(self) -> float | None:
        return self._retry_s if self._fault else None

    def answer(self, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        """Commit all operations or none; what a write refuses concerns it alone."""
        if self._fault and time.monotonic() >= self._next_try_s:
            self._recover()
        if self._fault is None:
            try:
                return self._commit(operations)
            except StoreUnavailableError as error:
                self._suspend(error.fault)
                return [error] * len(operations)
        return [StoreUnavailableError(self._fault)] * len(operations)

    def close(self) -> None:
        self._database.close()

    def _commit(self, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        with translated_errors():
            connection = self._database.connection()
            connection.execute("BEGIN IMMEDIATE")
            answers = [_carry_out(connection, operation) for operation in operations]
            connection.execute("COMMIT")
        return answers

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
            with translated_errors():
                connection = self._database.connection()
                connection.execute(
                    "INSERT INTO probe (padding) VALUES (zeroblob(?))", (PROBE_BYTES,)
                )
                connection.execute("DELETE FROM probe")
                connection.execute(f"PRAGMA busy_timeout = {round(self._lock_timeout_s * 1000)}")
        except StoreUnavailableError as error:
            self._database.close()
            raise StoreOpenError(str(self._database.path), error.fault) from error

    def _report(self, fault: Fault | None) -> None:
        if fault is not self._fault:
            self._fault = fault
            self._deliver(partial(self._watch, fault))


def _carry_out(connection: sqlite3.Connection, operation: Operation[Any]) -> Any:
    try:
        return WRITES[type(operation)](connection, operation)
    except StoreError as error:
        return error
