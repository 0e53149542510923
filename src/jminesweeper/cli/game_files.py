"""Games in files: both formats, and the folder in which imported ones are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final

import click

from jminesweeper.cli.places import default_store_path
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.game import Game
from jminesweeper.core.generator import seeded_bits
from jminesweeper.recordings.rawvf.reading import Warn, ignore_doubt, parse_rawvf
from jminesweeper.recordings.rawvf.writing import format_rawvf
from jminesweeper.recordings.text import FIRST_LINE, format_game, parse_game
from jminesweeper.records.keys import game_code

MOST_BYTES: Final = 16 << 20
"""More than the longest log of the largest board needs."""
FORMATS: Final[Mapping[str, Callable[[Game], str]]] = {"text": format_game, "rawvf": format_rawvf}

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


def write_game(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
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
