"""Where data is stored: the player's data directory, and stores as options name them.

The data directory is where the XDG base directories say. A store is a file, or on Redis and named
by an address.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import click

from jminesweeper.cli.options import Decorated, option
from jminesweeper.client.own_files import key_path

IN_MEMORY: Final = "memory"


def default_store_path() -> Path:
    """Return the file of games and players, beside the player's key."""
    return key_path(os.environ).with_name("games.sqlite3")


# Known here too, because the redis package may not be installed.
_SCHEMES: Final = ("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel")


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
        scheme, mark, _ = value.partition("://")
        if not mark:
            return Path(value).expanduser()
        if scheme not in _SCHEMES:
            known = ", ".join(f"{name}://" for name in _SCHEMES)
            self.fail(f"{scheme}:// is not supported; use a path, {known}.", param, ctx)
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
