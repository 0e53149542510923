"""A store's file, and a bare connection to one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store import PutPlayer
from jminesweeper.store.sqlite.database import open_database
from jminesweeper.store.sqlite.writing import put_player
from tests.contract.examples import ANN, BOB


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that knows Ann and Bob."""
    with closing(open_database(path, lock_timeout_s=1, may_create=True)) as opened:
        put_player(opened, PutPlayer(ANN, "Ann", {}, 1))
        put_player(opened, PutPlayer(BOB, "Bob", {}, 2))
        yield opened
