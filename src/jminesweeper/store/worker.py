"""A thread that serves the jobs in its queue, and opens the store again while that fails.

A submitter hands over a list of jobs with one put; the thread takes every list that waits, serves
their jobs as one batch, and delivers all answers of the batch in one call. Waking an event loop
costs more than an append, so nothing is passed one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Protocol, TypeAlias

from jminesweeper.store.port import (
    Deliver,
    Fault,
    Job,
    Operation,
    StoreOpenError,
    StoreUnavailableError,
    Watch,
    deliver_at_once,
)

Jobs: TypeAlias = Sequence[Job]

MAX_BATCH: Final = 1024
"""Bounds how long the first of a batch waits for the last."""


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
