"""Which key sends which packet, for each version of the wire."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from readchar import key

from jminesweeper.protocol import (
    Command,
    GameKind,
    Jump,
    JumpTo,
    Load,
    NewGame,
    Packet,
    Save,
    Start,
    Text,
    Undo,
)

Bindings: TypeAlias = Mapping[str, Packet]

# Document J's own, which count in either case.
_LETTERS_1: Final[Bindings] = {
    "w": Command.MOVE_UP,
    "a": Command.MOVE_LEFT,
    "s": Command.MOVE_DOWN,
    "d": Command.MOVE_RIGHT,
    "x": Command.QUIT,
}
_OTHERS_1: Final[Bindings] = {
    key.SPACE: Command.TOGGLE_BOMB_MARK,
    key.CR: Command.REVEAL,
    key.LF: Command.REVEAL,
    "#": Command.TOGGLE_DEBUG_MODE,
    key.UP: Command.MOVE_UP,
    key.LEFT: Command.MOVE_LEFT,
    key.DOWN: Command.MOVE_DOWN,
    key.RIGHT: Command.MOVE_RIGHT,
    # Lower case alone: the capitals are leaps.
    "k": Command.MOVE_UP,
    "h": Command.MOVE_LEFT,
    "j": Command.MOVE_DOWN,
    "l": Command.MOVE_RIGHT,
}
_SAME_SETTINGS: Final = NewGame(GameKind.SAME_SETTINGS)
_LETTERS_2: Final[Bindings] = {
    "u": Undo(1),
    "n": _SAME_SETTINGS,
    "m": Command.MENU,
    "p": Command.PAUSE,
    "f": Command.TOGGLE_BOMB_MARK,
    "c": Command.CHORD,
    "i": Command.HINT,
}
_OTHERS_2: Final[Bindings] = {
    # For the numbers in the settings; elsewhere the server takes no notice.
    **{digit: Text(digit) for digit in "0123456789"},
    key.BACKSPACE: Command.ERASE,
    key.CTRL_H: Command.ERASE,
    key.DELETE: Command.ERASE,
    key.TAB: _SAME_SETTINGS,
    key.ESC: Command.MENU,
    "?": Command.HELP,
    key.F1: Command.HELP,
    # Without a name: the server's name for a save made in passing.
    key.CTRL_S: Save(""),
    key.CTRL_O: Load(""),
    key.HOME: Jump(JumpTo.ROW_START),
    key.END: Jump(JumpTo.ROW_END),
    key.PAGE_UP: Jump(JumpTo.PAGE_UP),
    key.PAGE_DOWN: Jump(JumpTo.PAGE_DOWN),
    "H": Jump(JumpTo.LEFT),
    "L": Jump(JumpTo.RIGHT),
    "K": Jump(JumpTo.UP),
    "J": Jump(JumpTo.DOWN),
}


def _in_both_cases(letters: Bindings) -> dict[str, Packet]:
    return {**letters, **{letter.upper(): packet for letter, packet in letters.items()}}


_VERSION_1: Final[Bindings] = {**_in_both_cases(_LETTERS_1), **_OTHERS_1}
VERSION_2: Final[Bindings] = MappingProxyType(
    {**_VERSION_1, **_in_both_cases(_LETTERS_2), **_OTHERS_2}
)


def version_1(start: Start) -> Bindings:
    """Bind the keys of version 1; its TAB says the settings of the game again."""
    return MappingProxyType({**_VERSION_1, key.TAB: start})
