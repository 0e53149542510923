from pathlib import Path

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.errors import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.operations import FindPlayer, Greet, ReadTotals
from jminesweeper.store.sqlite import Archive, SqliteStore
from jminesweeper.store.values import Player
from tests.contract.examples import ANN


def test_an_archive_is_read_while_a_server_writes(path: Path) -> None:
    with SqliteStore(path) as store, Archive(path) as archive:
        assert archive.ask(FindPlayer(ANN)) is None
        perform(store, Greet(ANN, "Ann", 1))
        assert archive.ask(FindPlayer(ANN)) == Player(ANN, "Ann", {}, 1)


def test_an_archive_is_read_when_no_server_runs(path: Path) -> None:
    SqliteStore(path).close()
    with Archive(path) as archive:
        assert archive.ask(ReadTotals()) == ()


def test_an_archive_that_is_not_there_is_not_made(path: Path) -> None:
    with pytest.raises(StoreOpenError) as refusal:
        Archive(path)
    assert refusal.value.fault is Fault.MISSING
    assert not path.exists()


def test_an_archive_that_goes_away_says_so(path: Path) -> None:
    SqliteStore(path).close()
    with Archive(path) as archive:
        path.unlink()
        with pytest.raises(StoreUnavailableError):
            archive.ask(ReadTotals())
