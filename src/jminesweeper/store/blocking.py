"""Waiting for a store: for commands and tests, never for an event loop."""

from __future__ import annotations

from collections.abc import Sequence
from queue import SimpleQueue
from typing import TypeVar

from jminesweeper.store import Job, Operation, Store, StoreError

T = TypeVar("T")


def perform(store: Store, operation: Operation[T]) -> T:
    """Carry out one operation and return its answer or raise its error."""
    (answer,) = perform_all(store, [operation])
    return answer


def perform_all(store: Store, operations: Sequence[Operation[T]]) -> list[T]:
    """Carry out operations as one batch; return their answers or raise the first error."""
    answers: SimpleQueue[T | StoreError] = SimpleQueue()
    store.submit([Job(operation, answers.put) for operation in operations])
    results = []
    for answer in [answers.get() for _ in operations]:
        if isinstance(answer, StoreError):
            raise answer
        results.append(answer)
    return results
