"""Every backend, opened for one test."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import pytest

from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Store
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore

BACKENDS: Mapping[str, Callable[[pytest.FixtureRequest], Store]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda test: SqliteStore(test.getfixturevalue("tmp_path") / "store.sqlite3"),
    "redis": lambda test: RedisStore(test.getfixturevalue("empty_redis").url),
}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with closing(BACKENDS[request.param](request)) as opened:
        yield opened
