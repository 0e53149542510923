"""Every backend, opened for one test."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

import pytest

from jminesweeper.store2.memory import MemoryStore
from jminesweeper.store2.port import Store

BACKENDS: Mapping[str, Callable[[pytest.FixtureRequest], Store]] = {
    "memory": lambda _: MemoryStore(),
}


@pytest.fixture(params=BACKENDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with closing(BACKENDS[request.param](request)) as opened:
        yield opened
