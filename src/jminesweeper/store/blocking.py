"""Waiting for a store: for commands and tests, never for an event loop."""

from __future__ import annotations

from queue import SimpleQueue
from typing import TypeVar

from jminesweeper.store import Job, Operation, Store, StoreError

T = TypeVar("T")


def perform(store: Store, operation: Operation[T]) -> T:
    """Carry out one operation and return its answer or raise its error."""
    answers: SimpleQueue[T | StoreError] = SimpleQueue()
    store.submit([Job(operation, answers.put)])
    answer = answers.get()
    if isinstance(answer, StoreError):
        raise answer
    return answer
