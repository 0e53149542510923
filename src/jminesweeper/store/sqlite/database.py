"""One connection to the store's file, and whether that file is still the one it was."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path

from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.sqlite.opening import open_database


class Database:
    """The store's file as one thread uses it."""

    def __init__(self, path: Path, *, may_create: bool) -> None:
        self.path = path
        self._may_create = may_create
        self._connection: sqlite3.Connection | None = None
        self._identity = (0, 0)
        self._size = 0

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def open(self, lock_timeout_s: float) -> None:
        """Open anew; what was open before is closed first, it may be another file by now."""
        self.close()
        self._connection = open_database(
            self.path, lock_timeout_s=lock_timeout_s, may_create=self._may_create
        )
        status = self.path.stat()
        self._identity = status.st_dev, status.st_ino
        self._size = status.st_size

    def connection(self) -> sqlite3.Connection:
        """Give the connection, provided that the file is still what was opened.

        SQLite itself goes on writing into a file that was deleted, and notices one that was cut
        short only when it reads the missing part: either would acknowledge what is lost.
        """
        if self._connection is None:
            raise StoreUnavailableError(Fault.CLOSED)
        status = self.path.stat()
        if (status.st_dev, status.st_ino) != self._identity:
            raise StoreUnavailableError(Fault.MISSING)
        if status.st_size < self._size:
            raise StoreUnavailableError(Fault.DAMAGED)
        self._size = status.st_size
        return self._connection

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if not self._is_in_place():
            # SQLite leaves the write-ahead log of a moved file where it was: what takes the file's
            # place would be read, and overwritten, with the pages of another one.
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def _is_in_place(self) -> bool:
        try:
            status = self.path.stat()
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._identity
