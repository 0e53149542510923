"""Whatever is asked in whatever order, a store on the disk answers as one in memory does."""

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from jminesweeper.core import Setup
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
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.sqlite import SqliteStore
from jminesweeper.store.sqlite.reading import READS
from tests.property.store_strategies import operations

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


@given(st.lists(operations, max_size=40), st.integers(0, 20))
@example([], 0)
def test_every_backend_answers_alike_and_the_disk_survives_a_restart(
    asked: list[Operation[Any]], restart_after: int
) -> None:
    with ExitStack() as stack:
        path = Path(stack.enter_context(TemporaryDirectory(dir=MEMORY_DISK))) / "games.sqlite3"
        memory, disk = MemoryStore(), stack.enter_context(SqliteStore(path))
        # A read overtakes writes that are still waiting: so it is asked after they are answered.
        runs = groupby([*PREPARED, *asked, *LOOK_AT_ALL], key=is_read)
        for number, (_, run) in enumerate(runs):
            if number == restart_after:
                disk.close()
                disk = stack.enter_context(SqliteStore(path))
            batch = list(run)
            assert answers(disk, batch) == answers(memory, batch)


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_entries_survive_being_packed(entries: list[int]) -> None:
    assert list(unpack_entries(pack_entries(entries))) == entries
