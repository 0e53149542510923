"""The secret of a store, and the seeds of the days that follow from it."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

from jminesweeper.records.days import DaySeeds, commitment
from jminesweeper.records.keys import DAYS
from jminesweeper.store.blocking import copy_page, pages, perform, run
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Commit, Put, StoreUnavailableError

DAY = date(2026, 11, 20)


def seeds_on(store: MemoryStore, number: int = 1) -> DaySeeds:
    seeds = DaySeeds()
    run(store, seeds.learn(Random(number).getrandbits))
    return seeds


def test_all_servers_of_a_store_have_the_same_seeds_and_others_have_not() -> None:
    store = MemoryStore()
    seeds = [seeds_on(store, 1).of(DAY), seeds_on(store, 2).of(DAY)]
    assert seeds[0] == seeds[1] != seeds_on(MemoryStore(), 3).of(DAY)


def test_of_two_servers_that_come_at_once_the_first_decides() -> None:
    store, late = MemoryStore(), DaySeeds()
    learning = late.learn(Random(1).getrandbits)
    absent = perform(store, next(learning))
    first = seeds_on(store, 2)
    commit = learning.send(absent)
    refused = perform(store, commit)
    with pytest.raises(StopIteration):
        learning.send(perform(store, learning.send(refused)))
    assert late.of(DAY) == first.of(DAY)


def test_without_a_secret_there_is_no_seed() -> None:
    assert DaySeeds().of(DAY) is None


def test_every_day_has_another_seed_and_another_hash() -> None:
    seeds = [DaySeeds(b"secret").of(date(2026, 11, day)) or b"" for day in range(1, 31)]
    assert len({*seeds}) == len({*map(commitment, seeds)}) == 30


def test_a_store_that_came_back_empty_gets_the_secret_of_who_plays_on() -> None:
    seeds, empty = seeds_on(MemoryStore()), MemoryStore()
    before = seeds.of(DAY)
    run(empty, seeds.learn(Random(5).getrandbits))
    assert seeds.of(DAY) == before == seeds_on(empty, 6).of(DAY)


def test_a_copy_of_a_store_has_its_secret() -> None:
    origin, copy = MemoryStore(), MemoryStore()
    seeds = seeds_on(origin)
    for commits in pages(origin):
        copy_page(commits, copy)
    assert seeds_on(copy, 2).of(DAY) == seeds.of(DAY)


@pytest.mark.parametrize("body", ["", "none", "00"])
def test_a_secret_that_makes_no_sense_is_damage(body: str) -> None:
    store = MemoryStore()
    perform(store, Commit(1, puts=(Put(DAYS, body),)))
    with pytest.raises(StoreUnavailableError):
        seeds_on(store)
