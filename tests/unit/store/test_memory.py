from collections.abc import Callable

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.ports import (
    Claim,
    Fault,
    FindPlayer,
    Greet,
    Player,
    PutSettings,
    StoreError,
    StoreUnavailableError,
)
from tests.contract.examples import ANN


def test_completions_go_where_deliver_takes_them() -> None:
    delivered: list[Callable[[], None]] = []
    answers: list[Player | StoreError] = []
    store = MemoryStore(deliver=delivered.append)
    store.submit(Greet(ANN, "Ann", 1), answers.append)
    assert answers == []
    delivered.pop()()
    assert answers == [Player(ANN, "Ann", {}, 1)]


def test_a_completion_may_ask_the_next_thing() -> None:
    store = MemoryStore()
    generations: list[object] = []
    store.submit(
        Greet(ANN, "Ann", 1), lambda _: store.submit(Claim(ANN, "first"), generations.append)
    )
    assert len(generations) == 1


def test_settings_that_the_caller_changes_later_stay_as_they_were_put() -> None:
    store = MemoryStore()
    perform(store, Greet(ANN, "Ann", 1))
    settings = {"palette": "default"}
    perform(store, PutSettings(ANN, settings))
    settings["palette"] = "other"
    player = perform(store, FindPlayer(ANN))
    assert player
    assert player.settings == {"palette": "default"}


def test_a_closed_store_answers_that_it_is_closed() -> None:
    store = MemoryStore()
    store.close()
    with pytest.raises(StoreUnavailableError) as refusal:
        perform(store, FindPlayer(ANN))
    assert refusal.value.fault is Fault.CLOSED
