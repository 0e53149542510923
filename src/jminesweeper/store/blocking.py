"""Waiting for a store: for commands and tests, never for an event loop."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from queue import SimpleQueue
from typing import Any, Literal, TypeVar, overload

from jminesweeper.store.port import (
    Commit,
    Conflict,
    Found,
    Job,
    Operation,
    Read,
    Scan,
    Scanned,
    Store,
    StoreError,
)

T = TypeVar("T")


@overload
def perform(store: Store, operation: Commit) -> Literal[True] | Conflict: ...
@overload
def perform(store: Store, operation: Read) -> Found: ...
@overload
def perform(store: Store, operation: Scan) -> Scanned: ...
def perform(store: Store, operation: Operation) -> Any:
    """Carry out one operation and return its answer or raise its error."""
    (answer,) = perform_all(store, [operation])
    return answer


def perform_all(store: Store, operations: Sequence[Operation]) -> list[Any]:
    """Carry out operations as one batch; return their answers or raise the first error."""
    answers: SimpleQueue[Any] = SimpleQueue()
    store.submit([Job(operation, answers.put) for operation in operations])
    results = [answers.get() for _ in operations]
    for answer in results:
        if isinstance(answer, StoreError):
            raise answer
    return results


def run(store: Store, flow: Generator[Read | Commit | Callable[[], Any], Any, T]) -> T:
    """Carry out one operation after the other; an error is raised where it was asked for."""
    answer: object = None
    while True:
        try:
            operation = flow.throw(answer) if isinstance(answer, StoreError) else flow.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            answer = operation() if callable(operation) else perform(store, operation)
        except StoreError as error:
            answer = error
