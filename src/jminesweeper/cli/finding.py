"""The game that a command is about, named by its ID or by a file."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import click

from jminesweeper.cli.archives import open_archive
from jminesweeper.cli.game_files import GameFileError, Imports, read_game
from jminesweeper.core import CoreError, Difficulty, Game, Setup, parse_setup
from jminesweeper.session.titles import NO_GUESS
from jminesweeper.store.ports import MAX_LABEL_CHARS, FindGame, FinishedGame, unpack_entries


class Found(NamedTuple):
    """A game, and what it is called."""

    game: Game
    label: str
    is_repeat: bool = False
    is_no_guess: bool = False


def find_game(name: str, store: Path) -> Found:
    """Find a game: in a file, else among the imported ones, else in the store."""
    path = Path(name) if _exists(Path(name)) else Imports().find(name)
    if path is not None:
        try:
            game = read_game(path)
        except GameFileError as error:
            raise click.ClickException(str(error)) from error
        return Found(game, label_of(game.setup))
    return _find_stored(name, store)


def label_of(setup: Setup) -> str:
    """Call a board by its name in the classic game, or by its rules."""
    known = Difficulty.of(setup.size, setup.mine_count)
    return f"{known.name if known else setup.rules.name} {setup.size}"


def label_of_finished(game: FinishedGame) -> str:
    """Call a kept game's board by its category, which names the size where that is not settled."""
    preset, size = game.category.preset, str(game.size)
    return preset if size in preset.split() else f"{preset} {size}"


def _exists(path: Path) -> bool:
    with suppress(OSError):  # a name too long for one, for instance
        return path.exists()
    return False


def _find_stored(code: str, store: Path) -> Found:
    finished = None
    if store.exists():
        with open_archive(store) as archive:
            finished = archive.ask(FindGame(code[:MAX_LABEL_CHARS]))
    if finished is None:
        raise click.ClickException(f"There is neither a file nor a finished game {code!r}.")
    try:
        game = replay_stored(finished)
    except CoreError as error:
        raise click.ClickException(f"The game {code} cannot be read: {error}.") from error
    is_no_guess = NO_GUESS in finished.category.preset.split()
    return Found(game, label_of_finished(finished), finished.is_repeat, is_no_guess)


def replay_stored(finished: FinishedGame) -> Game:
    """Play a stored game again."""
    return Game.replay(parse_setup(finished.header), unpack_entries(finished.entries))
