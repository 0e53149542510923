"""A store's file, and a desk that tries again whenever it is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jminesweeper.store.admission import Admission
from jminesweeper.store.sqlite.file import open_to_write
from jminesweeper.store.sqlite.store import OpenFile
from tests.contract.examples import begin
from tests.unit.store.asking import AskedDesk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


def open_desk(
    path: Path,
    admission: Admission | None = None,
    limit_bytes: int | None = None,
    retry_s: float = 0,
) -> AskedDesk:
    """Open a desk without patience."""

    def open_file() -> OpenFile:
        return OpenFile(
            open_to_write(path, 0), admission or Admission(), limit_bytes, lock_timeout_s=0
        )

    return AskedDesk(open_file, retry_s)


@pytest.fixture
def desk(path: Path) -> Iterator[AskedDesk]:
    """Give a desk with one game."""
    with closing(open_desk(path)) as opened:
        opened.ask(begin(1))
        yield opened


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
