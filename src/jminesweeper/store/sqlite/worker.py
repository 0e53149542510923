"""A thread that serves operations from its inbox, all that wait at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import length_hint
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple, Protocol

from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.operations import Operation
from jminesweeper.store.ports import Completion, Deliver

MAX_BATCH = 1024
"""Bounds how long the first of a batch waits for the last."""


class Job(NamedTuple):
    """An operation and who waits for its answer."""

    operation: Operation[Any]
    done: Completion[Any]


class Desk(Protocol):
    """What a worker serves at; used by its thread alone."""

    @property
    def patience_s(self) -> float | None:
        """How long to wait for jobs before `answer` is called without any."""

    def answer(self, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        """Answer operations with results or errors, one each."""

    def close(self) -> None:
        """Let go of everything."""


class Worker:
    """One thread, one desk, one inbox."""

    def __init__(self, name: str, desk: Desk, deliver: Deliver) -> None:
        self._desk = desk
        self._deliver = deliver
        self._inbox = Inbox()
        # A daemon: a program that forgets to close its store must not hang at its end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        if not self._inbox.put(job):
            self._refuse([job])

    def close(self) -> None:
        """Serve what was submitted, then end."""
        self._inbox.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            while (jobs := self._inbox.take(self._desk.patience_s)) is not None:
                self._serve(jobs)
        finally:
            # Reached by a bug as well: then those who wait are told, not left waiting.
            self._inbox.close()
            while jobs := self._inbox.take(None):
                self._refuse(jobs)
            self._desk.close()

    def _serve(self, jobs: list[Job]) -> None:
        answers: Sequence[Any] = ()
        try:
            answers = self._desk.answer([job.operation for job in jobs])
        finally:
            complete(self._deliver, [(job.done, a) for job, a in zip(jobs, answers, strict=False)])
            self._refuse(jobs[len(answers) :])

    def _refuse(self, jobs: list[Job]) -> None:
        complete(self._deliver, [(job.done, StoreUnavailableError(Fault.CLOSED)) for job in jobs])


class Inbox:
    """A queue that many threads put into and one takes from, all that waits at once."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = Lock()
        self._is_open = True

    def put(self, job: Job) -> bool:
        """Add a job, unless the inbox is closed: then nobody would ever take it."""
        with self._lock:
            if self._is_open:
                self._queue.put(job)
            return self._is_open

    def close(self) -> None:
        with self._lock:
            self._is_open = False
            self._queue.put(None)

    def take(self, timeout_s: float | None) -> list[Job] | None:
        """Wait for jobs and take all there are; none after the time, None after the last."""
        try:
            first = self._queue.get(timeout=timeout_s)
        except Empty:
            return []
        return None if first is None else [first, *self._waiting()]

    def _waiting(self) -> Iterator[Job]:
        for _ in range(min(self._queue.qsize(), MAX_BATCH - 1)):
            job = self._queue.get_nowait()
            if job is None:
                self._queue.put(None)
                return
            yield job


def complete(deliver: Deliver, answered: Sequence[tuple[Completion[Any], Any]]) -> None:
    """Hand out the answers of a batch in one delivery: waking a loop costs more than an append."""
    if answered:
        deliver(partial(_hand_out, deliver, iter(answered)))


def _hand_out(deliver: Deliver, answered: Iterator[tuple[Completion[Any], Any]]) -> None:
    try:
        for done, answer in answered:
            done(answer)
    finally:
        # One completion that fails must not leave the others of its batch waiting for ever.
        if length_hint(answered):
            deliver(partial(_hand_out, deliver, answered))
