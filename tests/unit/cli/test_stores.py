"""Stores as options name them, and opening them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
import pytest

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.cli.stores import (
    Place,
    StorePlace,
    StoreUrl,
    default_store_path,
    open_archive,
    open_bus,
    open_store,
)
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore
from tests.redis_process import RedisProcess
from tests.unit.cli.kept_games import ANN, DAY, furnish, introduce, run


def test_the_store_lies_in_the_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_store_path() == Path("/data/jminesweeper/games.sqlite3")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("memory", None),
        ("/a/b", Path("/a/b")),
        ("c", Path("c")),
        ("redis://host", StoreUrl("redis://host")),
    ],
)
def test_a_store_is_a_file_an_address_or_memory(text: str, place: Place | None) -> None:
    assert StorePlace(may_be_memory=True).convert(text, None, None) == place


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("postgres://host/games", "postgres://"),
        ("sqlite:///var/games.db", "sqlite://"),
        ("sqlite:/var/games.db", "sqlite:"),
        ("redis:host", "redis:"),
    ],
)
def test_an_address_of_another_kind_is_taken_neither_for_redis_nor_for_a_path(
    text: str, scheme: str
) -> None:
    with pytest.raises(click.BadParameter, match=f"{scheme} is not supported; use a path, redis"):
        StorePlace(may_be_memory=True).convert(text, None, None)


def test_a_store_that_is_read_is_not_in_memory() -> None:
    assert StorePlace(may_be_memory=False).convert("memory", None, None) == Path("memory")


def test_what_is_wrong_with_a_store_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("not a store")
    with pytest.raises(click.ClickException) as refusal, open_archive(path):
        pass
    remedy = "name another one; this one is left as it is"
    assert refusal.value.message == f"The store {path} is not a store of JMinesweeper: {remedy}."


def test_a_place_says_what_kind_of_store_it_is(tmp_path: Path, empty_redis: RedisProcess) -> None:
    places = {
        MemoryStore: None,
        SqliteStore: tmp_path / "games.sqlite3",
        RedisStore: StoreUrl(empty_redis.url),
    }
    for kind, place in places.items():
        with closing(open_store(place)) as store:
            assert type(store) is kind
            introduce(store, ANN, "Ann")


@pytest.mark.parametrize(
    "command",
    [
        ["scores"],
        ["scores", "--daily", DAY.isoformat()],
        ["stats"],
        ["stats", "--everybody"],
        ["games"],
        ["replay", "won1"],
        ["analyse", "lost1"],
    ],
    ids=" ".join,
)
def test_a_command_that_reads_tells_the_same_of_redis_as_of_a_file(
    tmp_path: Path, empty_redis: RedisProcess, command: Sequence[str]
) -> None:
    store = furnish(tmp_path)
    assert run(tmp_path, "store", "copy", str(store), empty_redis.url).exit_code == 0
    of_file = run(tmp_path, *command)
    of_redis = run(tmp_path, *command, f"--store={empty_redis.url}")
    assert (of_redis.exit_code, of_redis.stdout) == (0, of_file.stdout)
    assert of_redis.stdout


def test_without_the_extra_the_command_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in [name for name in sys.modules if name.startswith("jminesweeper.store.redis")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(click.ClickException, match=r"pip install 'jminesweeper\[redis\]'"):
        open_store(StoreUrl("redis://localhost"))


# The bus


def bus_of(place: Place | None) -> Bus:
    async def opened() -> Bus:
        async with open_bus(place) as bus:
            return bus

    return asyncio.run(opened())


@pytest.mark.parametrize("place", [None, Path("games.sqlite3")])
def test_one_server_needs_no_bus_beyond_its_process(place: Path | None) -> None:
    assert isinstance(bus_of(place), LocalBus)
