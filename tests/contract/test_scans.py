from __future__ import annotations

import pytest

from jminesweeper.store.blocking import perform, perform_all
from jminesweeper.store.port import Add, Commit, Place, Put, Scan, Store
from tests.contract.examples import append, begin, entries


def everything(store: Store, limit: int) -> list[Commit]:
    found: list[Commit] = []
    after = ""
    while True:
        commits, after = perform(store, Scan(after, limit))
        found += commits
        if not after:
            return found


@pytest.mark.parametrize("limit", [1, 3, 1_000])
def test_a_scan_finds_everything_piece_by_piece(store: Store, limit: int) -> None:
    perform_all(store, [begin(n, n + 1, key=f"game:{n}", version=n + 1) for n in range(10)])
    perform_all(store, [append(2, n + 1, 99, key=f"game:{n}") for n in range(10)])
    perform(store, Commit(5, puts=(Put("player:p", "Ann", 2_000_000_000),)))
    perform(store, Commit(places=tuple(Place(f"b{n % 3}", f"t{n}") for n in range(9))))
    perform(store, Commit(adds=tuple(Add(f"c{n % 2}", f"f{n}", n) for n in range(4))))
    found = everything(store, limit)
    puts = {put: commit.version for commit in found for put in commit.puts}
    assert puts == {Put(f"game:{n}", "{}"): n + 1 for n in range(10)} | {
        Put("player:p", "Ann", 2_000_000_000): 5
    }
    assert {each.key: each.entries for commit in found for each in commit.appends} == {
        f"game:{n}": entries(n, n + 1, 99) for n in range(10)
    }
    assert {place for commit in found for place in commit.places} == {
        Place(f"b{n % 3}", f"t{n}") for n in range(9)
    }
    assert {add for commit in found for add in commit.adds} == {
        Add(f"c{n % 2}", f"f{n}", n) for n in range(4)
    }


def test_an_empty_store_has_nothing_to_scan(store: Store) -> None:
    assert everything(store, 10) == []
