import pytest

from jminesweeper.store import FindPlayer, KnownPlayer, PutPlayer, PutSave, UnknownPlayerError
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory.backend import MemoryStore
from tests.contract.examples import ANN, GAME


def test_an_answer_is_returned() -> None:
    store = MemoryStore()
    perform(store, PutPlayer(ANN, "Ann", {}, 1))
    assert perform(store, FindPlayer(ANN)) == KnownPlayer(ANN, "Ann", {}, 1)
    assert perform(store, FindPlayer("nobody")) is None


def test_an_error_is_raised() -> None:
    with pytest.raises(UnknownPlayerError):
        perform(MemoryStore(), PutSave(ANN, "one", GAME, 1))
