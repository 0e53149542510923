from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.errors import Fault, StoreUnavailableError
from jminesweeper.store.operations import FindPlayer, ReadTotals
from jminesweeper.store.sqlite.reader import Reader
from jminesweeper.store.values import Player
from tests.contract.examples import ANN


@pytest.fixture
def reader(path: Path) -> Iterator[Reader]:
    with closing(Reader(path, lock_timeout_s=0)) as made:
        yield made


def fault(reader: Reader) -> Fault:
    (answer,) = reader.answer([FindPlayer(ANN)])
    assert isinstance(answer, StoreUnavailableError)
    return answer.fault


@pytest.mark.usefixtures("connection")
def test_a_reader_sees_what_is_committed(reader: Reader) -> None:
    assert reader.answer([FindPlayer(ANN), ReadTotals()]) == [Player(ANN, "Ann", {}, 1), ()]
    assert reader.patience_s is None


def test_a_reader_creates_nothing(reader: Reader, path: Path) -> None:
    assert fault(reader) is Fault.MISSING
    assert not path.exists()


@pytest.mark.usefixtures("connection")
def test_a_reader_finds_its_file_again(reader: Reader, path: Path) -> None:
    reader.answer([FindPlayer(ANN)])
    away = path.rename(path.with_name("away"))
    assert fault(reader) is Fault.MISSING
    away.rename(path)
    assert reader.answer([FindPlayer(ANN)]) == [Player(ANN, "Ann", {}, 1)]
