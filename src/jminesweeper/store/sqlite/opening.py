"""Opening the file, and telling in one word what is wrong with it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from jminesweeper.store.errors import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.sqlite.holding import Hold
from jminesweeper.store.sqlite.schema import identify, migrate

FILE_MODE = 0o600
FOLDER_MODE = 0o700

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


def fault_of(error: sqlite3.Error | OSError) -> Fault:
    """Classify what went wrong; what is not known is the disk's doing."""
    if isinstance(error, OSError):
        return _SYSTEM_FAULTS.get(error.errno or 0, Fault.BROKEN)
    # Errors of the module itself, such as using a closed connection, carry no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return _SQLITE_FAULTS.get(code & _PRIMARY_CODE, Fault.BROKEN)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Make what happens to an open file the one error that says why it cannot be used."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailableError(fault_of(error)) from error


class _Connection(sqlite3.Connection):
    """Lets go of the file when it is closed."""

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
        raise StoreOpenError(str(path), _told_apart(fault_of(error), path)) from error


def _open(path: Path, lock_timeout_s: float, *, may_create: bool) -> sqlite3.Connection:
    with ExitStack() as on_failure:
        hold = _hold_file(path, may_create=may_create)
        on_failure.callback(hold.release)
        # Looked at here, for SQLite itself takes the start from a write-ahead log beside the file.
        if not _MAGIC.startswith(hold.start(len(_MAGIC))):
            raise StoreOpenError(str(path), Fault.FOREIGN)
        connection = _connect(path, lock_timeout_s)
        connection.hold = hold
        on_failure.pop_all()
    return connection


def _hold_file(path: Path, *, may_create: bool) -> Hold:
    """See that the file can be written, and that what is created is the user's alone."""
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


def _told_apart(fault: Fault, path: Path) -> Fault:
    """Tell a store that was cut short, which SQLite takes for no database, from a foreign file."""
    if fault is not Fault.FOREIGN:
        return fault
    hold = Hold(path, os.O_RDONLY)
    try:
        return Fault.DAMAGED if hold.start(len(_MAGIC)) == _MAGIC else fault
    finally:
        hold.release()
