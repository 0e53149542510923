"""Meanings of keys: one table for the game, the replay and a player's own bindings.

The texts of keys are those of `client.keys`. The effect of an action depends on the screen:
`reveal` chooses a row of a menu, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from readchar import key


class KeyAction(Enum):
    """Meanings of a key, by their names in a file of bindings."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    REVEAL = "reveal"
    FLAG = "flag"
    FLAG_AROUND = "flag-around"
    CHORD = "chord"
    HINT = "hint"
    ODDS = "odds"
    NEXT = "next"
    UNDO = "undo"
    REDO = "redo"
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


_BOUND: Final[Mapping[KeyAction, Sequence[str]]] = {
    KeyAction.UP: (key.UP, "w", "W", "k"),
    KeyAction.DOWN: (key.DOWN, "s", "S", "j"),
    KeyAction.LEFT: (key.LEFT, "a", "A", "h"),
    KeyAction.RIGHT: (key.RIGHT, "d", "D", "l"),
    KeyAction.REVEAL: (key.CR, key.LF),
    KeyAction.FLAG: (key.SPACE, "f"),
    KeyAction.FLAG_AROUND: ("F",),
    KeyAction.NEW: (key.TAB, "n", "N"),
    KeyAction.MENU: ("m", "M"),
    KeyAction.HELP: ("?", key.F1),
    KeyAction.QUIT: ("x", "X"),
    KeyAction.ASK_TO_QUIT: ("q", "Q"),
    KeyAction.CHORD: ("c", "C"),
    KeyAction.HINT: ("i", "I"),
    KeyAction.ODDS: ("o", "O"),
    KeyAction.NEXT: ("g", "G"),
    KeyAction.UNDO: ("u",),
    KeyAction.REDO: ("U",),
    KeyAction.PAUSE: ("p", "P"),
    KeyAction.PEOPLE: ("z", "Z"),
    KeyAction.AGAIN: ("r", "R"),
    KeyAction.OVERVIEW: ("v", "V"),
    KeyAction.FIGURES: ("e", "E"),
    KeyAction.REPLAY: ("b", "B"),
    KeyAction.ANALYSIS: ("y", "Y"),
    KeyAction.EXPORT: ("t", "T"),
    KeyAction.JUMP_UP: ("K",),
    KeyAction.JUMP_LEFT: ("H",),
    KeyAction.JUMP_DOWN: ("J",),
    KeyAction.JUMP_RIGHT: ("L",),
    KeyAction.BACK: (key.ESC,),
    KeyAction.SAVE: (key.CTRL_S,),
    KeyAction.LOAD: (key.CTRL_O,),
    KeyAction.ROW_START: (key.HOME,),
    KeyAction.ROW_END: (key.END,),
    KeyAction.PAGE_UP: (key.PAGE_UP,),
    KeyAction.PAGE_DOWN: (key.PAGE_DOWN,),
    KeyAction.FASTER: ("+", "="),
    KeyAction.SLOWER: ("-",),
    KeyAction.ERASE: (key.DELETE, key.BACKSPACE, key.CTRL_H),
    KeyAction.DEBUG: ("#",),
}
"""The keys of each action; screens name the first one. Those that jump are capitals."""
KEYS: Final[Mapping[str, KeyAction]] = {
    code: action for action, codes in _BOUND.items() for code in codes
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
"""Names in a file of bindings for keys that it cannot write."""
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

    def __init__(self, own: Mapping[str, KeyAction | None] | None = None) -> None:
        bound = {**(own or {}), **{key: act for key, act in KEYS.items() if key not in (own or {})}}
        self._actions: Mapping[str, KeyAction] = {
            code: action for code, action in bound.items() if action is not None
        }

    def action(self, code: str) -> KeyAction | None:
        """Return what a key means, if anything."""
        return self._actions.get(code)

    def label(self, action: KeyAction) -> str:
        """Return the name of the first key for an action; empty if it has none."""
        return next((label_of(code) for code in self.codes(action)), "")

    def codes(self, action: KeyAction) -> Iterable[str]:
        """Return all keys for an action."""
        return (code for code, bound in self._actions.items() if bound is action)


def label_of(code: str) -> str:
    """Write the name of a key."""
    if len(code) == 1 and code < " " and code not in _LABELS:
        return f"Ctrl-{chr(ord(code) | 0x40)}"
    return _LABELS.get(code, code)


class Press(Enum):
    """Gestures of a mouse or a finger."""

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
    """A key or a click: its text where something is typed, its action anywhere else."""

    text: str = ""
    action: KeyAction | None = None
    click: Click | None = None
