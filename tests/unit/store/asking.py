"""A retrier that is asked without a thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from jminesweeper.store.backend import OpenStore, Retrier
from jminesweeper.store.port import Fault, Job, Operation, StoreUnavailableError, deliver_at_once


class AskedRetrier(Retrier):
    """Notes what it reports, and tries again whenever it is asked."""

    def __init__(self, open_backend: Callable[[], OpenStore], retry_s: float = 0) -> None:
        self.states: list[Fault | None] = []
        super().__init__(open_backend, deliver_at_once, self.states.append, retry_s)

    @property
    def is_due(self) -> bool:
        """True if a thread would ask it now, even without jobs."""
        return self.due_s <= time.monotonic()

    def ask(self, *operations: Operation) -> Sequence[Any]:
        return self.answer([Job(operation, lambda _: None) for operation in operations])

    def fault(self, operation: Operation) -> Fault:
        (answer,) = self.ask(operation)
        assert isinstance(answer, StoreUnavailableError), answer
        return answer.fault
