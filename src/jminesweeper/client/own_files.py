"""Files of the player's own: keys, looks, and games that were exported.

Each line of `keys` and `looks` is two words, and `#`
begins a comment. A line of `keys` binds a key to an action, as in `e up` or `ctrl-z undo`;
`nothing` disables a key. A key is a character as it is typed, a letter with `ctrl-` before it, or
one of a few names. Keys that are not bound keep their usual meaning. A line of `looks` sets a look,
as in `palette classic`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

from jminesweeper.client import ClientError
from jminesweeper.client.identity import config_folder
from jminesweeper.core.errors import CoreError
from jminesweeper.recordings.text import format_game, parse_game
from jminesweeper.terminal.keys import NAMES, KeyAction
from jminesweeper.terminal.looks import LOOKS, Looks

Bindings: TypeAlias = Mapping[str, KeyAction | None]
"""Actions by key; None for nothing."""
ACTIONS: Final[Mapping[str, KeyAction | None]] = {
    **{action.value: action for action in KeyAction},
    "nothing": None,
}
_CTRL: Final = "ctrl-"
# Ctrl-C and Ctrl-Z are signals, and Ctrl-I, Ctrl-J, Ctrl-M are TAB and RETURN to every terminal.
_CTRL_TAKEN: Final = frozenset("cijmz")


class OwnFileError(ClientError):
    """A file of the player's own cannot be used."""


def bindings_path(environ: Mapping[str, str]) -> Path:
    """Return where the file is looked for."""
    return config_folder(environ) / "keys"


def read_bindings(path: Path) -> Bindings:
    """Read the file, or bind nothing if there is none."""
    return parse_bindings(_read(path), f"{path}, ")


def parse_bindings(text: str, where: str = "") -> Bindings:
    """Read what the file says; an error names its line.

    One error refuses it all: a game with half of one's keys is worse than none.
    """
    bindings: dict[str, KeyAction | None] = {}
    lines: dict[str, int] = {}
    for number, words in _lines(text):
        try:
            pressed, action = _binding(words, lines)
        except OwnFileError as error:
            raise OwnFileError(f"{where}line {number}: {error}") from error
        bindings[pressed], lines[pressed] = action, number
    return bindings


def _read(path: Path) -> str:
    """Read a file; nothing if there is none."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise OwnFileError(f"{path} is not text in UTF-8.") from error
    except OSError as error:
        raise OwnFileError(f"{path} cannot be read: {error.strerror}.") from error


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Return the words of each line that has any, with its number."""
    for number, line in enumerate(text.splitlines(), 1):
        if words := line.partition("#")[0].split():
            yield number, words


def _binding(words: list[str], lines: Mapping[str, int]) -> tuple[str, KeyAction | None]:
    if len(words) != 2:
        raise OwnFileError("expected a key and an action, for instance: e up")
    name, action = words[0], words[1].lower()
    if action not in ACTIONS:
        raise OwnFileError(f"unknown action '{words[1]}'; known are {', '.join(ACTIONS)}.")
    pressed = _key(name)
    if pressed in lines:
        raise OwnFileError(f"line {lines[pressed]} binds '{name}' already.")
    return pressed, ACTIONS[action]


def _key(name: str) -> str:
    if len(name) == 1 and name.isprintable():
        return name
    lower = name.lower()
    letter = lower.removeprefix(_CTRL)
    if lower.startswith(_CTRL) and len(letter) == 1 and letter.isascii() and letter.isalpha():
        if letter in _CTRL_TAKEN:
            raise OwnFileError(f"the terminal keeps '{name}' for itself.")
        return chr(ord(letter) & 0x1F)
    if lower not in NAMES:
        raise OwnFileError(f"unknown key '{name}'; names are {', '.join(NAMES)}.")
    return NAMES[lower]


def looks_path(environ: Mapping[str, str]) -> Path:
    """Return where the file is."""
    return config_folder(environ) / "looks"


def read_looks(path: Path) -> Looks:
    """Read the file; the usual looks if there is none."""
    return parse_looks(_read(path), str(path))


def parse_looks(text: str, name: str) -> Looks:
    """Read looks, all that are not named as usual."""
    read: dict[str, Any] = {}
    for number, (look, *values) in _lines(text):
        try:
            read[look] = LOOKS[look](" ".join(values))
        except (KeyError, ValueError) as error:
            told = f"{' '.join((look, *values))[:40]!r}"
            raise OwnFileError(f"{name}, line {number}: no such look: {told}.") from error
    return Looks(**read)


def format_looks(looks: Looks) -> str:
    """Write looks as the file has them."""
    return "".join(f"{name} {getattr(looks, name).value}\n" for name in LOOKS)


def keep_looks(looks: Looks, path: Path) -> str:
    """Write the file anew; return a sentence if that cannot be."""
    draft = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(format_looks(looks), "utf-8")
        draft.replace(path)
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}."
    return ""


# Exported games. A server cannot be trusted with the disk: the client chooses the file's name and
# place, overwrites nothing, and writes only what it can read as a game, in its own way of writing.

_MOST_OF_A_SECOND: Final = 100
_NO_GAME: Final = "The server sent no game; nothing was written."


def keep_recording(text: bytes, folder: Path, now: datetime) -> str:
    """Write a game into a new file of a folder; the sentence says which, or why not."""
    try:
        # Read, and written anew.
        game = format_game(parse_game(text.decode()))
    except (CoreError, UnicodeDecodeError):
        return _NO_GAME
    if not all(line.isprintable() for line in game.split("\n")):
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


def _names(now: datetime) -> Iterator[str]:
    stem = f"game-{now:%Y-%m-%d-%H%M%S}"
    yield f"{stem}.txt"
    yield from (f"{stem}-{number}.txt" for number in range(2, _MOST_OF_A_SECOND))
