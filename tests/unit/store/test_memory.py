from collections.abc import Callable

import pytest

from jminesweeper.store import (
    Enter,
    Entrance,
    Fault,
    FindPlayer,
    Job,
    PutPlayer,
    StoreUnavailableError,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory.backend import MemoryStore
from tests.contract.examples import ANN


def test_completions_go_where_deliver_takes_them_all_at_once() -> None:
    delivered: list[Callable[[], None]] = []
    answers: list[object] = []
    store = MemoryStore(deliver=delivered.append)
    store.submit(
        [Job(PutPlayer(ANN, "Ann", {}, 1), answers.append), Job(FindPlayer("x"), answers.append)]
    )
    assert answers == []
    (completions,) = delivered
    completions()
    assert answers == [None, None]


def test_a_completion_may_ask_the_next_thing() -> None:
    store = MemoryStore()
    entrances: list[object] = []
    next_job = Job(Enter(ANN, "", "first"), entrances.append)
    store.submit([Job(PutPlayer(ANN, "Ann", {}, 1), lambda _: store.submit([next_job]))])
    assert [type(entrance) for entrance in entrances] == [Entrance]


def test_settings_that_the_caller_changes_later_stay_as_they_were_put() -> None:
    store = MemoryStore()
    settings = {"palette": "default"}
    perform(store, PutPlayer(ANN, "Ann", settings, 1))
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
