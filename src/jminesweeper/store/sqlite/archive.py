"""Reading a store's file in the caller's own thread, beside the server that writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Self, TypeVar

from jminesweeper.store.errors import StoreError
from jminesweeper.store.operations import Operation
from jminesweeper.store.sqlite.reader import Reader

T = TypeVar("T")

LOCK_TIMEOUT_S = 1.0


class Archive:
    """What the file at `path` holds; it has to exist, StoreOpenError says why it cannot be read."""

    def __init__(self, path: Path) -> None:
        self._reader = Reader(path, lock_timeout_s=LOCK_TIMEOUT_S)
        self._reader.open()

    def ask(self, operation: Operation[T]) -> T:
        """Answer an operation that only reads."""
        answer: T | StoreError
        (answer,) = self._reader.answer([operation])
        if isinstance(answer, StoreError):
            raise answer
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._reader.close()
