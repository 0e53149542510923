import pytest

from jminesweeper.core import JMinesweeperError
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


def test_faults_can_be_told_apart() -> None:
    assert len({str(StoreUnavailableError(fault)) for fault in Fault}) == len(Fault)


def test_errors_carry_what_they_are_about() -> None:
    assert StoreOpenError("here", Fault.FULL).place == "here"
    assert StoreUnavailableError(Fault.LOCKED).fault is Fault.LOCKED
    assert RevisionError(7).given == 7
    assert TakenCodeError("abc").code == "abc"


def test_every_error_is_the_packages_own() -> None:
    for error in (FencedError(), UnknownPlayerError(), RevisionError(1), TakenCodeError("")):
        assert isinstance(error, StoreError)
        assert isinstance(error, JMinesweeperError)
