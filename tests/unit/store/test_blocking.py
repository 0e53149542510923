import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.ports import FindPlayer, Greet, Player, PutSettings, UnknownPlayerError
from tests.contract.examples import ANN


def test_an_answer_is_returned() -> None:
    store = MemoryStore()
    assert perform(store, Greet(ANN, "Ann", 1)) == Player(ANN, "Ann", {}, 1)
    assert perform(store, FindPlayer("nobody")) is None


def test_an_error_is_raised() -> None:
    with pytest.raises(UnknownPlayerError):
        perform(MemoryStore(), PutSettings(ANN, {}))
