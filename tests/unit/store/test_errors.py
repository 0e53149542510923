import pytest

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.store import (
    Fault,
    FencedError,
    RevisionError,
    StoreError,
    StoreOpenError,
    StoreUnavailableError,
    TakenCodeError,
    UnknownPlayerError,
)


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_makes_one_sentence_that_names_the_place(fault: Fault) -> None:
    sentence = str(StoreOpenError("/var/games.sqlite3", fault))
    assert sentence.startswith("The store /var/games.sqlite3 ")
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_faults_can_be_distinguished() -> None:
    assert len({str(StoreUnavailableError(fault)) for fault in Fault}) == len(Fault)


def test_every_error_is_the_packages_own() -> None:
    for error in (FencedError(), UnknownPlayerError(), RevisionError(1), TakenCodeError("")):
        assert isinstance(error, StoreError)
        assert isinstance(error, JMinesweeperError)
