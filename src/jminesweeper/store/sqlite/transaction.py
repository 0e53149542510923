"""What is asked of the file, inside one transaction.

Plain appends to different logs are one statement, up to 64 of them: each statement hands the
interpreter's lock over and back, which costs more than the statement.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from sqlite3 import Connection
from typing import Any, Final

from jminesweeper.store.admission import Admission
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Append,
    Commit,
    Document,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Scan,
    Scanned,
    Tail,
)
from jminesweeper.store.verbs import Verbs

APPEND_SIZES: Final = (64, 16, 4, 1)
SWEPT_AT_ONCE: Final = 100
"""Bounds how long a batch waits for the deletion of what has ended."""

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


class Transaction(Verbs):
    """What is asked of a connection that has begun a transaction."""

    def __init__(self, connection: Connection, now_s: int, admission: Admission) -> None:
        super().__init__(admission)
        self._execute = connection.execute
        self._now_s = now_s

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
                answers.append(self.answer(operation))
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
        try:
            self._admission.admit(operation)
        except StoreError:
            return None
        return appends[0]

    # Commit

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
        self._join_log(row)

    def _join_log(self, document: tuple[int]) -> None:
        """Make one row of all: a document is put as a game begins, ends, or is set aside."""
        rows = self._execute(
            "SELECT entries FROM log WHERE document = ? ORDER BY at", document
        ).fetchall()
        if len(rows) > 1:
            self._execute("DELETE FROM log WHERE document = ?", document)
            joined = b"".join(entries for (entries,) in rows)
            self._execute("INSERT INTO log VALUES (?, 0, ?)", (*document, joined))

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
                    yield from (self.answer(Commit(appends=(append,))) for append in some)

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
                commits = [self._as_commit(*row[1:]) for row in rows if self._is_kept(row[3])]
            case "place":
                commits = [Commit(places=tuple(Place(*row) for row in rows))] if rows else []
            case _:
                commits = [Commit(adds=tuple(Add(*row) for row in rows))] if rows else []
        if len(rows) == scan.limit:
            return Scanned(commits, json.dumps([table, *rows[-1][: len(after)]]))
        return Scanned(commits, _NEXT[table])

    def _is_kept(self, until_s: int) -> bool:
        return until_s == NO_END or until_s > self._now_s

    def _as_commit(self, key: str, version: int, until_s: int, body: str) -> Commit:
        log = self._tail(Tail(key))
        appends = (Append(key, 0, b"", log),) if log else ()
        return Commit(version, puts=(Put(key, body, until_s),), appends=appends)


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
