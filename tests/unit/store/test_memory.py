from __future__ import annotations

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.memory import SWEEP_S, MemoryStore
from jminesweeper.store.port import (
    DONE,
    Commit,
    Importance,
    Place,
    Put,
    Read,
    Scan,
    StoreFullError,
    StoreUnavailableError,
)
from tests.contract.examples import append, begin, body_of


def test_a_store_that_fills_up_refuses_what_matters_least_first() -> None:
    store = MemoryStore(limit_bytes=40_000)
    perform(store, begin(1))
    refused_at: dict[Importance, int] = {}
    for number in range(200):
        for importance in Importance:
            put = Put(f"{importance}:{number}", "x" * 100)
            try:
                assert perform(store, Commit(1, puts=(put,), importance=importance)) is DONE
            except StoreFullError:
                refused_at.setdefault(importance, number)
    assert refused_at[Importance.LOW] < refused_at[Importance.NORMAL] < refused_at[Importance.HIGH]
    with pytest.raises(StoreFullError):
        perform(store, append(1, 1, 2)._replace(importance=Importance.HIGH))
    gone = tuple(Put(f"{importance}:{n}", None) for importance in Importance for n in range(200))
    assert perform(store, Commit(puts=gone, places=(Place("b", "t", is_gone=True),))) is DONE
    assert perform(store, append(1, 1, 2)._replace(importance=Importance.LOW)) is DONE


def test_what_has_ended_makes_room_though_nobody_asks_for_it() -> None:
    now_s = 1_000.0
    store = MemoryStore(limit_bytes=10_000, now_s=lambda: now_s)
    for number in range(20):
        perform(store, begin(1, key=f"game:{number}", until_s=1_500))
    now_s = 1_500 + SWEEP_S
    perform(store, Commit(1, puts=(Put("player:p", "x" * 9_000),), importance=Importance.HIGH))
    assert perform(store, Scan()).commits[0].puts[0].key == "player:p"
    assert len(perform(store, Scan()).commits) == 1


def test_a_closed_store_answers_that_it_is_closed() -> None:
    store = MemoryStore()
    assert body_of(store) == ""
    store.close()
    with pytest.raises(StoreUnavailableError, match="is closed"):
        perform(store, Read())
