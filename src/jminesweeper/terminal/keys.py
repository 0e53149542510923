"""What keys mean: one table for the game, the replay and a player's own bindings.

A key is its text in `readchar.key`: a character, or the sequence that xterm sends for it. What an
action does depends on what is on the screen: `reveal` chooses a row of a menu, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from readchar import key


class Action(Enum):
    """What a key can mean, by the names that a file of bindings has for it."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    REVEAL = "reveal"
    FLAG = "flag"
    CHORD = "chord"
    HINT = "hint"
    ODDS = "odds"
    NEXT = "next"
    UNDO = "undo"
    PAUSE = "pause"
    MENU = "menu"
    BACK = "back"
    PEOPLE = "people"
    HELP = "help"
    NEW = "new"
    AGAIN = "again"
    REPLAY = "replay"
    ANALYSIS = "analysis"
    EXPORT = "export"
    SAVE = "save"
    LOAD = "load"
    ROW_START = "row-start"
    ROW_END = "row-end"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    OVERVIEW = "overview"
    FIGURES = "figures"
    JUMP_UP = "jump-up"
    JUMP_DOWN = "jump-down"
    JUMP_LEFT = "jump-left"
    JUMP_RIGHT = "jump-right"
    FASTER = "faster"
    SLOWER = "slower"
    ERASE = "erase"
    DEBUG = "debug"
    ASK_TO_QUIT = "ask-to-quit"
    QUIT = "quit"


def _in_both_cases(letters: Mapping[str, Action]) -> dict[str, Action]:
    return {**letters, **{letter.upper(): action for letter, action in letters.items()}}


# The first key of an action is the one that screens name.
KEYS: Final[Mapping[str, Action]] = {
    key.UP: Action.UP,
    key.DOWN: Action.DOWN,
    key.LEFT: Action.LEFT,
    key.RIGHT: Action.RIGHT,
    key.CR: Action.REVEAL,
    key.LF: Action.REVEAL,
    key.SPACE: Action.FLAG,
    key.TAB: Action.NEW,
    "m": Action.MENU,
    "?": Action.HELP,
    **_in_both_cases(
        {
            "w": Action.UP,
            "a": Action.LEFT,
            "s": Action.DOWN,
            "d": Action.RIGHT,
            "x": Action.QUIT,
            "q": Action.ASK_TO_QUIT,
            "f": Action.FLAG,
            "c": Action.CHORD,
            "i": Action.HINT,
            "o": Action.ODDS,
            "g": Action.NEXT,
            "u": Action.UNDO,
            "p": Action.PAUSE,
            "m": Action.MENU,
            "z": Action.PEOPLE,
            "n": Action.NEW,
            "r": Action.AGAIN,
            "v": Action.OVERVIEW,
            "e": Action.FIGURES,
            "b": Action.REPLAY,
            "y": Action.ANALYSIS,
            "t": Action.EXPORT,
        }
    ),
    # Lower case only: the capitals jump.
    "k": Action.UP,
    "h": Action.LEFT,
    "j": Action.DOWN,
    "l": Action.RIGHT,
    "K": Action.JUMP_UP,
    "H": Action.JUMP_LEFT,
    "J": Action.JUMP_DOWN,
    "L": Action.JUMP_RIGHT,
    key.ESC: Action.BACK,
    key.F1: Action.HELP,
    key.CTRL_S: Action.SAVE,
    key.CTRL_O: Action.LOAD,
    key.HOME: Action.ROW_START,
    key.END: Action.ROW_END,
    key.PAGE_UP: Action.PAGE_UP,
    key.PAGE_DOWN: Action.PAGE_DOWN,
    "+": Action.FASTER,
    "=": Action.FASTER,
    "-": Action.SLOWER,
    key.DELETE: Action.ERASE,
    key.BACKSPACE: Action.ERASE,
    key.CTRL_H: Action.ERASE,
    "#": Action.DEBUG,
}
NAMES: Final[Mapping[str, str]] = {
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
"""What a file of bindings calls keys that it cannot write."""
_LABELS: Final[Mapping[str, str]] = {
    **{code: name.upper() for name, code in NAMES.items()},
    key.ESC: "ESC",
    key.DELETE: "DEL",
    key.PAGE_UP: "PgUp",
    key.PAGE_DOWN: "PgDn",
    key.HOME: "Home",
    key.END: "End",
    "#": "#",
}


class KeyMap:
    """The keys of one player: the table above, and on top of it bindings of the player's own."""

    def __init__(self, own: Mapping[str, Action | None] | None = None) -> None:
        bound = {**(own or {}), **{key: act for key, act in KEYS.items() if key not in (own or {})}}
        self._actions: Mapping[str, Action] = {
            code: action for code, action in bound.items() if action is not None
        }

    def action(self, code: str) -> Action | None:
        """Return what a key means, if anything."""
        return self._actions.get(code)

    def label(self, action: Action) -> str:
        """Return the name of the first key for an action; empty if it has none."""
        return next((label_of(code) for code in self.codes(action)), "")

    def codes(self, action: Action) -> Iterable[str]:
        """Return all keys for an action."""
        return (code for code, bound in self._actions.items() if bound is action)


def label_of(code: str) -> str:
    """Write the name of a key."""
    if len(code) == 1 and code < " " and code not in _LABELS:
        return f"Ctrl-{chr(ord(code) | 0x40)}"
    return _LABELS.get(code, code)


class Press(Enum):
    """What a mouse or a finger does."""

    OPEN = auto()
    FLAG = auto()
    CHORD = auto()
    WHEEL_UP = auto()
    WHEEL_DOWN = auto()


class Click(NamedTuple):
    """A press or a turn of the wheel at a place of the screen, from 0."""

    row: int
    column: int
    press: Press


class Keystroke(NamedTuple):
    """Its text where something is typed, its action anywhere else."""

    text: str = ""
    action: Action | None = None
    click: Click | None = None
