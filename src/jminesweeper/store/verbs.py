"""Commits, reads and scans out of simpler steps, for backends that take them one at a time.

What is malformed, or too unimportant for the room that is left, is not admitted. What a refused
commit would have changed is as it was.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from jminesweeper.store.port import (
    DONE,
    ENTRY_BYTES,
    MAX_AMOUNT,
    MAX_BODY_CHARS,
    MAX_KEY_CHARS,
    MAX_LOG_BYTES,
    MAX_TEXT_CHARS,
    MAX_UNTIL_S,
    VERSION_BITS,
    Add,
    Append,
    Check,
    Commit,
    Conflict,
    Deliver,
    Document,
    Found,
    Importance,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Scanned,
    StoreError,
    StoreFullError,
    StoreLimitError,
    Tail,
    deliver_at_once,
)

USABLE: Final[Mapping[Importance, float]] = {
    Importance.LOW: 0.9,
    Importance.NORMAL: 0.95,
    Importance.HIGH: 1.0,
}
"""The part of the limit up to which commits of an importance are taken."""
CROWDED_S: Final = 1.0
"""Interval of warnings that the store is nearly full."""

OnCrowded: TypeAlias = Callable[[], None]


def ignore_crowd() -> None:
    """Watch nothing."""


class Admission:
    """Takes or refuses commits, by how full the store was when that was measured last."""

    def __init__(
        self, deliver: Deliver = deliver_at_once, on_crowded: OnCrowded = ignore_crowd
    ) -> None:
        self._deliver = deliver
        self._on_crowded = on_crowded
        self._used = 0.0
        self._next_warning_s = 0.0

    def measure(self, used_bytes: int, limit_bytes: int | None) -> None:
        """Note how full it is. Now and then say so: somebody may know what to delete."""
        self._used = used_bytes / limit_bytes if limit_bytes else 0.0
        if self._used >= USABLE[Importance.LOW] and time.monotonic() >= self._next_warning_s:
            self._next_warning_s = time.monotonic() + CROWDED_S
            self._deliver(self._on_crowded)

    def admit(self, commit: Commit) -> None:
        """Refuse what is malformed, or too unimportant for the room that is left.

        What would make others' commits of the same batch fail later is refused here, alone.
        """
        _, checks, puts, appends, places, adds, keeps, importance = commit
        for key, at, last, entries in appends:
            size = len(entries)
            if not size or size % ENTRY_BYTES or size + at * ENTRY_BYTES > MAX_LOG_BYTES:
                raise StoreLimitError(f"{size} bytes at {at} are not entries of a log.")
            if at < 0 or len(last) != (ENTRY_BYTES if at else 0):
                raise StoreLimitError(f"{len(last)} bytes are not the entry before {at}.")
            _check_text(key, MAX_KEY_CHARS)
        if checks or puts or places or adds or keeps or len(appends) != 1 or not appends[0].at:
            _check_all(commit)
        if self._used >= USABLE[importance]:
            deletes = all(put.body is None for put in puts) and all(gone for *_, gone in places)
            if appends or adds or not deletes:
                raise StoreFullError


def _check_all(commit: Commit) -> None:
    """Check what a plain append cannot violate."""
    version, checks, puts, appends, places, adds, keeps, _ = commit
    written = {put.key: put.body is not None for put in puts}
    for key, at, *_ in appends:
        is_there = bool(at) or any(check.version for check in checks if check.key == key)
        if not written.get(key, is_there):
            raise StoreLimitError(f"The log {key} has no document.")
    if len(written) < len(puts) or len({append.key for append in appends}) < len(appends):
        raise StoreLimitError("A commit changes nothing twice.")
    if not any(written.values()) <= version < 1 << VERSION_BITS:
        raise StoreLimitError(f"{version} is no version.")
    named: tuple[Check | Put | Place | Add | Keep, ...]
    named = (*checks, *puts, *places, *adds, *keeps)
    for change in named:
        _check_text(change[0], MAX_KEY_CHARS)
    for put in puts:
        _check_text(put.body or "", MAX_BODY_CHARS)
    for place in places:
        _check_text(place.text, MAX_TEXT_CHARS)
    for add in adds:
        _check_text(add.field, MAX_KEY_CHARS)
    kept: tuple[Put | Keep, ...] = (*puts, *keeps)
    if not all(0 <= each.until_s <= MAX_UNTIL_S for each in kept):
        raise StoreLimitError("The end time of a document is out of range.")
    if any(abs(add.amount) > MAX_AMOUNT for add in adds):
        raise StoreLimitError("A commit adds too much.")


def _check_text(text: str, limit: int) -> None:
    if len(text) > limit:
        raise StoreLimitError(f"{text[:MAX_KEY_CHARS]} is too long.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise StoreLimitError("A text has half a character.") from error


class Verbs(ABC):
    """Answers operations; a backend knows how one thing is found, and how one is changed."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission

    def answer(self, operation: Operation) -> Any:
        """Carry out an operation; an error is its answer, and concerns no other."""
        try:
            match operation:
                case Commit():
                    return self._commit(operation)
                case Read():
                    return Found(
                        [self._document(key) for key in operation.keys],
                        [self._tail(tail) for tail in operation.tails],
                        [self._part(part) for part in operation.parts],
                        [self._counter(name) for name in operation.counters],
                    )
                case Scan():
                    return self._scan(operation)
        except StoreError as error:
            return error

    def _commit(self, commit: Commit) -> Any:
        """Compare first, so that a commit that is refused has changed nothing."""
        self._admission.admit(commit)
        for key, version in commit.checks:
            if self._document(key).version != version:
                return Conflict(key)
        missing: list[Append] = []
        for append in commit.appends:
            since = self._tail(Tail(append.key, max(0, append.at - 1)))
            if since == append.last:
                missing.append(append)
            # The answer to this very commit may have been lost.
            elif since != append.last + append.entries:
                return Conflict(append.key, since)
        for put in commit.puts:
            self._put(put, commit.version)
        for append in missing:
            self._append(append)
        for place in commit.places:
            self._place(place)
        for add in commit.adds:
            self._add(add)
        for keep in commit.keeps:
            self._keep(keep)
        return DONE

    @abstractmethod
    def _document(self, key: str) -> Document: ...

    @abstractmethod
    def _tail(self, tail: Tail) -> bytes: ...

    @abstractmethod
    def _part(self, part: Part) -> Sequence[str]: ...

    @abstractmethod
    def _counter(self, name: str) -> Mapping[str, int]: ...

    @abstractmethod
    def _scan(self, scan: Scan) -> Scanned: ...

    @abstractmethod
    def _put(self, put: Put, version: int) -> None: ...

    @abstractmethod
    def _append(self, append: Append) -> None:
        """Add entries that continue a log, if its document has not ended meanwhile."""

    @abstractmethod
    def _place(self, place: Place) -> None: ...

    @abstractmethod
    def _add(self, add: Add) -> None: ...

    @abstractmethod
    def _keep(self, keep: Keep) -> None: ...
