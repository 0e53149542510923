"""The store's file: opening it, naming what is wrong with it, and noticing when it is replaced.

POSIX drops all locks that a process has on a file when it closes any descriptor of that file.
SQLite takes care of its own descriptors. If we close one, another program would take the file for
unused and remove the write-ahead log, into which this process keeps writing what it acknowledges.
So a descriptor opened here (`Hold`) stays open until this process has no connection to the file.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from jminesweeper.store import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.sqlite.migration import identify, migrate

FILE_MODE = 0o600
FOLDER_MODE = 0o700
RENAMING_TIMEOUT_S: Final = 2.0

_MAGIC = b"SQLite format 3\0"
_PRIMARY_CODE = 0xFF
_SQLITE_FAULTS: Mapping[int, Fault] = {
    sqlite3.SQLITE_FULL: Fault.FULL,
    sqlite3.SQLITE_BUSY: Fault.LOCKED,
    sqlite3.SQLITE_LOCKED: Fault.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Fault.LOCKED,
    sqlite3.SQLITE_CORRUPT: Fault.DAMAGED,
    sqlite3.SQLITE_NOTADB: Fault.FOREIGN,
    sqlite3.SQLITE_READONLY: Fault.FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: Fault.FORBIDDEN,
    sqlite3.SQLITE_PERM: Fault.FORBIDDEN,
    sqlite3.SQLITE_AUTH: Fault.FORBIDDEN,
}
_SYSTEM_FAULTS: Mapping[int, Fault] = {
    errno.ENOSPC: Fault.FULL,
    errno.EDQUOT: Fault.FULL,
    errno.ENOENT: Fault.MISSING,
    errno.EACCES: Fault.FORBIDDEN,
    errno.EPERM: Fault.FORBIDDEN,
    errno.EROFS: Fault.FORBIDDEN,
    errno.ENOTDIR: Fault.FORBIDDEN,
    errno.EISDIR: Fault.FORBIDDEN,
    errno.EEXIST: Fault.FORBIDDEN,
}
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    # FULL: a commit is on the disk before it is acknowledged, power cuts included.
    "PRAGMA synchronous = FULL",
    # On macOS a plain fsync leaves the data in the drive's cache.
    "PRAGMA fullfsync = ON",
    # A burst or a long reader must not leave a huge log file behind for good.
    "PRAGMA journal_size_limit = 16777216",
    "PRAGMA foreign_keys = OFF",
)

_Identity: TypeAlias = tuple[int, int]


def fault_of(error: sqlite3.Error | OSError) -> Fault:
    """Classify an error; an unknown one is the disk's."""
    if isinstance(error, OSError):
        return _SYSTEM_FAULTS.get(error.errno or 0, Fault.BROKEN)
    # Errors of the module itself, such as using a closed connection, carry no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return _SQLITE_FAULTS.get(code & _PRIMARY_CODE, Fault.BROKEN)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn any error of an open file into the one that says why it cannot be used."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailableError(fault_of(error)) from error


@dataclass(slots=True)
class _File:
    descriptors: list[int] = field(default_factory=list)
    holds: int = 0


# One for the whole process, as for the locks.
_FILES: Final[dict[_Identity, _File]] = {}
_LOCK: Final = Lock()


class Hold:
    """One user's part in an open file; the last one to release it closes it."""

    def __init__(self, path: Path, flags: int, mode: int = 0o600) -> None:
        with _LOCK:
            identity = _identity_of(path)
            if identity is None or identity not in _FILES:
                descriptor = os.open(path, flags, mode)
                status = os.fstat(descriptor)
                identity = status.st_dev, status.st_ino
                _FILES.setdefault(identity, _File()).descriptors.append(descriptor)
            self._file = _FILES[identity]
            self._file.holds += 1
        self._identity = identity
        self._is_released = False

    def start(self, length: int) -> bytes:
        """Read the first bytes of the file."""
        return os.pread(self._file.descriptors[0], length, 0)

    def release(self) -> None:
        with _LOCK:
            if self._is_released:
                return
            self._is_released = True
            self._file.holds -= 1
            if not self._file.holds:
                del _FILES[self._identity]
                for descriptor in self._file.descriptors:
                    os.close(descriptor)


def _identity_of(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class _Connection(sqlite3.Connection):
    """Releases its hold on the file when it is closed."""

    hold: Hold | None = None

    def close(self) -> None:
        super().close()
        if self.hold is not None:
            self.hold.release()


def open_database(path: Path, *, lock_timeout_s: float, may_create: bool) -> sqlite3.Connection:
    """Open the store in this file, created or migrated where needed, or say what is wrong."""
    try:
        return _open(path, lock_timeout_s, may_create=may_create)
    except (sqlite3.Error, OSError) as error:
        raise StoreOpenError(str(path), _distinguish(fault_of(error), path)) from error


def _open(path: Path, lock_timeout_s: float, *, may_create: bool) -> sqlite3.Connection:
    with ExitStack() as on_failure:
        hold = _hold_file(path, may_create=may_create)
        on_failure.callback(hold.release)
        # Read here: SQLite itself would take the start from a write-ahead log beside the file.
        if not _MAGIC.startswith(hold.start(len(_MAGIC))):
            raise StoreOpenError(str(path), Fault.FOREIGN)
        connection = _connect(path, lock_timeout_s)
        connection.hold = hold
        on_failure.pop_all()
    return connection


def _hold_file(path: Path, *, may_create: bool) -> Hold:
    """Check that the file can be written, and create what is missing for the user alone."""
    flags = os.O_RDWR
    if may_create:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        flags |= os.O_CREAT
    return Hold(path, flags, FILE_MODE)


def _connect(path: Path, lock_timeout_s: float) -> _Connection:
    connection = sqlite3.connect(
        path,
        timeout=lock_timeout_s,
        isolation_level=None,
        check_same_thread=False,
        factory=_Connection,
    )
    with ExitStack() as on_failure:
        on_failure.callback(connection.close)
        if fault := identify(connection):
            raise StoreOpenError(str(path), fault)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        migrate(connection)
        on_failure.pop_all()
    return connection


def _distinguish(fault: Fault, path: Path) -> Fault:
    """Distinguish a store that was cut short, no database to SQLite, from a foreign file."""
    if fault is not Fault.FOREIGN:
        return fault
    hold = Hold(path, os.O_RDONLY)
    try:
        return Fault.DAMAGED if hold.start(len(_MAGIC)) == _MAGIC else fault
    finally:
        hold.release()


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
        """Open again; close what was open before, as it may be another file by now."""
        self.close()
        self._connection = open_database(
            self.path, lock_timeout_s=lock_timeout_s, may_create=self._may_create
        )
        status = self.path.stat()
        self._identity = status.st_dev, status.st_ino
        self._size = status.st_size

    def connection(self) -> sqlite3.Connection:
        """Return the connection if the file is still the one that was opened.

        SQLite itself keeps writing into a file that was deleted, and notices one that was cut
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


def rename_player(path: Path, before: str, after: str) -> None:
    """Rename a player, whose key is sent in another form now.

    If the new ID is taken nothing happens: what two players did is never mixed.
    """
    with (
        closing(
            open_database(path, lock_timeout_s=RENAMING_TIMEOUT_S, may_create=False)
        ) as database,
        translated_errors(),
    ):
        database.execute("UPDATE OR IGNORE player SET key = ? WHERE key = ?", (after, before))
