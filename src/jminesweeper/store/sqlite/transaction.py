"""Commits, reads and scans inside one transaction.

All checks of a commit come first, so one that is refused has changed nothing and the transaction
continues without it. Plain appends to different logs are one statement, up to 64 of them: each
statement hands the interpreter's lock over and back, which costs more than the statement.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from sqlite3 import Connection
from typing import Any, Final, TypeAlias

from jminesweeper.store.errors import Fault, StoreError, StoreFullError, StoreUnavailableError
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    Add,
    Append,
    Commit,
    Conflict,
    Document,
    Found,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Scanned,
    check_commit,
)
from jminesweeper.store.room import Room

APPEND_SIZES: Final = (64, 16, 4, 1)
SWEPT_AT_ONCE: Final = 100
"""Bounds how long a batch waits for the deletion of what has ended."""

_Page: TypeAlias = tuple[Sequence[Commit], Sequence[Sequence[Any]]]
"""Commits that make anew what was found, and where each row of it is."""
_NEXT_TABLE: Final = {
    "document": '["place", "", ""]',
    "place": '["counter", "", ""]',
    "counter": "",
}
# With the plus no index can serve. Without it SQLite would compile each statement anew, for the
# time bound to it decides whether the index by end could: twice the time of an append.
_IS_KEPT: Final = "(+until_s = 0 OR +until_s > ?)"


class Transaction:
    """What is asked of a connection that has begun a transaction."""

    def __init__(self, connection: Connection, now_s: int, room: Room) -> None:
        self._execute = connection.execute
        self._now_s = now_s
        self._room = room

    def carry_out_all(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Carry out operations in order, consecutive plain appends to different logs together."""
        answers: list[Any] = []
        plain: dict[str, Append] = {}
        for operation in operations:
            append = self._plain_append(operation)
            if append is not None and append.key not in plain:
                plain[append.key] = append
                continue
            answers += self._append_all([*plain.values()])
            plain.clear()
            if append is not None:
                plain[append.key] = append
            else:
                answers.append(self._carry_out(operation))
        answers += self._append_all([*plain.values()])
        return answers

    def sweep(self) -> bool:
        """Delete some of the documents whose time has come; return whether none is left."""
        deleted = self._execute(
            """
            DELETE FROM document WHERE id IN (
                SELECT id FROM document WHERE until_s > 0 AND until_s <= ? LIMIT ?
            )
            """,
            (self._now_s, SWEPT_AT_ONCE),
        )
        return deleted.rowcount < SWEPT_AT_ONCE

    def _plain_append(self, operation: Operation) -> Append | None:
        """Return the append of a commit that is nothing else, and is sure to be well-formed."""
        if type(operation) is not Commit or len(operation.appends) != 1:
            return None
        _, checks, puts, appends, places, adds, keeps, _ = operation
        if checks or puts or places or adds or keeps or not appends[0].at:
            return None
        if not self._room.has_room_for(operation):
            return None
        try:
            check_commit(operation)
        except StoreError:
            return None
        return appends[0]

    def _carry_out(self, operation: Operation) -> Any:
        try:
            match operation:
                case Commit():
                    return self._commit(operation)
                case Read():
                    return self._read(operation)
                case Scan():
                    return self._scan(operation)
        except StoreError as error:
            return error
        except zlib.error:
            return StoreUnavailableError(Fault.DAMAGED)

    # Commit

    def _commit(self, commit: Commit) -> Any:
        check_commit(commit)
        if not self._room.has_room_for(commit):
            raise StoreFullError
        missing = self._compare(commit)
        if isinstance(missing, Conflict):
            return missing
        for put in commit.puts:
            self._put(put, commit.version)
        for key, at, _, entries in missing:
            self._execute(
                "INSERT INTO log SELECT id, ?, ? FROM document WHERE key = ?", (at, entries, key)
            )
        for board, text, is_gone in commit.places:
            self._execute(
                "DELETE FROM place WHERE board = ? AND text = ?"
                if is_gone
                else "INSERT OR IGNORE INTO place (board, text) VALUES (?, ?)",
                (board, text),
            )
        for add in commit.adds:
            self._execute(
                """
                INSERT INTO counter (name, field, amount) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET amount = amount + excluded.amount
                """,
                add,
            )
        for key, until_s in commit.keeps:
            self._execute(
                f"UPDATE document SET until_s = ? WHERE key = ? AND {_IS_KEPT}",
                (until_s, key, self._now_s),
            )
        return DONE

    def _compare(self, commit: Commit) -> Sequence[Append] | Conflict:
        """Compare a commit with what is there; return the appends whose entries are not yet."""
        for key, version in commit.checks:
            if self._document(key).version != version:
                return Conflict(key)
        missing = []
        for append in commit.appends:
            since = self._tail(append.key, max(0, append.at - 1))
            if since == append.last:
                missing.append(append)
            elif since != append.last + append.entries:
                return Conflict(append.key, since)
        return missing

    def _put(self, put: Put, version: int) -> None:
        key, body, until_s = put
        if body is None:
            self._execute("DELETE FROM document WHERE key = ?", (key,))
            return
        # What has ended is another document, whose log is not this one's.
        self._execute(f"DELETE FROM document WHERE key = ? AND NOT {_IS_KEPT}", (key, self._now_s))
        (row,) = self._execute(
            """
            INSERT INTO document (key, version, until_s, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE
            SET version = excluded.version, until_s = excluded.until_s, body = excluded.body
            RETURNING id
            """,
            (key, version, until_s, body),
        ).fetchall()
        self._pack_log(row)

    def _pack_log(self, document: tuple[int]) -> None:
        """Make one compressed row of all but the last, which the next append is compared with."""
        rows = self._execute(
            "SELECT at, entries FROM log WHERE document = ? ORDER BY at", document
        ).fetchall()[:-1]
        if rows:
            packed = zlib.compress(b"".join(entries for _, entries in rows))
            self._execute("INSERT INTO packed VALUES (?, ?, ?)", (*document, rows[0][0], packed))
            self._execute(
                "DELETE FROM log WHERE document = ? AND at <= ?", (*document, rows[-1][0])
            )

    def _append_all(self, appends: Sequence[Append]) -> Iterator[Any]:
        """Append to different logs, many by one statement; answer each."""
        done = 0
        for size in APPEND_SIZES:
            while len(appends) - done >= size:
                some = appends[done : done + size]
                done += size
                rows = *chain.from_iterable(some), self._now_s
                if self._execute(_append_statement(size), rows).rowcount == size:
                    yield from [DONE] * size
                else:
                    # At least one was refused; those that were stored are found as they were asked.
                    yield from (self._carry_out(Commit(appends=(append,))) for append in some)

    # Read

    def _read(self, asked: Read) -> Found:
        return Found(
            [self._document(key) for key in asked.keys],
            [self._tail(key, start) for key, start in asked.tails],
            [self._part(part) for part in asked.parts],
            [
                dict(self._execute("SELECT field, amount FROM counter WHERE name = ?", (name,)))
                for name in asked.counters
            ],
        )

    def _document(self, key: str) -> Document:
        row = self._execute(
            f"SELECT version, body FROM document WHERE key = ? AND {_IS_KEPT}", (key, self._now_s)
        ).fetchone()
        return Document(*row) if row else ABSENT

    def _tail(self, key: str, start: int) -> bytes:
        """Read the entries of a log from one on, beginning with the row that has it."""
        document = self._execute(
            f"SELECT id FROM document WHERE key = ? AND {_IS_KEPT}", (key, self._now_s)
        ).fetchone()
        if document is None:
            return b""
        rows = self._execute(
            """
            SELECT at, entries FROM log WHERE document = ?1
            AND at >= ifnull((SELECT max(at) FROM log WHERE document = ?1 AND at <= ?2), 0)
            ORDER BY at
            """,
            (*document, start),
        ).fetchall()
        if rows and rows[0][0] > start:
            packed = self._execute(
                "SELECT at, entries FROM packed WHERE document = ? ORDER BY at", document
            )
            rows = [(at, zlib.decompress(entries)) for at, entries in packed] + rows
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

    # Scan

    def _scan(self, asked: Scan) -> Scanned:
        """Go through one table after the other, in the order of its primary key."""
        table, *after = json.loads(asked.after) if asked.after else ("document", 0)
        match table:
            case "document":
                commits, rows = self._scan_documents(after, asked.limit)
            case "place":
                commits, rows = self._scan_places(after, asked.limit)
            case _:
                commits, rows = self._scan_counters(after, asked.limit)
        if len(rows) == asked.limit:
            return Scanned(commits, json.dumps([table, *rows[-1]]))
        return Scanned(commits, _NEXT_TABLE[table])

    def _scan_documents(self, after: Sequence[Any], limit: int) -> _Page:
        rows = self._execute(
            f"SELECT id, key, version, until_s, body FROM document "
            f"WHERE id > ? AND {_IS_KEPT} ORDER BY id LIMIT ?",
            (*after, self._now_s, limit),
        ).fetchall()
        commits = []
        for _, key, version, until_s, body in rows:
            log = self._tail(key, 0)
            appends = (Append(key, 0, b"", log),) if log else ()
            commits.append(Commit(version, puts=(Put(key, body, until_s),), appends=appends))
        return commits, [row[:1] for row in rows]

    def _scan_places(self, after: Sequence[Any], limit: int) -> _Page:
        rows = self._execute(
            "SELECT board, text FROM place WHERE (board, text) > (?, ?) "
            "ORDER BY board, text LIMIT ?",
            (*after, limit),
        ).fetchall()
        return [Commit(places=tuple(Place(*row) for row in rows))] if rows else [], rows

    def _scan_counters(self, after: Sequence[Any], limit: int) -> _Page:
        rows = self._execute(
            "SELECT name, field, amount FROM counter WHERE (name, field) > (?, ?) "
            "ORDER BY name, field LIMIT ?",
            (*after, limit),
        ).fetchall()
        commits = [Commit(adds=tuple(Add(*row) for row in rows))] if rows else []
        return commits, [row[:2] for row in rows]


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
