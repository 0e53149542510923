"""Keyboard and mouse of one player: from bytes of the terminal to keystrokes.

The tables map keys to packets. In version 1 TAB sends the settings of the game
again; version 2 has more keys and the mouse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from readchar import key

from jminesweeper.client.keys import Input, KeyDecoder, Pasted
from jminesweeper.client.mouse import Gestures, MouseReport
from jminesweeper.client.profile import Bindings
from jminesweeper.client.timers import earliest, is_due
from jminesweeper.client.typeahead import Keystroke
from jminesweeper.protocol.packets import (
    Jump,
    Load,
    LookBack,
    NewGame,
    Packet,
    Save,
    Start,
    Text,
    Undo,
)
from jminesweeper.protocol.vocabulary import Command, GameKind, JumpTo, LookBackAt

KeyTable: TypeAlias = Mapping[str, Packet]

# Document J's own, in upper or lower case.
_LETTERS_1: Final[KeyTable] = {
    "w": Command.MOVE_UP,
    "a": Command.MOVE_LEFT,
    "s": Command.MOVE_DOWN,
    "d": Command.MOVE_RIGHT,
    "x": Command.QUIT,
}
_OTHERS_1: Final[KeyTable] = {
    key.SPACE: Command.TOGGLE_BOMB_MARK,
    key.CR: Command.REVEAL,
    key.LF: Command.REVEAL,
    "#": Command.TOGGLE_DEBUG_MODE,
    key.UP: Command.MOVE_UP,
    key.LEFT: Command.MOVE_LEFT,
    key.DOWN: Command.MOVE_DOWN,
    key.RIGHT: Command.MOVE_RIGHT,
    # Lower case only: in version 2 the capitals jump.
    "k": Command.MOVE_UP,
    "h": Command.MOVE_LEFT,
    "j": Command.MOVE_DOWN,
    "l": Command.MOVE_RIGHT,
}
_SAME_SETTINGS: Final = NewGame(GameKind.SAME_SETTINGS)
_LETTERS_2: Final[KeyTable] = {
    "u": Undo(1),
    "n": _SAME_SETTINGS,
    "r": NewGame(GameKind.SAME_BOARD),
    "m": Command.MENU,
    "p": Command.PAUSE,
    "f": Command.TOGGLE_BOMB_MARK,
    "c": Command.CHORD,
    "i": Command.HINT,
    "o": Command.ODDS,
    "g": Command.SEEK,
    "v": Jump(JumpTo.OVERVIEW),
    "e": Jump(JumpTo.FIGURES),
    "b": LookBack(LookBackAt.REPLAY),
    "y": LookBack(LookBackAt.ANALYSIS),
    "t": LookBack(LookBackAt.RECORDING),
}
_OTHERS_2: Final[KeyTable] = {
    # For numbers in the settings; elsewhere the server ignores them.
    **{digit: Text(digit) for digit in "0123456789"},
    key.BACKSPACE: Command.ERASE,
    key.CTRL_H: Command.ERASE,
    key.DELETE: Command.ERASE,
    key.TAB: _SAME_SETTINGS,
    key.ESC: Command.MENU,
    "?": Command.HELP,
    key.F1: Command.HELP,
    # Without a name: the quick save, and the list of all saves.
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


def _in_both_cases(letters: KeyTable) -> dict[str, Packet]:
    return {**letters, **{letter.upper(): packet for letter, packet in letters.items()}}


_VERSION_1: Final[KeyTable] = {**_in_both_cases(_LETTERS_1), **_OTHERS_1}
VERSION_2: Final[KeyTable] = MappingProxyType(
    {**_VERSION_1, **_in_both_cases(_LETTERS_2), **_OTHERS_2}
)


def version_1(start: Start) -> KeyTable:
    """Return the keys of version 1, TAB for a new game like this one."""
    return MappingProxyType({**_VERSION_1, key.TAB: start})


class Controls:
    """Decodes one player's keys and clicks; `deadline` is when to call `expire`."""

    def __init__(self, start: Start, bindings: Bindings | None = None) -> None:
        own = bindings or Bindings()
        self._version_1 = {**version_1(start), **own.version_1}
        self._version_2 = {**VERSION_2, **own.version_2}
        self._decoder = KeyDecoder()
        self._gestures = Gestures()

    @property
    def deadline(self) -> float | None:
        return earliest(self._decoder.deadline, self._gestures.deadline)

    def decode(self, data: bytes, now_s: float, *, has_mouse: bool) -> list[Keystroke]:
        """Return what was typed and, if the mouse is used, clicked, in order."""
        return self._keystrokes(self._decoder.feed(data, now_s), now_s, has_mouse=has_mouse)

    def expire(self, now_s: float) -> list[Keystroke]:
        """Return what only time decides: a lone ESC, and a press that is held."""
        keystrokes = []
        if is_due(self._decoder.deadline, now_s):
            keystrokes += self._keystrokes(self._decoder.expire(), now_s, has_mouse=False)
        if is_due(self._gestures.deadline, now_s):
            keystrokes.append(Keystroke(version_2=self._gestures.expire()))
        return keystrokes

    def _keystrokes(
        self, inputs: Iterable[Input], now_s: float, *, has_mouse: bool
    ) -> list[Keystroke]:
        keystrokes = []
        for each in inputs:
            match each:
                case MouseReport():
                    if has_mouse and (pointer := self._gestures.report(each, now_s)):
                        keystrokes.append(Keystroke(version_2=pointer))
                case Pasted(text):
                    keystrokes.append(Keystroke(text))
                case _:
                    keystrokes.append(self._keystroke(each))
        return keystrokes

    def _keystroke(self, name: str) -> Keystroke:
        text = name if name.isprintable() else ""
        return Keystroke(text, self._version_1.get(name), self._version_2.get(name))
