"""The store's file: opening it, naming what is wrong with it, and noticing when it is replaced.

No descriptor of the file is opened here while SQLite may have it open: POSIX drops all locks that a
process has on a file when it closes any descriptor of that file, and another program would then
take the file for unused and remove the write-ahead log.

Servers tell each other nothing on a file, so the players of one would see what those of the other
do only with their next action: one server at a time has it (`sole_server`), until its process ends
in any way. Commands, and clients that play offline, need no such right.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from jminesweeper.store.port import Fault, StoreOpenError, StoreUnavailableError

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
APPLICATION_ID: Final = 0x4A4D5357
"""In the header of the file: "JMSW"."""
VERSION: Final = 5
PROBE_BYTES: Final = 1 << 16
"""A disk that does not take this much more is still full."""

_MAGIC: Final = b"SQLite format 3\0"
_PRIMARY_CODE: Final = 0xFF
_SQLITE_FAULTS: Final[Mapping[int, Fault]] = {
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
_SYSTEM_FAULTS: Final[Mapping[int, Fault]] = {
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
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    # FULL: a commit is on the disk before it is acknowledged, power cuts included.
    "PRAGMA synchronous = FULL",
    # On macOS a plain fsync leaves the data in the drive's cache.
    "PRAGMA fullfsync = ON",
    # A burst or a long reader must not leave a huge log file behind for good.
    "PRAGMA journal_size_limit = 16777216",
)
_TABLES: Final = (
    """
    CREATE TABLE document (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        until_s INTEGER NOT NULL,
        body TEXT NOT NULL
    )
    """,
    "CREATE INDEX document_by_end ON document (until_s) WHERE until_s > 0",
    # A row for each append, so that an append changes one page; one row when the document is put,
    # as a game ends or is set aside.
    """
    CREATE TABLE log (
        document INTEGER NOT NULL,
        at INTEGER NOT NULL,
        entries BLOB NOT NULL,
        PRIMARY KEY (document, at)
    ) WITHOUT ROWID
    """,
    """
    CREATE TRIGGER document_takes_its_log AFTER DELETE ON document BEGIN
        DELETE FROM log WHERE document = old.id;
    END
    """,
    """
    CREATE TABLE place (
        board TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (board, text)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE counter (
        name TEXT NOT NULL,
        field TEXT NOT NULL,
        amount INTEGER NOT NULL,
        PRIMARY KEY (name, field)
    ) WITHOUT ROWID
    """,
    # What is written and deleted again to find out whether the disk takes writes.
    "CREATE TABLE probe (padding BLOB NOT NULL)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn any error of an open file into the one that says why it cannot be used."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreUnavailableError(fault_of(error)) from error


def fault_of(error: sqlite3.Error | OSError) -> Fault:
    """Classify an error; an unknown one is the disk's."""
    if isinstance(error, OSError):
        return _SYSTEM_FAULTS.get(error.errno or 0, Fault.BROKEN)
    # Errors of the module itself, such as using a closed connection, carry no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return _SQLITE_FAULTS.get(code & _PRIMARY_CODE, Fault.BROKEN)


class StoreFile:
    """An open store; StoreOpenError says why it cannot be opened."""

    def __init__(self, path: Path, lock_timeout_s: float) -> None:
        self._path = path
        try:
            self._connection = _connect(path, lock_timeout_s)
            files = [
                (each, each.stat()) for each in (Path(f"{path}-wal"), Path(f"{path}-shm"), path)
            ]
        except (sqlite3.Error, OSError) as error:
            fault = fault_of(error)
            if fault is Fault.FOREIGN and path.read_bytes()[: len(_MAGIC)] == _MAGIC:
                # To SQLite a store that was cut short is no database.
                fault = Fault.DAMAGED
            raise StoreOpenError(str(path), fault) from error
        self._identities = {each: (status.st_dev, status.st_ino) for each, status in files}
        self._size = files[-1][1].st_size

    def connection(self) -> Connection:
        """Return the connection if the file and its log are still those that were opened.

        SQLite itself keeps writing into files that were deleted, and notices one that was cut
        short only when it reads the missing part: either would acknowledge what is lost.
        """
        size = 0
        for path, identity in self._identities.items():
            status = path.stat()
            if (status.st_dev, status.st_ino) != identity:
                raise StoreUnavailableError(Fault.MISSING)
            size = status.st_size
        # The last of them is the file itself.
        if size < self._size:
            raise StoreUnavailableError(Fault.DAMAGED)
        self._size = size
        return self._connection

    def size(self) -> int:
        """Return how many bytes of the file are used."""
        pages, free, page_bytes = (
            _pragma(self._connection, name)
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * page_bytes

    def close(self) -> None:
        try:
            self.connection()
        except (StoreUnavailableError, OSError):
            # SQLite leaves the write-ahead log of a moved file where it was: what takes the file's
            # place would be read, and overwritten, with the pages of another one. And where the
            # log alone was deleted, this saves what was acknowledged in it.
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()


def open_to_write(path: Path, lock_timeout_s: float) -> StoreFile:
    """Open a store for the user alone; create the file and its folder if there are none."""
    try:
        _create(path)
    except OSError as error:
        raise StoreOpenError(str(path), fault_of(error)) from error
    file = StoreFile(path, lock_timeout_s)
    try:
        with translated_errors():
            connection = file.connection()
            # That it can be opened does not prove that it takes writes.
            connection.execute("INSERT INTO probe VALUES (zeroblob(?))", (PROBE_BYTES,))
            connection.execute("DELETE FROM probe")
            # From here on the store itself does the waiting.
            connection.execute("PRAGMA busy_timeout = 0")
    except StoreUnavailableError as error:
        file.close()
        raise StoreOpenError(str(path), error.fault) from error
    return file


def _create(path: Path) -> None:
    """Create the file and its folders, unless they exist, such that a power cut spares them."""
    folders = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
        if os.name == "posix":  # Windows opens no folders.
            for made in (path, *folders):
                descriptor = os.open(made.parent, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)


def find_damage(path: Path) -> Iterator[str]:
    """List what SQLite finds wrong with the file, a sentence each."""
    with translated_errors(), closing(sqlite3.connect(path)) as connection:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                yield f"SQLite: {line}."


def _connect(path: Path, lock_timeout_s: float) -> Connection:
    path.stat()
    _identify_as_it_stands(path)
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=lock_timeout_s,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        _identify(connection, path)
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        if not _pragma(connection, "user_version"):
            connection.execute("BEGIN IMMEDIATE")
            # Another process may have been faster.
            if not _pragma(connection, "user_version"):
                for statement in _TABLES:
                    connection.execute(statement)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _identify_as_it_stands(path: Path) -> None:
    """Refuse a foreign file beside the log of a store, of which SQLite would take the pages."""
    file = sqlite3.connect(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    with closing(file) as connection:
        try:
            _identify(connection, path)
        except sqlite3.DatabaseError as error:
            # Without its log a store on a full disk may look cut short.
            if fault_of(error) is not Fault.DAMAGED:
                raise


def _identify(connection: Connection, path: Path) -> None:
    application_id = _pragma(connection, "application_id")
    if application_id != APPLICATION_ID:
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if application_id or tables:
            raise StoreOpenError(str(path), Fault.FOREIGN)
    elif (version := _pragma(connection, "user_version")) != VERSION:
        raise StoreOpenError(str(path), Fault.OLDER if version < VERSION else Fault.NEWER)


def _pragma(connection: Connection, name: str) -> int:
    value: int = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return value


@contextmanager
def sole_server(path: Path) -> Iterator[None]:
    """Hold the lock beside a store's file; StoreOpenError if another server has it."""
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        # It stays: deleting it could delete one that another server has just locked.
        descriptor = os.open(f"{path}-server", os.O_RDWR | os.O_CREAT, FILE_MODE)
    except OSError as error:
        raise StoreOpenError(str(path), fault_of(error)) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        is_taken = isinstance(error, BlockingIOError)
        raise StoreOpenError(str(path), Fault.SERVED if is_taken else fault_of(error)) from error
    try:
        yield
    finally:
        os.close(descriptor)
