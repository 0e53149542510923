"""Commits, reads and scans out of simpler steps, for backends that take them one at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from jminesweeper.store.admission import Admission
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import (
    DONE,
    Add,
    Append,
    Commit,
    Conflict,
    Document,
    Found,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Scanned,
    Tail,
)


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
