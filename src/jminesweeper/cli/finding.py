"""The game that a command is about, named by its ID or by a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from jminesweeper.cli.archives import open_archive
from jminesweeper.cli.game_files import GameFileError, Imports, read_game
from jminesweeper.core import CoreError, Game, Variant
from jminesweeper.store import MAX_LABEL_CHARS, FindGame, unpack_entries
from jminesweeper.store.blocking import perform


class Found(NamedTuple):
    """A game that a command is about."""

    game: Game

    @property
    def variant(self) -> Variant:
        return self.game.setup.variant

    @property
    def label(self) -> str:
        return self.variant.label

    @property
    def is_repeat(self) -> bool:
        return self.variant.is_repeat


def find_game(name: str, store: Path) -> Found:
    """Find a game: in a file, else among the imported ones, else in the store."""
    path = Path(name) if _exists(Path(name)) else Imports().find(name)
    if path is not None:
        try:
            return Found(read_game(path))
        except GameFileError as error:
            raise click.ClickException(str(error)) from error
    return _find_stored(name, store)


def _exists(path: Path) -> bool:
    with suppress(OSError):  # a name too long for one, for instance
        return path.exists()
    return False


def _find_stored(code: str, store: Path) -> Found:
    finished = None
    if store.exists():
        with open_archive(store) as archive:
            finished = perform(archive, FindGame(code[:MAX_LABEL_CHARS]))
    if finished is None:
        raise click.ClickException(f"No file and no finished game is called {code!r}.")
    try:
        return Found(Game.replay(finished.setup, unpack_entries(finished.entries)))
    except CoreError as error:
        raise click.ClickException(f"The game {code} cannot be read: {error}.") from error
