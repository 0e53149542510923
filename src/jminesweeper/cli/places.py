"""Where things are kept: the player's data directory, as the XDG base directories say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from jminesweeper.client.identity import key_path

IN_MEMORY: Final = "memory"


def default_store_path() -> Path:
    """Return the file of games and players, beside the key of who plays here."""
    return key_path(os.environ).with_name("games.sqlite3")


class StorePlace(click.ParamType[Path | None]):
    """The option `--store`: a file, or None for a store that ends with its process."""

    name = "PATH|memory"

    def convert(
        self, value: str | Path | None, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | None:
        return None if value in (None, IN_MEMORY) else Path(str(value)).expanduser()
