"""Waiting for a store: for commands and tests, never for an event loop."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TypeVar

from jminesweeper.store.errors import StoreError
from jminesweeper.store.operations import Operation
from jminesweeper.store.ports import Store

T = TypeVar("T")


def perform(store: Store, operation: Operation[T]) -> T:
    """Carry out one operation and return its answer or raise its error."""
    future: Future[T | StoreError] = Future()
    store.submit(operation, future.set_result)
    answer = future.result()
    if isinstance(answer, StoreError):
        raise answer
    return answer
