"""The port on plain dictionaries: the shortest description of what every store does."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from jminesweeper.store.backend import Admission, OnCrowded, Verbs, ignore_crowd
from jminesweeper.store.port import (
    ABSENT,
    ENTRY_BYTES,
    Add,
    Append,
    Commit,
    Deliver,
    Document,
    Fault,
    Job,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Scan,
    Scanned,
    StoreUnavailableError,
    Tail,
    deliver_at_once,
)

SWEEP_S: Final = 60.0
OVERHEAD_BYTES: Final = 300
"""The cost of a document beside its text."""


@dataclass(slots=True)
class Item:
    """A document with its log."""

    document: Document
    until_s: int
    log: bytearray = field(default_factory=bytearray)

    @property
    def size(self) -> int:
        return OVERHEAD_BYTES + len(self.document.body) + len(self.log)


class MemoryStore(Verbs):
    """A store that ends with its process."""

    def __init__(
        self,
        *,
        deliver: Deliver = deliver_at_once,
        limit_bytes: int | None = None,
        on_crowded: OnCrowded = ignore_crowd,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(Admission(deliver, on_crowded))
        self._deliver = deliver
        self._limit_bytes = limit_bytes
        self._now_s = now_s
        self._lock = Lock()
        self._is_open = True
        self._items: dict[str, Item] = {}
        self._boards: dict[str, list[str]] = {}
        self._counters: dict[str, dict[str, int]] = {}
        self._size = 0
        self._next_sweep_s = 0.0

    def submit(self, jobs: Sequence[Job]) -> None:
        with self._lock:
            answers = [self.answer(job.operation) for job in jobs]

        def hand_out() -> None:
            for job, answer in zip(jobs, answers, strict=True):
                job.done(answer)

        if jobs:
            self._deliver(hand_out)

    def close(self) -> None:
        self._is_open = False

    def answer(self, operation: Operation) -> Any:
        if not self._is_open:
            return StoreUnavailableError(Fault.CLOSED)
        return super().answer(operation)

    # Commit

    def _commit(self, commit: Commit) -> Any:
        self._sweep()
        self._admission.measure(self._size, self._limit_bytes)
        return super()._commit(commit)

    def _put(self, put: Put, version: int) -> None:
        item = self._find(put.key)
        if put.body is None:
            if item is not None:
                self._drop(put.key, item)
            return
        document = Document(version, put.body)
        if item is None:
            item = self._items[put.key] = Item(document, put.until_s)
            self._size += item.size
        else:
            self._size += len(put.body) - len(item.document.body)
            item.document, item.until_s = document, put.until_s

    def _append(self, append: Append) -> None:
        item = self._find(append.key)
        if item is not None:
            item.log += append.entries
            self._size += len(append.entries)

    def _place(self, place: Place) -> None:
        board, text, is_gone = place
        texts = self._boards.setdefault(board, [])
        at = bisect_left(texts, text)
        is_there = texts[at : at + 1] == [text]
        if is_gone and is_there:
            del texts[at]
            self._size -= len(text)
        elif not is_gone and not is_there:
            texts.insert(at, text)
            self._size += len(text)
        if not texts:
            del self._boards[board]

    def _add(self, add: Add) -> None:
        fields = self._counters.setdefault(add.counter, {})
        fields[add.field] = fields.get(add.field, 0) + add.amount

    def _keep(self, keep: Keep) -> None:
        if (item := self._find(keep.key)) is not None:
            item.until_s = keep.until_s

    def _find(self, key: str) -> Item | None:
        item = self._items.get(key)
        if item is not None and 0 < item.until_s <= self._now_s():
            self._drop(key, item)
            return None
        return item

    def _drop(self, key: str, item: Item) -> None:
        del self._items[key]
        self._size -= item.size

    def _sweep(self) -> None:
        """Delete, once a minute, what has ended and nobody asks for."""
        now_s = self._now_s()
        if now_s >= self._next_sweep_s:
            self._next_sweep_s = now_s + SWEEP_S
            for key in [*self._items]:
                self._find(key)

    # Read

    def _document(self, key: str) -> Document:
        item = self._find(key)
        return ABSENT if item is None else item.document

    def _tail(self, tail: Tail) -> bytes:
        item = self._find(tail.key)
        return b"" if item is None else bytes(item.log[ENTRY_BYTES * tail.start :])

    def _part(self, part: Part) -> Sequence[str]:
        texts = self._boards.get(part.board, [])
        if part.is_reversed:
            ordered = texts[: bisect_left(texts, part.after) if part.after else None][::-1]
        else:
            ordered = texts[bisect_right(texts, part.after) if part.after else 0 :]
        return ordered[part.skipped : part.skipped + part.limit]

    def _counter(self, name: str) -> Mapping[str, int]:
        return dict(self._counters.get(name, {}))

    # Scan

    def _scan(self, scan: Scan) -> Scanned:
        found: list[tuple[str, Commit]] = []
        for key in sorted(self._items):
            if (item := self._find(key)) is not None:
                version, body = item.document
                appends = (Append(key, 0, b"", bytes(item.log)),) if item.log else ()
                put = Put(key, body, item.until_s)
                found.append((f"1{key}", Commit(version, puts=(put,), appends=appends)))
        for board, texts in sorted(self._boards.items()):
            places = tuple(Place(board, text) for text in texts)
            found.append((f"2{board}", Commit(places=places)))
        for name, fields in sorted(self._counters.items()):
            adds = tuple(Add(name, each, amount) for each, amount in sorted(fields.items()))
            found.append((f"3{name}", Commit(adds=adds)))
        found = [piece for piece in found if piece[0] > scan.after]
        some = found[: scan.limit]
        return Scanned(
            [commit for _, commit in some], some[-1][0] if len(found) > len(some) else ""
        )
