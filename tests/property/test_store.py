"""Whatever is asked in whatever order, a store that keeps answers as one in memory does."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from jminesweeper.core.setup import Setup
from jminesweeper.store import (
    Enter,
    Job,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    PutPlayer,
    PutRunning,
    ReadStatistics,
    ReadTotals,
    RunningGame,
    Store,
    StoreError,
    pack_entries,
    unpack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.memory.backend import MemoryStore
from jminesweeper.store.redis.backend import RedisStore
from jminesweeper.store.sqlite.backend import SqliteStore
from jminesweeper.store.sqlite.reading import READS
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
)
from tests.property.store_strategies import operations
from tests.redis_process import RedisProcess

# Durability is not what is tested here, and a disk in memory makes a hundred stores in a second.
MEMORY_DISK = "/dev/shm" if Path("/dev/shm").is_dir() else None
WAIT_S = 30.0

PREPARED: list[Operation[Any]] = [
    operation
    for player in ("ann", "bob")
    for operation in (
        PutPlayer(player, player, {}, 1),
        Enter(player, "", "first"),
        PutRunning(player, "first", RunningGame("own", Setup.of("expert", seed=1))),
    )
]
LOOK_AT_ALL: list[Operation[Any]] = [
    ReadTotals(),
    ListBoards(),
    *(
        operation
        for player in ("ann", "bob")
        for operation in (
            Enter(player, "", "last"),
            ListGames(player),
            ListSaves(player),
            ReadStatistics(player),
        )
    ),
]


def answers(store: Store, operations: Sequence[Operation[Any]]) -> list[object]:
    """Ask everything at once, so that the store may carry it out as one batch."""
    answered: SimpleQueue[object] = SimpleQueue()
    store.submit([Job(operation, answered.put) for operation in operations])
    return [comparable(answered.get(timeout=WAIT_S)) for _ in operations]


def comparable(answer: object) -> object:
    return (type(answer), str(answer)) if isinstance(answer, StoreError) else answer


def is_read(operation: Operation[Any]) -> bool:
    return type(operation) in READS


@contextmanager
def sqlite_opener() -> Iterator[Callable[[], Store]]:
    with TemporaryDirectory(dir=MEMORY_DISK) as folder:
        yield lambda: SqliteStore(Path(folder) / "games.sqlite3")


@contextmanager
def redis_opener(redis: RedisProcess) -> Iterator[Callable[[], Store]]:
    redis.client.flushall()
    yield lambda: RedisStore(redis.url)


def compare(
    open_store: Callable[[], Store], asked: Sequence[Operation[Any]], restart_after: int
) -> None:
    """Ask a store and one in memory the same; the store is closed and opened again meanwhile."""
    memory, kept = MemoryStore(), open_store()
    # A read overtakes writes that are still waiting: so it is asked after they are answered.
    runs = groupby([*PREPARED, *asked, *LOOK_AT_ALL], key=is_read)
    try:
        for number, (_, run) in enumerate(runs):
            if number == restart_after:
                kept.close()
                kept = open_store()
            batch = list(run)
            assert answers(kept, batch) == answers(memory, batch)
    finally:
        kept.close()


@given(st.lists(operations, max_size=40), st.integers(0, 20))
@example([], 0)
def test_a_store_on_the_disk_answers_as_one_in_memory(
    asked: list[Operation[Any]], restart_after: int
) -> None:
    with sqlite_opener() as open_store:
        compare(open_store, asked, restart_after)


@given(asked=st.lists(operations, max_size=40), restart_after=st.integers(0, 20))
@example(asked=[], restart_after=0)
def test_a_store_on_redis_answers_as_one_in_memory(
    shared_redis: RedisProcess, asked: list[Operation[Any]], restart_after: int
) -> None:
    with redis_opener(shared_redis) as open_store:
        compare(open_store, asked, restart_after)


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_entries_survive_being_packed(entries: list[int]) -> None:
    assert list(unpack_entries(pack_entries(entries))) == entries


@given(st.lists(operations, max_size=40))
def test_what_is_moved_through_every_store_comes_back_unchanged(
    shared_redis: RedisProcess, asked: list[Operation[Any]]
) -> None:
    first, last = MemoryStore(), MemoryStore()
    answers(first, [*PREPARED, *asked])
    with (
        sqlite_opener() as open_sqlite,
        redis_opener(shared_redis) as open_redis,
        closing(open_sqlite()) as sqlite,
        closing(open_redis()) as redis,
    ):
        move(first, sqlite)
        move(sqlite, redis)
        move(redis, last)
    assert everything(last) == everything(first)


def everything(store: Store) -> tuple[object, ...]:
    players = perform(store, ListPlayers())
    return (
        *(perform(store, ExportPlayer(player)) for player in players),
        perform(store, ExportTotals()),
        perform(store, ListBoards()),
    )


def move(source: Store, target: Store) -> None:
    for player in perform(source, ListPlayers()):
        data = perform(source, ExportPlayer(player))
        assert data is not None
        perform(target, ImportPlayer(data))
    perform(target, ImportTotals(perform(source, ExportTotals())))
