"""The game that a command is about, named by its ID or by a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import click
from click.shell_completion import CompletionItem

from jminesweeper.cli.archives import read_player
from jminesweeper.cli.game_files import GameFileError, Imports, read_game, warning_about
from jminesweeper.cli.places import Place, default_store_path
from jminesweeper.cli.stores import ELSEWHERE, exists, open_archive
from jminesweeper.client.identity import key_path
from jminesweeper.core.errors import CoreError
from jminesweeper.core.game import Game
from jminesweeper.core.variant import Variant
from jminesweeper.records.blocking import run
from jminesweeper.records.documents import unpack_entries
from jminesweeper.records.limits import MAX_LABEL_CHARS
from jminesweeper.records.players import open_game
from jminesweeper.records.reading import list_games

_MOST_COMPLETED: Final = 100


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


def complete_game(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the ID of an imported or finished game, or the name of a file."""
    codes = [path.stem for path in Imports().paths()]
    with suppress(click.ClickException):
        codes += _stored_codes(context.params.get("store") or default_store_path())
    items = [CompletionItem(code) for code in codes if code.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def _stored_codes(store: Place) -> list[str]:
    with open_archive(store) as archive:
        player = read_player(archive, key_path(os.environ))
        return [code for code, _ in run(archive, list_games(player.id, _MOST_COMPLETED))]


def find_game(name: str, store: Place) -> Found:
    """Find a game: in a file, else among the imported ones, else in the store."""
    path = Path(name) if _exists(Path(name)) else Imports().find(name)
    if path is not None:
        try:
            return Found(read_game(path, warning_about(path)))
        except GameFileError as error:
            raise click.ClickException(str(error)) from error
    return _find_stored(name, store)


def _exists(path: Path) -> bool:
    with suppress(OSError):  # a name too long for one, for instance
        return path.exists()
    return False


def _find_stored(code: str, store: Place) -> Found:
    opened = None
    if exists(store):
        with open_archive(store) as archive:
            opened = run(archive, open_game(code[:MAX_LABEL_CHARS]))
    outcome = None if opened is None else opened.game.outcome
    if opened is None or outcome is None:
        reason = f"No file and no finished game is called {code!r}."
        raise click.ClickException(reason if exists(store) else f"{reason} {ELSEWHERE}")
    try:
        entries = unpack_entries(opened.entries)[: outcome.length]
        return Found(Game.replay(opened.game.setup, entries))
    except CoreError as error:
        raise click.ClickException(f"The game {code} cannot be read: {error}.") from error
