"""The three backends give the same answers to anything, asked in any order."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.store.blocking import perform
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import (
    Add,
    Append,
    Check,
    Commit,
    Job,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Store,
    StoreError,
    Tail,
)
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.contract.examples import entries
from tests.redis_process import RedisProcess

KEYS: Final = ("a", "b", "ä⚑")
LONG_AGO_S, IN_A_YEAR_S = 1_000_000_000, int(time.time()) + 365 * 86_400
NUMBER: Final = count()

keys = st.sampled_from(KEYS)
versions = st.integers(0, 3)
ends = st.sampled_from([0, 0, 0, LONG_AGO_S, IN_A_YEAR_S])
# The entry at n is mostly n: then most appends fit what is there.
numbers = st.integers(0, 5)
oddities = st.sampled_from([0] * 8 + [100])


@st.composite
def appends(draw: st.DrawFn) -> Append:
    at, length, odd = draw(numbers), draw(st.integers(1, 3)), draw(oddities)
    last = entries(at - 1 + draw(oddities)) if at else b""
    return Append(draw(keys), at, last, entries(*range(at + odd, at + odd + length)))


texts = st.text(max_size=4)
puts = st.builds(Put, keys, st.none() | texts | texts, ends)
commits = st.builds(
    Commit,
    st.integers(1, 3),
    checks=st.lists(st.builds(Check, keys, versions), max_size=2).map(tuple),
    puts=st.lists(puts, max_size=2, unique_by=lambda put: put.key).map(tuple),
    appends=st.lists(appends(), max_size=2, unique_by=lambda append: append.key).map(tuple),
    places=st.lists(st.builds(Place, keys, texts, st.booleans()), max_size=3).map(tuple),
    adds=st.lists(st.builds(Add, keys, keys, st.integers(-9, 9)), max_size=2).map(tuple),
    keeps=st.lists(st.builds(Keep, keys, ends), max_size=1).map(tuple),
)
begins = st.builds(
    lambda key, version, length: Commit(
        version, puts=(Put(key, "x"),), appends=(Append(key, 0, b"", entries(*range(length))),)
    ),
    keys,
    st.integers(1, 3),
    st.integers(1, 4),
)
plain_appends = st.builds(lambda append: Commit(appends=(append,)), appends())
parts = st.builds(Part, keys, st.integers(0, 5), st.integers(0, 2), st.booleans(), texts)
reads = st.builds(
    Read,
    st.lists(keys, max_size=2).map(tuple),
    st.lists(st.builds(Tail, keys, numbers), max_size=2).map(tuple),
    st.lists(parts, max_size=2).map(tuple),
    st.lists(keys, max_size=1).map(tuple),
)
operations = st.one_of(begins, plain_appends, plain_appends, plain_appends, commits, reads)
batches = st.lists(st.lists(operations, min_size=1, max_size=8), min_size=1, max_size=6)


def answers_of(store: Store, batch: Sequence[Operation]) -> list[Any]:
    """Ask for all at once; an error is known by its kind."""
    given: list[Any] = []
    store.submit([Job(operation, given.append) for operation in batch])
    perform(store, Read())
    return [type(answer) if isinstance(answer, StoreError) else answer for answer in given]


def contents_of(store: Store) -> set[object]:
    """Everything there is, whatever pieces a backend scans it in."""
    found: set[object] = set()
    after, is_first = "", True
    while after or is_first:
        commits, after = perform(store, Scan(after, 3))
        is_first = False
        for commit in commits:
            found |= {(commit.version, put) for put in commit.puts}
            found |= {*commit.appends, *commit.places, *commit.adds}
    return found


@pytest.fixture(scope="module")
def redis_store(shared_redis: RedisProcess) -> Iterator[RedisStore]:
    shared_redis.client.flushall()
    with closing(RedisStore(shared_redis.url)) as store:
        yield store


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: nobody cuts the power here, and a disk is slow."""
    in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with TemporaryDirectory(dir=in_memory) as name:
        yield Path(name)


@given(batches)
def test_three_stores_answer_alike(
    redis_store: RedisStore,
    shared_redis: RedisProcess,
    folder: Path,
    batches: Sequence[Sequence[Operation]],
) -> None:
    shared_redis.client.flushall()
    path = folder / f"{next(NUMBER)}.sqlite3"
    with ExitStack() as opened:
        memory = opened.enter_context(closing(MemoryStore()))
        others = [opened.enter_context(closing(SqliteStore(path))), redis_store]
        for batch in batches:
            expected = answers_of(memory, batch)
            for other in others:
                assert answers_of(other, batch) == expected
        for other in others:
            assert contents_of(other) == contents_of(memory)
    for file in folder.iterdir():
        file.unlink()
