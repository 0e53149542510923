"""Carrying a flow out, waiting for each answer: for commands and tests, never for an event loop."""

from __future__ import annotations

from typing import TypeVar

from jminesweeper.records.flows import Flow
from jminesweeper.store.blocking import perform
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import Store

T = TypeVar("T")


def run(store: Store, flow: Flow[T]) -> T:
    answer: object = None
    while True:
        try:
            operation = flow.throw(answer) if isinstance(answer, StoreError) else flow.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            answer = perform(store, operation)
        except StoreError as error:
            answer = error
