"""A thread that serves jobs from its inbox, all that wait at once.

A submitter hands over a list of jobs with one put; the thread takes every list that waits, serves
their jobs as one batch, and delivers all answers of the batch in one call. Waking an event loop
costs more than an append, so nothing is passed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import length_hint
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Protocol, TypeAlias

from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.port import Deliver, Job

Jobs: TypeAlias = Sequence[Job]

MAX_BATCH: Final = 1024
"""Bounds how long the first of a batch waits for the last."""


class Desk(Protocol):
    """What a worker serves at; used by its thread alone."""

    @property
    def patience_s(self) -> float | None:
        """How long to wait for jobs before `answer` is called without any."""

    def answer(self, jobs: Jobs) -> Sequence[Any]:
        """Answer jobs with results or errors, one each."""

    def close(self) -> None:
        """Release everything."""


class Worker:
    """One thread, one desk, one inbox."""

    def __init__(self, name: str, desk: Desk, deliver: Deliver) -> None:
        self._desk = desk
        self._deliver = deliver
        self._inbox = Inbox()
        # A daemon: a program that forgets to close its store must not hang at its end.
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, jobs: Jobs) -> None:
        if jobs and not self._inbox.put(jobs):
            self._refuse(jobs)

    def close(self) -> None:
        """Serve what was submitted, then end."""
        self._inbox.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            while (jobs := self._inbox.take(self._desk.patience_s)) is not None:
                self._serve(jobs)
        finally:
            # Reached by a bug as well: waiting submitters get an error rather than no answer.
            self._inbox.close()
            while jobs := self._inbox.take(None):
                self._refuse(jobs)
            self._desk.close()

    def _serve(self, jobs: Jobs) -> None:
        answers: Sequence[Any] = ()
        try:
            answers = self._desk.answer(jobs)
        finally:
            complete(self._deliver, jobs, answers)
            self._refuse(jobs[len(answers) :])

    def _refuse(self, jobs: Jobs) -> None:
        complete(self._deliver, jobs, [StoreUnavailableError(Fault.CLOSED)] * len(jobs))


class Inbox:
    """A queue of lists that many threads put into and one takes from, all that waits at once."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Jobs | None] = SimpleQueue()
        self._lock = Lock()
        self._is_open = True

    def put(self, jobs: Jobs) -> bool:
        """Add jobs, unless the inbox is closed and nobody would take them."""
        with self._lock:
            if self._is_open:
                self._queue.put(jobs)
            return self._is_open

    def close(self) -> None:
        with self._lock:
            self._is_open = False
            self._queue.put(None)

    def take(self, timeout_s: float | None) -> Jobs | None:
        """Wait for jobs and take all there are; none after the time, None after the last."""
        try:
            first = self._queue.get(timeout=timeout_s)
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


def complete(deliver: Deliver, jobs: Jobs, answers: Sequence[Any]) -> None:
    """Hand out the answers of a batch in one delivery."""
    answered = [(job.done, answer) for job, answer in zip(jobs, answers, strict=False)]
    if answered:
        deliver(partial(_hand_out, deliver, iter(answered)))


def _hand_out(deliver: Deliver, answered: Iterator[tuple[Callable[[Any], object], Any]]) -> None:
    try:
        for done, answer in answered:
            done(answer)
    finally:
        # One completion that fails must not leave the others of its batch without an answer.
        if length_hint(answered):
            deliver(partial(_hand_out, deliver, answered))
