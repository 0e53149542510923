"""Keys of the player's own: a file that binds keys to actions.

Each line names a key and an action, as in `e up` or `ctrl-z undo`; `#` begins a comment, and
`nothing` disables a key. A key is a character as it is typed, a letter with `ctrl-` before it, or
one of a few names. Keys that are not bound keep their usual meaning. A file with an error is
refused: a game with half of one's keys is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from jminesweeper.client.errors import BindingError
from jminesweeper.client.places import config_folder
from jminesweeper.terminal.keys import NAMES, Action

Bindings: TypeAlias = Mapping[str, Action | None]
"""What keys do; None for nothing."""
ACTIONS: Final[Mapping[str, Action | None]] = {
    **{action.value: action for action in Action},
    "nothing": None,
}
_CTRL: Final = "ctrl-"
# Ctrl-C and Ctrl-Z are signals, and Ctrl-I, Ctrl-J, Ctrl-M are TAB and RETURN to every terminal.
_CTRL_TAKEN: Final = frozenset("cijmz")


def bindings_path(environ: Mapping[str, str]) -> Path:
    """Return where the file is looked for."""
    return config_folder(environ) / "keys"


def read_bindings(path: Path) -> Bindings:
    """Read the file, or bind nothing if there is none."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise BindingError(f"{path} is not text in UTF-8.") from error
    except OSError as error:
        raise BindingError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return parse_bindings(text)
    except BindingError as error:
        raise BindingError(f"{path}, {error}") from error


def parse_bindings(text: str) -> Bindings:
    """Read what the file says; an error names its line."""
    return dict(_lines(text))


def _lines(text: str) -> Iterator[tuple[str, Action | None]]:
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            pressed, action = _binding(words)
        except BindingError as error:
            raise BindingError(f"line {number}: {error}") from error
        if pressed in seen:
            raise BindingError(f"line {number}: line {seen[pressed]} binds '{words[0]}' already.")
        seen[pressed] = number
        yield pressed, action


def _binding(words: list[str]) -> tuple[str, Action | None]:
    if len(words) != 2:
        raise BindingError("expected a key and an action, for instance: e up")
    name, action = words[0], words[1].lower()
    if action not in ACTIONS:
        raise BindingError(f"unknown action '{words[1]}'; known are {', '.join(ACTIONS)}.")
    return _key(name), ACTIONS[action]


def _key(name: str) -> str:
    if len(name) == 1 and name.isprintable():
        return name
    lower = name.lower()
    letter = lower.removeprefix(_CTRL)
    if lower.startswith(_CTRL) and len(letter) == 1 and letter.isascii() and letter.isalpha():
        if letter in _CTRL_TAKEN:
            raise BindingError(f"the terminal keeps '{name}' for itself.")
        return chr(ord(letter) & 0x1F)
    if lower not in NAMES:
        raise BindingError(f"unknown key '{name}'; names are {', '.join(NAMES)}.")
    return NAMES[lower]
