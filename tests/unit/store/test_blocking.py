"""Copies between all pairs of stores, with commits that know no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from jminesweeper.store.blocking import (
    PAGE,
    Contents,
    copy_page,
    pages,
    perform,
    perform_all,
    strangers,
)
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import NO_END, Add, Commit, Keep, Place, Put, Scan, Store
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.contract.examples import append, begin
from tests.redis_process import RedisProcess

MANY = PAGE + 50
IN_2040_S = 2_208_988_800


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def open_one(
    opened: ExitStack, tmp_path: Path, empty_redis: RedisProcess
) -> Callable[[str, int], Store]:
    def make(kind: str, number: int) -> Store:
        store: MemoryStore | SqliteStore | RedisStore
        if kind == "memory":
            store = MemoryStore()
        elif kind == "sqlite":
            store = SqliteStore(tmp_path / f"{number}.sqlite3")
        else:
            store = RedisStore(f"{empty_redis.url}/{number}")
        return opened.enter_context(closing(store))

    return make


def fill(store: Store) -> None:
    perform_all(store, [begin(n, n + 1, key=f"game:{n}", version=n + 1) for n in range(MANY)])
    perform_all(store, [append(2, n + 1, 7, key=f"game:{n}") for n in range(0, MANY, 3)])
    perform(store, Commit(5, puts=(Put("player:ä⚑", "Ann", IN_2040_S),)))
    perform(store, Commit(places=tuple(Place(f"b{n % 3}", f"t{n}") for n in range(MANY))))
    perform(store, Commit(adds=(Add("total:x", "won", 3), Add("total:x", "lost", -2))))


def contents(store: Store) -> set[object]:
    """Everything, whatever pieces a backend scans it in."""
    found: set[object] = set()
    for commits in pages(store):
        for commit in commits:
            found |= {(commit.version, put) for put in commit.puts}
            found |= {*commit.appends, *commit.places, *commit.adds}
    return found


def copy(origin: Store, target: Store) -> tuple[str, int]:
    counted, unchanged = Contents(), 0
    for page in pages(origin):
        unchanged += copy_page(page, target)
        counted.add(page)
    return str(counted), unchanged


@pytest.mark.parametrize("target_kind", ["memory", "sqlite", "redis"])
@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"])
def test_a_copy_has_everything_and_is_made_once(
    open_one: Callable[[str, int], Store], kind: str, target_kind: str
) -> None:
    origin, target = open_one(kind, 1), open_one(target_kind, 2)
    fill(origin)
    told = f"{MANY + 1} documents ({MANY} game, 1 player), {MANY} places"
    assert copy(origin, target) == (told, 0)
    assert contents(target) == contents(origin)
    assert copy(origin, target) == (told, MANY + 1)
    assert contents(target) == contents(origin)
    assert list(strangers(origin, target)) == []


def test_a_copy_that_was_interrupted_continues() -> None:
    origin, target = MemoryStore(), MemoryStore()
    fill(origin)
    copy_page(perform(origin, Scan(limit=PAGE)).commits, target)
    # Half a log, another log, an older document, some of what was added.
    perform(origin, append(3, 7, 8, 9, key="game:0"))
    perform(target, Commit(puts=(Put("game:1", None),)))
    perform(target, begin(99, key="game:1"))
    perform(target, Commit(9, puts=(Put("game:2", "older"),)))
    perform(target, Commit(adds=(Add("total:x", "won", 1),)))
    assert copy(origin, target)[1] == PAGE - 3
    assert contents(target) == contents(origin)


def test_what_is_kept_for_good_meanwhile_is_so_in_a_copy_that_is_made_again() -> None:
    origin, target = MemoryStore(), MemoryStore()
    fill(origin)
    copy(origin, target)
    perform(origin, Commit(keeps=(Keep("player:ä⚑", NO_END),)))
    copy(origin, target)
    assert contents(target) == contents(origin)


@pytest.mark.parametrize(
    ("other", "named"),
    [(begin(1, key="game:other"), "game:other"), (Commit(places=(Place("b1", "other"),)), "b1")],
)
def test_what_only_the_target_has_is_named(other: Commit, named: str) -> None:
    origin, target = MemoryStore(), MemoryStore()
    fill(origin)
    copy(origin, target)
    perform(target, other)
    assert list(strangers(origin, target)) == [named]
