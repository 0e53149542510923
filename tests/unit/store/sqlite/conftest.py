"""A store's file, and a retrier that tries again whenever it is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jminesweeper.store.backend import Admission
from jminesweeper.store.sqlite import OpenFile, open_to_write
from tests.contract.examples import begin
from tests.unit.store.asking import AskedRetrier


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


def open_retrier(
    path: Path,
    admission: Admission | None = None,
    limit_bytes: int | None = None,
    retry_s: float = 0,
) -> AskedRetrier:
    """Open a retrier without patience."""

    def open_file() -> OpenFile:
        return OpenFile(
            open_to_write(path, 0), admission or Admission(), limit_bytes, lock_timeout_s=0
        )

    return AskedRetrier(open_file, retry_s)


@pytest.fixture
def retrier(path: Path) -> Iterator[AskedRetrier]:
    """Give a retrier with one game."""
    with closing(open_retrier(path)) as opened:
        opened.ask(begin(1))
        yield opened


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
