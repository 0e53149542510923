"""Recordings from a server, written into files.

A server cannot be trusted with the disk: the client chooses the file's name and place, overwrites
nothing, and writes only what it can read as a game, in its own way of writing games.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from jminesweeper.core.errors import CoreError
from jminesweeper.recordings.text import format_game, parse_game

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
        return f"Saved to {name}."
    return "Too many games were exported just now; try again."


def _read(text: bytes) -> str | None:
    """Read a game and write it anew; None if it is not one, or holds control characters."""
    try:
        game = format_game(parse_game(text.decode()))
    except (CoreError, UnicodeDecodeError):
        return None
    return game if all(line.isprintable() for line in game.split("\n")) else None


def _names(now: datetime) -> Iterator[str]:
    stem = f"game-{now:%Y-%m-%d-%H%M%S}"
    yield f"{stem}.txt"
    yield from (f"{stem}-{number}.txt" for number in range(2, _MOST_OF_A_SECOND))
