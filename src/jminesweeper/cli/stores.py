"""Opening the store at a place: a file is SQLite, an address is Redis.

A kind of store is imported only where one is opened: no program starts with more than it needs, and
what Redis needs is an extra.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import click

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.bus.unix import UnixBus
from jminesweeper.cli.options import how_to_install
from jminesweeper.cli.places import Place, StoreUrl
from jminesweeper.store.errors import StoreError
from jminesweeper.store.port import Deliver, Store, Watch, deliver_at_once, ignore_state
from jminesweeper.store.room import OnCrowded, ignore_crowd

logger = logging.getLogger("jminesweeper.bus")


def open_store(
    place: Place | None,
    *,
    deliver: Deliver = deliver_at_once,
    watch: Watch = ignore_state,
    limit_bytes: int | None = None,
    on_crowded: OnCrowded = ignore_crowd,
) -> Store:
    """Open a store to write it; StoreOpenError says why it cannot be used."""
    store: Store
    match place:
        case None:
            memory = import_module("jminesweeper.store.memory")
            store = memory.MemoryStore(limit_bytes=limit_bytes, on_crowded=on_crowded)
        case StoreUrl(url):
            store = _redis().RedisStore(url, deliver=deliver, watch=watch, on_crowded=on_crowded)
        case Path():
            store = _sqlite().SqliteStore(
                place, deliver=deliver, watch=watch, limit_bytes=limit_bytes, on_crowded=on_crowded
            )
    return store


ELSEWHERE: Final = (
    "Games on other servers stay there: press m while you play, then choose Statistics. "
    "After a game b replays it, and t writes it into a file that these commands take."
)
"""What to tell a player without a store."""


def exists(place: Place) -> bool:
    """Whether there may be a store; no server is asked."""
    return not isinstance(place, Path) or place.exists()


@contextmanager
def open_archive(place: Place, advice: str = ELSEWHERE) -> Iterator[Store]:
    """Open the store for reading; an error is one line and exit code 1."""
    if not exists(place):
        beginning = "No games yet: the" if advice else "The"
        raise click.ClickException(f"{beginning} store {place} does not exist. {advice}".rstrip())
    with one_line_errors(), closing(_open_archive(place)) as archive:
        yield archive


@asynccontextmanager
async def open_bus(place: Place | None) -> AsyncIterator[Bus]:
    """Open the bus between all servers of a store: on Redis, beside the file, or in process."""
    if isinstance(place, Path) and (between := _open_unix_bus(place)) is not None:
        with closing(between):
            yield between
        return
    if not isinstance(place, StoreUrl):
        yield LocalBus(asyncio.get_running_loop().call_soon)
        return
    over_redis = import_module("jminesweeper.bus.redis")
    async with (
        import_module("jminesweeper.store.redis.address").open_client(place.url) as client,
        over_redis.open_redis_bus(client) as bus,
    ):
        yield bus


def _open_unix_bus(store: Path) -> UnixBus | None:
    try:
        return UnixBus.open(store.with_name(f"{store.name}-bus"))
    except OSError as error:
        logger.info("no messages between processes on %s: %s", store, error)
        return None


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Make an error of a store the last line of the program."""
    try:
        yield
    except StoreError as error:
        raise click.ClickException(str(error)) from error


def _open_archive(place: Place) -> Store:
    archive: Store
    match place:
        case StoreUrl(url):
            archive = _redis().open_archive(url)
        case Path():
            archive = _sqlite().open_archive(place)
    return archive


def find_damage(place: Place) -> Iterator[str]:
    """List what is wrong with a store's file as such; Redis looks after its own."""
    if isinstance(place, Path):
        yield from import_module("jminesweeper.store.sqlite.file").find_damage(place)


def _sqlite() -> ModuleType:
    return import_module("jminesweeper.store.sqlite.store")


def _redis() -> ModuleType:
    try:
        return import_module("jminesweeper.store.redis.store")
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"A store on Redis needs the extra redis: {how_to_install('redis')}."
        ) from error
