"""A store's file, and a desk that tries again whenever it is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from jminesweeper.store.errors import Fault
from jminesweeper.store.port import Job, Operation, deliver_at_once
from jminesweeper.store.room import Room
from jminesweeper.store.sqlite.store import SqliteDesk
from tests.contract.examples import begin


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


class Desk(SqliteDesk):
    """Notes what it reports, and has no patience."""

    def __init__(
        self,
        path: Path,
        room: Room | None = None,
        limit_bytes: int | None = None,
        retry_s: float = 0,
    ) -> None:
        self.states: list[Fault | None] = []
        super().__init__(
            path,
            deliver_at_once,
            self.states.append,
            room=room or Room(),
            limit_bytes=limit_bytes,
            lock_timeout_s=0,
            retry_s=retry_s,
        )

    def ask(self, *operations: Operation) -> Sequence[Any]:
        return self.answer([Job(operation, lambda _: None) for operation in operations])

    def fault(self, operation: Operation) -> Fault:
        (answer,) = self.ask(operation)
        fault: Fault = answer.fault
        return fault


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    """Give a desk with one game."""
    with closing(Desk(path)) as opened:
        opened.ask(begin(1))
        yield opened


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
