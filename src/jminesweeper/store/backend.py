"""The parts that backends share: a thread that serves jobs, admission, and the three verbs.

The thread opens the store again while that fails. A submitter hands over a list of jobs with one
put; the thread takes every list that waits, serves their jobs as one batch, and delivers all
answers of the batch in one call. Waking an event loop costs more than an append, so nothing is
passed one by one.

`Verbs` carries out commits, reads and scans by simpler steps, for backends that take them one at a
time. What is malformed, or too unimportant for the room that is left, is not admitted. What a
refused commit would have changed is as it was.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Protocol, TypeAlias

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
    Fault,
    Found,
    Importance,
    Job,
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
    StoreOpenError,
    StoreUnavailableError,
    Tail,
    Watch,
    deliver_at_once,
)

Jobs: TypeAlias = Sequence[Job]

MAX_BATCH: Final = 1024
"""Bounds how long the first of a batch waits for the last."""
RETRY_S: Final = 1.0
"""Time between two tries to open a store again."""


class OpenStore(Protocol):
    """A file or a connection that is open. Used by one thread alone."""

    due_s: float
    """Time on the monotonic clock at which it gets an empty batch, if no jobs come: to tidy up."""

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Answer operations, one each, or raise why the store cannot be used.

        A refusal that concerns one operation alone is its answer.
        """

    def close(self) -> None:
        """Release everything."""


def has_to_write(operations: Sequence[Operation]) -> bool:
    """Return True if a batch changes something, or is empty: then it is for tidying up."""
    return not operations or Commit in map(type, operations)


class Retrier:
    """Opens a store and gives it batches; while it cannot be used, refuses and tries again."""

    def __init__(
        self, open_store: Callable[[], OpenStore], deliver: Deliver, watch: Watch, retry_s: float
    ) -> None:
        self._open = open_store
        self._deliver = deliver
        self._watch = watch
        self._retry_s = retry_s
        self._fault: Fault | None = None
        self._store = open_store()
        self.due_s = self._store.due_s
        """Time at which `answer` is called, even without jobs: to tidy up, or to try again."""

    def answer(self, jobs: Jobs) -> Sequence[Any]:
        """Answer jobs with results or errors, one each."""
        if self._fault is not None and time.monotonic() >= self.due_s:
            try:
                self._store = self._open()
            except StoreOpenError as error:
                self.due_s = time.monotonic() + self._retry_s
                self._report(error.fault)
            else:
                self._report(None)
        if self._fault is None:
            try:
                answers = self._store.carry_out([job.operation for job in jobs])
            except StoreUnavailableError as error:
                self._store.close()
                # The first try comes at once: often only the connection is lost.
                self.due_s = 0.0
                self._report(error.fault)
            else:
                self.due_s = self._store.due_s
                return answers
        return [StoreUnavailableError(self._fault or Fault.CLOSED)] * len(jobs)

    def close(self) -> None:
        self._store.close()

    def _report(self, fault: Fault | None) -> None:
        if fault is not self._fault:
            self._fault = fault
            self._deliver(partial(self._watch, fault))


class Archive:
    """A store that exists already, for reading in the caller's thread."""

    def __init__(self, store: OpenStore) -> None:
        self._store = store

    def submit(self, jobs: Jobs) -> None:
        answers: Sequence[Any]
        try:
            answers = self._store.carry_out([job.operation for job in jobs])
        except StoreUnavailableError as error:
            answers = [error] * len(jobs)
        hand_out(deliver_at_once, jobs, answers)

    def close(self) -> None:
        self._store.close()


class Worker:
    """One thread, one retrier, and a queue of the lists of jobs that wait."""

    def __init__(self, name: str, retrier: Retrier, deliver: Deliver) -> None:
        self._retrier = retrier
        self._deliver = deliver
        self._queue: SimpleQueue[Jobs | None] = SimpleQueue()
        """None after the last."""
        self._lock = Lock()
        self._is_open = True
        # A daemon: a program that forgets to close its store must not hang at its end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, jobs: Jobs) -> None:
        """Queue jobs, unless the worker is closed and nobody would serve them."""
        if not jobs:
            return
        with self._lock:
            if self._is_open:
                self._queue.put(jobs)
                return
        self._refuse(jobs)

    def close(self) -> None:
        """Serve what was submitted, then end."""
        self._close_queue()
        self._thread.join()

    def _run(self) -> None:
        try:
            while (jobs := self._next_batch(self._retrier.due_s)) is not None:
                try:
                    answers = self._retrier.answer(jobs)
                except BaseException:
                    # A bug ends the thread, and leaves nobody waiting.
                    self._refuse(jobs)
                    raise
                if jobs:
                    self._deliver(partial(hand_out, self._deliver, jobs, answers))
        finally:
            # Reached by a bug as well: waiting submitters get an error rather than no answer.
            self._close_queue()
            while jobs := self._next_batch(due_s=0.0):
                self._refuse(jobs)
            self._retrier.close()

    def _next_batch(self, due_s: float) -> Jobs | None:
        """Wait for jobs and return all there are; none once it is due, None at the end."""
        try:
            first = self._queue.get(timeout=max(0.0, due_s - time.monotonic()))
        except Empty:
            return []
        if first is None or self._queue.empty():
            return first
        jobs = list(first)
        while len(jobs) < MAX_BATCH and not self._queue.empty():
            more = self._queue.get_nowait()
            if more is None:
                self._queue.put(None)
                break
            jobs += more
        return jobs

    def _close_queue(self) -> None:
        with self._lock:
            self._is_open = False
            self._queue.put(None)

    def _refuse(self, jobs: Jobs) -> None:
        refusals = [StoreUnavailableError(Fault.CLOSED)] * len(jobs)
        self._deliver(partial(hand_out, self._deliver, jobs, refusals))


def hand_out(deliver: Deliver, jobs: Jobs, answers: Sequence[Any]) -> None:
    """Give each job of a batch its answer; delivered once for all of them."""
    done = 0
    try:
        for job, answer in zip(jobs, answers, strict=True):
            done += 1
            job.done(answer)
    finally:
        # One completion that fails must not leave the others of its batch without an answer.
        if done < len(jobs):
            deliver(partial(hand_out, deliver, jobs[done:], answers[done:]))


# Admission, and the verbs

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
