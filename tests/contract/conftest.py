"""Every backend, opened for one test."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TypeVar

import pytest

from jminesweeper.store import Operation, PutPlayer, Store
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory.backend import MemoryStore
from jminesweeper.store.redis.backend import RedisStore
from jminesweeper.store.sqlite.backend import SqliteStore
from tests.contract.examples import ANN, BOB, Ask

T = TypeVar("T")

BACKENDS: Mapping[str, Callable[[pytest.FixtureRequest], Store]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda test: SqliteStore(test.getfixturevalue("tmp_path") / "games.sqlite3"),
    "redis": lambda test: RedisStore(test.getfixturevalue("empty_redis").url),
}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with closing(BACKENDS[request.param](request)) as opened:
        yield opened


@pytest.fixture
def ask(store: Store) -> Ask:
    """Ask a store that knows Ann and Bob."""

    def ask_and_wait(operation: Operation[T]) -> T:
        return perform(store, operation)

    ask_and_wait(PutPlayer(ANN, "Ann", {}, 1))
    ask_and_wait(PutPlayer(BOB, "Bob", {}, 2))
    return ask_and_wait
