"""Finished games on this machine: opening their store, finding one, reading and writing files.

Every command over finished games goes through here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from shutil import get_terminal_size
from typing import Final

import click
from click.shell_completion import CompletionItem

from jminesweeper.cli.stores import (
    ELSEWHERE,
    Place,
    default_store_path,
    exists,
    open_archive,
    store_option,
)
from jminesweeper.client.address import LOCAL_NAME
from jminesweeper.client.identity import IdentityError, key_for, key_path, load_key
from jminesweeper.core.actions import unpack_entries
from jminesweeper.core.errors import CoreError, JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import seeded_bits
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.view import Listing
from jminesweeper.recordings.rawvf import Warn, format_rawvf, ignore_doubt, parse_rawvf
from jminesweeper.recordings.svg import format_svg
from jminesweeper.recordings.text import FIRST_LINE, format_game, parse_game
from jminesweeper.records.documents import PlayerDocument
from jminesweeper.records.keys import game_code, player_id
from jminesweeper.records.limits import MAX_LABEL_CHARS
from jminesweeper.records.players import find_player, open_game
from jminesweeper.records.reading import list_games
from jminesweeper.store.blocking import run
from jminesweeper.store.port import Store
from jminesweeper.terminal.lines import WIDEST, page_lines

archive_option = store_option(
    "Where the server stores games and players: a file, or Redis by its address."
)
"""The option `--store` of a command that only reads."""


key_option = click.option(
    "--key",
    "key_file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=lambda: key_path(os.environ),
    show_default="key in the data directory",
    help="File with the secret key that says whose games to count.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def local_player(key: bytes) -> str:
    """Return the ID of the player with this key on this machine's servers."""
    return player_id(key_for(LOCAL_NAME, key))


def read_player(archive: Store, key_file: Path) -> PlayerDocument:
    """Return the player with this key in this store; no key is made here."""
    if not key_file.exists():
        raise click.ClickException(f"No key found at {key_file}; play a game first.")
    try:
        identity = local_player(load_key(key_file))
    except IdentityError as error:
        raise click.ClickException(str(error)) from error
    return run(archive, find_player(identity)) or PlayerDocument(identity)


def printable(text: str) -> str:
    """Make a text that a player chose harmless to the terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


def describe(variant: Variant) -> str:
    """Describe a variant in words."""
    return printable(variant.description)


def variant_to_json(variant: Variant) -> dict[str, object]:
    """Describe the kind of a game, for programs."""
    return {
        "label": variant.label,
        "board": variant.text,
        "rules": variant.rules.text,
        "columns": variant.size.columns,
        "rows": variant.size.rows,
        "mines": variant.mine_count,
        "no_guess": variant.is_no_guess,
        "daily": variant.daily and variant.daily.isoformat(),
    }


def format_time(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def print_page(lines: Iterable[str | Listing]) -> None:
    """Print a page of the game, its figures as wide as the terminal."""
    columns = get_terminal_size((WIDEST, 0)).columns
    for line in page_lines(lines, columns):
        click.echo(line)


def print_json(value: object) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


# A game, by its ID or in a file

MOST_BYTES: Final = 16 << 20
"""More than the longest log of the largest board needs."""
FORMATS: Final[Mapping[str, Callable[[Game], str]]] = {
    "text": format_game,
    "rawvf": format_rawvf,
    "svg": format_svg,
}

_CODE: Final = re.compile(r"[0-9a-z]{1,64}", re.ASCII)
_SUFFIX = ".txt"


class GameFileError(JMinesweeperError):
    """A file holds no game, or cannot be read or written; the sentence names it."""


def read_game(path: Path, warn: Warn = ignore_doubt) -> Game:
    """Read a file in either format; `warn` hears what is doubtful about it."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise GameFileError(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise GameFileError(f"{path} is larger than any game.")
    try:
        # Videos name their players in any encoding; everything else in them is ASCII.
        return parse_either(data.decode("utf-8", "replace"), warn)
    except JMinesweeperError as error:
        raise GameFileError(f"{path} is not a game: {error}.") from error


def parse_either(text: str, warn: Warn = ignore_doubt) -> Game:
    """Read a game in our own format, recognised by its first line, or in RAWVF."""
    is_own = text.lstrip("\ufeff \t\r\n").startswith(FIRST_LINE.rpartition(" ")[0])
    text = text.lstrip("\ufeff")
    return parse_game(text) if is_own else parse_rawvf(text, warn)


def warning_about(path: Path) -> Warn:
    """Print a warning that names the file."""
    return lambda doubt: click.echo(f"Warning: {path}: {doubt}.", err=True)


def write_game(path: Path, text: str, *, overwrites: bool = False) -> None:
    """Write a file whole or not at all; one that exists stays, unless it is to be overwritten."""
    if not overwrites and path.exists():
        raise GameFileError(f"{path} exists already; --force overwrites it.")
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise GameFileError(f"{path} cannot be written: {error.strerror}.") from error


class Imports:
    """The folder of imported games: one file each, in our own format, named by its content."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = default_store_path().with_name("imported") if folder is None else folder

    def add(self, game: Game) -> tuple[str, bool]:
        """Keep a game; its ID, and whether it is new. The same game has the same ID."""
        text = format_game(game)
        digest = blake2b(text.encode(), digest_size=8).digest()
        code = game_code(seeded_bits(int.from_bytes(digest, "big")))
        path = self._path(code)
        if path.exists():
            return code, False
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise GameFileError(f"{self.folder} cannot be made: {error.strerror}.") from error
        write_game(path, text)
        return code, True

    def find(self, code: str) -> Path | None:
        """Find the file of an imported game."""
        if not _CODE.fullmatch(code):
            return None
        path = self._path(code)
        return path if path.is_file() else None

    def paths(self) -> Iterator[Path]:
        """List all files, the latest first."""
        paths = [path for path in self.folder.glob(f"*{_SUFFIX}") if _CODE.fullmatch(path.stem)]
        return iter(sorted(paths, key=lambda path: (-path.stat().st_mtime, path.name)))

    def _path(self, code: str) -> Path:
        return self.folder / f"{code}{_SUFFIX}"


_MOST_COMPLETED: Final = 100


def complete_game(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the ID of an imported or finished game, or the name of a file."""
    codes = [path.stem for path in Imports().paths()]
    store = context.params.get("store") or default_store_path()
    with suppress(click.ClickException), open_archive(store) as archive:
        player = read_player(archive, key_path(os.environ))
        codes += [code for code, _ in run(archive, list_games(player.id, _MOST_COMPLETED))]
    items = [CompletionItem(code) for code in codes if code.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]


def find_game(name: str, store: Place) -> Game:
    """Find a game: in a file, else among the imported ones, else in the store."""
    path = None
    with suppress(OSError):  # a name too long for one, for instance
        path = Path(name) if Path(name).exists() else None
    path = path or Imports().find(name)
    if path is not None:
        try:
            return read_game(path, warning_about(path))
        except GameFileError as error:
            raise click.ClickException(str(error)) from error
    opened = None
    # The name of a file may hold bytes that are no text, and no store has such a code.
    if exists(store) and name.isprintable():
        with open_archive(store) as archive:
            opened = run(archive, open_game(name[:MAX_LABEL_CHARS]))
    outcome = None if opened is None else opened.game.outcome
    if opened is None or outcome is None:
        reason = f"No file and no finished game is called {name!r}."
        raise click.ClickException(reason if exists(store) else f"{reason} {ELSEWHERE}")
    try:
        entries = unpack_entries(opened.entries)[: outcome.length]
        return Game.replay(opened.game.setup, entries)
    except CoreError as error:
        raise click.ClickException(f"The game {name} cannot be read: {error}.") from error
