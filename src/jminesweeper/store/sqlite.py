"""A store in a SQLite file: one thread makes one transaction of all that waits.

A transaction begins as a writer if anything in it writes, so that it never has to upgrade a lock.
Servers on one file take turns: a file that another process is writing is no fault, so the thread
tries again for some seconds, at random intervals so that neither starves, and the players wait.
While the file cannot be used everything is refused, and it is tried again every second.

Plain appends to different logs are one statement, up to 64 of them: each statement hands the
interpreter's lock over and back, which costs more than the statement.

The operator may limit the file. What is deleted makes room in it; the file itself never shrinks.

**The file** is opened by `StoreFile`, which names what is wrong with it and notices when it is
replaced. No descriptor of the file is opened here while SQLite may have it open: POSIX drops all
locks that a process has on a file when it closes any descriptor of that file, and another program
would then take the file for unused and remove the write-ahead log.

Servers tell each other nothing on a file, so the players of one would see what those of the other
do only with their next action: one server at a time has it (`sole_server`), until its process ends
in any way. Commands, and clients that play offline, need no such right.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import chain, repeat
from pathlib import Path
from sqlite3 import Connection
from typing import Any, Final

from jminesweeper.store.backend import (
    RETRY_S,
    Admission,
    Archive,
    OnCrowded,
    Retrier,
    Verbs,
    Worker,
    has_to_write,
    ignore_crowd,
)
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Append,
    Commit,
    Deliver,
    Document,
    Fault,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Scan,
    Scanned,
    StoreError,
    StoreOpenError,
    StoreUnavailableError,
    Tail,
    Watch,
    deliver_at_once,
    ignore_state,
)

LOCK_TIMEOUT_S: Final = 10.0
OPEN_TIMEOUT_S: Final = 3.0
"""An operator who starts a server on a locked file should learn it soon."""
LONGEST_PAUSE_S: Final = 0.002
"""Between two tries for a lock: a commit takes a few milliseconds. Where pauses grew to 20 ms, one
wait in a hundred of four servers took 29 ms; now it takes 7."""
SWEEP_S: Final = 60.0
APPEND_SIZES: Final = (64, 16, 4, 1)
SWEPT_AT_ONCE: Final = 100
"""Bounds how long a batch waits for the deletion of expired documents."""

# Each row begins with its primary key, in whose order a scan goes.
_SCANS: Final[Mapping[str, str]] = {
    "document": """
        SELECT id, key, version, until_s, body FROM document WHERE id > ? ORDER BY id LIMIT ?
    """,
    "place": """
        SELECT board, text FROM place WHERE (board, text) > (?, ?) ORDER BY board, text LIMIT ?
    """,
    "counter": """
        SELECT name, field, amount FROM counter WHERE (name, field) > (?, ?)
        ORDER BY name, field LIMIT ?
    """,
}
_FIRST: Final = '["document", 0]'
_NEXT: Final = {"document": '["place", "", ""]', "place": '["counter", "", ""]', "counter": ""}
# With the plus no index can serve. Without it SQLite would compile each statement anew, for the
# time bound to it decides whether the index by end could: twice the time of an append.
_IS_KEPT: Final = "(+until_s = 0 OR +until_s > ?)"


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

        super().__init__("store", Retrier(open_file, deliver, watch, retry_s), deliver)


def open_archive(path: Path) -> Archive:
    """Open the store in the file at `path`; StoreOpenError says why it cannot be read."""
    return Archive(OpenFile(StoreFile(path, OPEN_TIMEOUT_S), Admission()))


class OpenFile(Verbs):
    """An open file, and the transactions on it."""

    _execute: Callable[..., sqlite3.Cursor]
    """Executes a statement of the transaction that has begun."""

    def __init__(
        self,
        file: StoreFile,
        admission: Admission,
        limit_bytes: int | None = None,
        lock_timeout_s: float = LOCK_TIMEOUT_S,
    ) -> None:
        super().__init__(admission)
        self._file = file
        self._limit_bytes = limit_bytes
        self._lock_timeout_s = lock_timeout_s
        self.due_s = 0.0
        """Time of the next sweep, on the monotonic clock."""
        self._now_s = 0
        """The time of the transaction, since 1970."""

    def close(self) -> None:
        self._file.close()

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Answer a batch in one transaction, once other processes leave the file.

        It is answered in order, consecutive plain appends to different logs together.
        """
        give_up_s = time.monotonic() + self._lock_timeout_s
        is_writing = has_to_write(operations)
        while True:
            answers: list[Any] = []
            plain: dict[str, Append] = {}
            try:
                connection = self._file.connection()
                self._execute, self._now_s = connection.execute, int(time.time())
                connection.execute("BEGIN IMMEDIATE" if is_writing else "BEGIN")
                try:
                    if is_writing and time.monotonic() >= self.due_s:
                        self._sweep()
                    if is_writing and self._limit_bytes:
                        self._admission.measure(self._file.size(), self._limit_bytes)
                    for operation in operations:
                        append = None
                        if type(operation) is Commit:
                            append = self._plain_append(operation)
                        if plain and (append is None or append.key in plain):
                            answers += self._append_all([*plain.values()])
                            plain.clear()
                        if append is None:
                            answers.append(self.answer(operation))
                        else:
                            plain[append.key] = append
                    if plain:
                        answers += self._append_all([*plain.values()])
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
            except (sqlite3.Error, OSError) as error:
                fault = fault_of(error)
                if fault is not Fault.LOCKED or time.monotonic() >= give_up_s:
                    raise StoreUnavailableError(fault) from error
            else:
                return answers
            time.sleep(random.uniform(0, LONGEST_PAUSE_S))

    def _plain_append(self, commit: Commit) -> Append | None:
        """Return the append of a well-formed commit that is nothing else."""
        _, checks, puts, appends, places, adds, keeps, _ = commit
        if checks or puts or places or adds or keeps or len(appends) != 1 or not appends[0].at:
            return None
        try:
            self._admission.admit(commit)
        except StoreError:
            return None
        return appends[0]

    def _append_all(self, appends: Sequence[Append]) -> Sequence[Any]:
        """Append to different logs, many by one statement; answer each."""
        answers: list[Any] = []
        for size in APPEND_SIZES:
            while len(appends) - len(answers) >= size:
                some = appends[len(answers) : len(answers) + size]
                rows = *chain.from_iterable(some), self._now_s
                if self._execute(_append_statement(size), rows).rowcount == size:
                    answers += [DONE] * size
                else:
                    # At least one was refused; those that were stored are found as they were asked.
                    answers += [self.answer(Commit(appends=(append,))) for append in some]
        return answers

    def _sweep(self) -> None:
        """Delete some of the documents whose time has come, and come back soon for the rest."""
        deleted = self._execute(
            """
            DELETE FROM document WHERE id IN (
                SELECT id FROM document WHERE until_s > 0 AND until_s <= ? LIMIT ?
            )
            """,
            (self._now_s, SWEPT_AT_ONCE),
        )
        is_swept = deleted.rowcount < SWEPT_AT_ONCE
        self.due_s = time.monotonic() + (SWEEP_S if is_swept else 0)

    # Commit

    def _put(self, put: Put, version: int) -> None:
        key, body, until_s = put
        if body is None:
            self._execute("DELETE FROM document WHERE key = ?", (key,))
            return
        # What has ended is another document, whose log is not this one's.
        self._execute(f"DELETE FROM document WHERE key = ? AND NOT {_IS_KEPT}", (key, self._now_s))
        ((number, parts),) = self._execute(
            """
            INSERT INTO document (key, version, until_s, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE
            SET version = excluded.version, until_s = excluded.until_s, body = excluded.body
            RETURNING id, (SELECT count(*) FROM log WHERE log.document = document.id)
            """,
            (key, version, until_s, body),
        ).fetchall()
        # A document is put as a game begins, ends, or is set aside: its log becomes one row.
        if parts > 1:
            rows = self._execute(
                "SELECT entries FROM log WHERE document = ? ORDER BY at", (number,)
            ).fetchall()
            self._execute("DELETE FROM log WHERE document = ?", (number,))
            whole = b"".join(entries for (entries,) in rows)
            self._execute("INSERT INTO log VALUES (?, 0, ?)", (number, whole))

    def _append(self, append: Append) -> None:
        key, at, _, entries = append
        self._execute(
            "INSERT INTO log SELECT id, ?, ? FROM document WHERE key = ?", (at, entries, key)
        )

    def _place(self, place: Place) -> None:
        self._execute(
            "DELETE FROM place WHERE board = ? AND text = ?"
            if place.is_gone
            else "INSERT OR IGNORE INTO place (board, text) VALUES (?, ?)",
            place[:2],
        )

    def _add(self, add: Add) -> None:
        self._execute(
            """
            INSERT INTO counter (name, field, amount) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET amount = amount + excluded.amount
            """,
            add,
        )

    def _keep(self, keep: Keep) -> None:
        self._execute(
            f"UPDATE document SET until_s = ? WHERE key = ? AND {_IS_KEPT}",
            (keep.until_s, keep.key, self._now_s),
        )

    # Read

    def _document(self, key: str) -> Document:
        row = self._execute(
            f"SELECT version, body FROM document WHERE key = ? AND {_IS_KEPT}", (key, self._now_s)
        ).fetchone()
        return Document(*row) if row else ABSENT

    def _tail(self, tail: Tail) -> bytes:
        """Read the entries of a log from one on, beginning with the row that has it."""
        key, start = tail
        rows = self._execute(
            f"""
            SELECT at, entries FROM document JOIN log ON document = id
            WHERE key = ? AND {_IS_KEPT} AND at >= (
                SELECT max(former.at) FROM log AS former
                WHERE former.document = id AND former.at <= ?
            )
            ORDER BY at
            """,
            (key, self._now_s, start),
        ).fetchall()
        entries = b"".join(row[1] for row in rows)
        return entries[(start - rows[0][0]) * ENTRY_BYTES :] if rows else b""

    def _part(self, part: Part) -> Sequence[str]:
        comparison, order = ("<", "DESC") if part.is_reversed else (">", "ASC")
        after = f"AND text {comparison} ?4" if part.after else ""
        rows = self._execute(
            f"""
            SELECT text FROM place WHERE board = ?1 {after}
            ORDER BY text {order} LIMIT ?2 OFFSET ?3
            """,
            (part.board, part.limit, part.skipped, part.after)[: 4 if part.after else 3],
        )
        return [row[0] for row in rows]

    def _counter(self, name: str) -> Mapping[str, int]:
        return dict(self._execute("SELECT field, amount FROM counter WHERE name = ?", (name,)))

    # Scan

    def _scan(self, scan: Scan) -> Scanned:
        """Go through one table after the other."""
        table, *after = json.loads(scan.after or _FIRST)
        rows = self._execute(_SCANS[table], (*after, scan.limit)).fetchall()
        match table:
            case "document":
                commits = []
                for _, key, version, until_s, body in rows:
                    if until_s == NO_END or until_s > self._now_s:
                        log = self._tail(Tail(key))
                        appends = (Append(key, 0, b"", log),) if log else ()
                        puts = (Put(key, body, until_s),)
                        commits.append(Commit(version, puts=puts, appends=appends))
            case "place":
                commits = [Commit(places=tuple(Place(*row) for row in rows))] if rows else []
            case _:
                commits = [Commit(adds=tuple(Add(*row) for row in rows))] if rows else []
        if len(rows) == scan.limit:
            return Scanned(commits, json.dumps([table, *rows[-1][: len(after)]]))
        return Scanned(commits, _NEXT[table])


@cache
def _append_statement(size: int) -> str:
    """Write the whole check as one statement: the last row ends where an append goes on."""
    return f"""
        INSERT INTO log (document, at, entries)
        WITH given(key, at, last, entries) AS (VALUES {", ".join(["(?, ?, ?, ?)"] * size)})
        SELECT id, at, entries FROM given CROSS JOIN document ON document.key = given.key
        WHERE {_IS_KEPT} AND (
            SELECT former.at + length(former.entries) / {ENTRY_BYTES} = given.at
                AND substr(former.entries, -{ENTRY_BYTES}) = given.last
            FROM log AS former WHERE former.document = id ORDER BY former.at DESC LIMIT 1
        )
    """


# The file

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
