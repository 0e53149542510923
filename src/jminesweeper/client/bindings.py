"""Keys of the player's own: a file that binds keys to actions.

Each line names a key and an action, as in `e up` or `ctrl-z undo`; `#` begins a comment, and
`nothing` disables a key. A key is a character as it is typed, a letter with `ctrl-` before it, or
one of a few names. Keys that are not bound keep their usual meaning. A file with an error is
refused: a game with half of one's keys is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from readchar import key

from jminesweeper.client.errors import BindingError
from jminesweeper.client.profile import Bindings
from jminesweeper.protocol.packets import Jump, Load, LookBack, NewGame, Packet, Save, Undo
from jminesweeper.protocol.vocabulary import Command, GameKind, JumpTo, LookBackAt


class KeyAction(NamedTuple):
    """What a key does; version 1 knows fewer of them."""

    packet: Packet
    is_in_version_1: bool = False


ACTIONS: Final[Mapping[str, KeyAction | None]] = {
    "up": KeyAction(Command.MOVE_UP, is_in_version_1=True),
    "down": KeyAction(Command.MOVE_DOWN, is_in_version_1=True),
    "left": KeyAction(Command.MOVE_LEFT, is_in_version_1=True),
    "right": KeyAction(Command.MOVE_RIGHT, is_in_version_1=True),
    "reveal": KeyAction(Command.REVEAL, is_in_version_1=True),
    "flag": KeyAction(Command.TOGGLE_BOMB_MARK, is_in_version_1=True),
    "debug": KeyAction(Command.TOGGLE_DEBUG_MODE, is_in_version_1=True),
    "quit": KeyAction(Command.QUIT, is_in_version_1=True),
    "chord": KeyAction(Command.CHORD),
    "hint": KeyAction(Command.HINT),
    "odds": KeyAction(Command.ODDS),
    "next": KeyAction(Command.SEEK),
    "undo": KeyAction(Undo(1)),
    "pause": KeyAction(Command.PAUSE),
    "menu": KeyAction(Command.MENU),
    "help": KeyAction(Command.HELP),
    "new": KeyAction(NewGame(GameKind.SAME_SETTINGS)),
    "again": KeyAction(NewGame(GameKind.SAME_BOARD)),
    "replay": KeyAction(LookBack(LookBackAt.REPLAY)),
    "analysis": KeyAction(LookBack(LookBackAt.ANALYSIS)),
    "export": KeyAction(LookBack(LookBackAt.RECORDING)),
    "save": KeyAction(Save("")),
    "load": KeyAction(Load("")),
    "row-start": KeyAction(Jump(JumpTo.ROW_START)),
    "row-end": KeyAction(Jump(JumpTo.ROW_END)),
    "page-up": KeyAction(Jump(JumpTo.PAGE_UP)),
    "page-down": KeyAction(Jump(JumpTo.PAGE_DOWN)),
    "overview": KeyAction(Jump(JumpTo.OVERVIEW)),
    "figures": KeyAction(Jump(JumpTo.FIGURES)),
    "jump-up": KeyAction(Jump(JumpTo.UP)),
    "jump-down": KeyAction(Jump(JumpTo.DOWN)),
    "jump-left": KeyAction(Jump(JumpTo.LEFT)),
    "jump-right": KeyAction(Jump(JumpTo.RIGHT)),
    "nothing": None,
}
KEY_NAMES: Final[Mapping[str, str]] = {
    "space": key.SPACE,
    "return": key.CR,
    "tab": key.TAB,
    "escape": key.ESC,
    "backspace": key.BACKSPACE,
    "delete": key.DELETE,
    "up": key.UP,
    "down": key.DOWN,
    "left": key.LEFT,
    "right": key.RIGHT,
    "home": key.HOME,
    "end": key.END,
    "page-up": key.PAGE_UP,
    "page-down": key.PAGE_DOWN,
    "f1": key.F1,
    "f2": key.F2,
    "f3": key.F3,
    "f4": key.F4,
    "f5": key.F5,
    "hash": "#",
}
_CTRL: Final = "ctrl-"
# Ctrl-C and Ctrl-Z are signals, and Ctrl-I, Ctrl-J, Ctrl-M are TAB and RETURN to every terminal.
_CTRL_TAKEN: Final = frozenset("cijmz")


def bindings_path(environ: Mapping[str, str]) -> Path:
    """Return where the file is looked for, as the XDG base directories say."""
    config_home = environ.get("XDG_CONFIG_HOME", "")
    base = Path(config_home) if config_home.startswith("/") else Path.home() / ".config"
    return base / "jminesweeper" / "keys"


def read_bindings(path: Path) -> Bindings:
    """Read the file, or bind nothing if there is none."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Bindings()
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
    bound = dict(_lines(text))
    return Bindings(
        {
            pressed: action.packet if action and action.is_in_version_1 else None
            for pressed, action in bound.items()
        },
        {pressed: action and action.packet for pressed, action in bound.items()},
    )


def _lines(text: str) -> Iterator[tuple[str, KeyAction | None]]:
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


def _binding(words: list[str]) -> tuple[str, KeyAction | None]:
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
    if lower not in KEY_NAMES:
        raise BindingError(f"unknown key '{name}'; names are {', '.join(KEY_NAMES)}.")
    return KEY_NAMES[lower]
