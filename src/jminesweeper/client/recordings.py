"""Recordings that a server hands over, written into files.

A server is not to be trusted with the disk: the file's name and place are the client's, nothing is
overwritten, and only what can be read as a game is written, the way that we write games.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from jminesweeper.core import CoreError, format_game, parse_game

_MOST_OF_A_SECOND: Final = 100
_NO_GAME: Final = "The server sent no game; nothing was written."


def keep_recording(text: bytes, folder: Path, now: datetime) -> str:
    """Write a game into a new file of a folder; the sentence says which, or why not."""
    game = _read(text)
    if game is None:
        return _NO_GAME
    for name in _names(now):
        try:
            with (folder / name).open("x", encoding="utf-8") as file:
                file.write(game)
        except FileExistsError:
            continue
        except OSError as error:
            return f"{name} cannot be written: {error.strerror}."
        return f"The game is in {name} now."
    return "Too many games were exported just now; try again."


def _read(text: bytes) -> str | None:
    """Read a game, and write it anew; None if it is none, or holds what a terminal would obey."""
    try:
        game = format_game(parse_game(text.decode()))
    except (CoreError, UnicodeDecodeError):
        return None
    return game if all(line.isprintable() for line in game.split("\n")) else None


def _names(now: datetime) -> Iterator[str]:
    stem = f"game-{now:%Y-%m-%d-%H%M%S}"
    yield f"{stem}.txt"
    yield from (f"{stem}-{number}.txt" for number in range(2, _MOST_OF_A_SECOND))
