"""Stores as options name them, and opening them: a file is SQLite, an address is Redis.

The player's data directory is where the XDG base directories say. Redis is imported only where one
is opened, because its client is an extra.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import click

from jminesweeper.bus import Bus
from jminesweeper.bus.local import LocalBus
from jminesweeper.cli.options import Decorated, how_to_install, option
from jminesweeper.client.identity import key_path
from jminesweeper.store.backend import OnCrowded, ignore_crowd
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Deliver, Store, StoreError, Watch, deliver_at_once, ignore_state
from jminesweeper.store.sqlite import SqliteStore
from jminesweeper.store.sqlite import find_damage as find_file_damage
from jminesweeper.store.sqlite import open_archive as open_file

IN_MEMORY: Final = "memory"


def default_store_path() -> Path:
    """Return the file of games and players, beside the player's key."""
    return key_path(os.environ).with_name("games.sqlite3")


# Known here too, because the redis package may not be installed.
_SCHEMES: Final = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel")
_NO_SCHEMES: Final = ("sqlite", "sqlite3", "file")
"""Words that somebody may put before a path, where they would become the name of a folder."""


@dataclass(frozen=True, slots=True)
class StoreUrl:
    """The address of a store on Redis; as text it has no password."""

    url: str

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


Place: TypeAlias = Path | StoreUrl


class StorePlace(click.ParamType[Place | None]):
    """A store by a file or an address, or None for one that ends with its process."""

    def __init__(self, *, may_be_memory: bool) -> None:
        self._may_be_memory = may_be_memory
        self.name = "PATH|URL|memory" if may_be_memory else "PATH|URL"

    def convert(
        self, value: str | Place | None, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place | None:
        if value is None or (self._may_be_memory and value == IN_MEMORY):
            return None
        if not isinstance(value, str):
            return value
        scheme, mark, rest = value.partition(":")
        is_address = rest.startswith("//")
        if not (is_address or (mark and scheme in {*_SCHEMES, *_NO_SCHEMES})):
            return Path(value).expanduser()
        if not value.isprintable():
            self.fail("an address of a store is text without control characters.", param, ctx)
        if scheme not in _SCHEMES or not is_address:
            known = ", ".join(f"{name}://" for name in _SCHEMES)
            written = f"{scheme}://" if is_address else f"{scheme}:"
            self.fail(f"{written} is not supported; use a path, {known}.", param, ctx)
        return StoreUrl(value)


def store_option(text: str, *, may_be_memory: bool = False) -> Callable[[Decorated], Decorated]:
    """Declare the option `--store`."""
    return option(
        "--store",
        type=StorePlace(may_be_memory=may_be_memory),
        default=default_store_path,
        show_default="games.sqlite3 in the data directory",
        help=text,
    )


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
            store = MemoryStore(limit_bytes=limit_bytes, on_crowded=on_crowded)
        case StoreUrl(url):
            store = _redis().RedisStore(url, deliver=deliver, watch=watch, on_crowded=on_crowded)
        case Path():
            store = SqliteStore(
                place, deliver=deliver, watch=watch, limit_bytes=limit_bytes, on_crowded=on_crowded
            )
    return store


ELSEWHERE: Final = (
    "Games on other servers stay there: press m while you play, then choose Statistics. "
    "After a game b replays it, and t writes it into a file that these commands take."
)
"""Advice for a player without a store."""


def exists(place: Place) -> bool:
    """Return False if there is no file; no server is asked."""
    return not isinstance(place, Path) or place.exists()


@contextmanager
def open_archive(place: Place, advice: str = ELSEWHERE) -> Iterator[Store]:
    """Open the store for reading; an error is one line and exit code 1."""
    if not exists(place):
        beginning = "No games yet: the" if advice else "The"
        raise click.ClickException(f"{beginning} store {place} does not exist. {advice}".rstrip())
    with one_line_errors():
        archive: Store
        if isinstance(place, StoreUrl):
            archive = _redis().open_archive(place.url)
        else:
            archive = open_file(place)
        with closing(archive):
            yield archive


@asynccontextmanager
async def open_bus(place: Place | None) -> AsyncIterator[Bus]:
    """Open the bus between all servers of a store: one server has a file, many a Redis."""
    if not isinstance(place, StoreUrl):
        yield LocalBus(asyncio.get_running_loop().call_soon, is_shared=False)
        return
    over_redis = import_module("jminesweeper.bus.redis")
    async with (
        import_module("jminesweeper.store.redis").open_client(place.url) as client,
        over_redis.open_redis_bus(client) as bus,
    ):
        yield bus


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Make an error of a store the last line of the program."""
    try:
        yield
    except StoreError as error:
        raise click.ClickException(str(error)) from error


def find_damage(place: Place) -> Iterator[str]:
    """List what is wrong with a store's file as such; Redis looks after its own."""
    if isinstance(place, Path):
        yield from find_file_damage(place)


def _redis() -> ModuleType:
    try:
        return import_module("jminesweeper.store.redis")
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"A store on Redis needs the extra redis: {how_to_install('redis')}."
        ) from error
