"""Keyboard and mouse of one player: from bytes of the terminal to keystrokes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from jminesweeper.client.keys import Input, KeyDecoder, Pasted
from jminesweeper.client.mouse import Gestures, MouseReport
from jminesweeper.client.timers import earliest, is_due
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.keys import Action, KeyMap
from jminesweeper.terminal.keystroke import Keystroke

IN_VERSION_1: Final[Mapping[Action, Packet]] = {
    Action.UP: Command.MOVE_UP,
    Action.LEFT: Command.MOVE_LEFT,
    Action.DOWN: Command.MOVE_DOWN,
    Action.RIGHT: Command.MOVE_RIGHT,
    Action.REVEAL: Command.REVEAL,
    Action.FLAG: Command.TOGGLE_BOMB_MARK,
    Action.DEBUG: Command.TOGGLE_DEBUG_MODE,
    Action.QUIT: Command.QUIT,
}
"""What a server of version 1 understands; a new game is the START of the one before."""


class Controls:
    """Decodes one player's keys and clicks; `deadline` is when to call `expire`."""

    def __init__(self, keys: KeyMap) -> None:
        self._keys = keys
        self._decoder = KeyDecoder()
        self._gestures = Gestures()

    @property
    def deadline(self) -> float | None:
        return earliest(self._decoder.deadline, self._gestures.deadline)

    def decode(self, data: bytes, now_s: float) -> list[Keystroke]:
        """Return what was typed and clicked, in order."""
        return self._keystrokes(self._decoder.feed(data, now_s), now_s)

    def expire(self, now_s: float) -> list[Keystroke]:
        """Return what only time decides: a lone ESC, and a press that is held."""
        keystrokes = []
        if is_due(self._decoder.deadline, now_s):
            keystrokes += self._keystrokes(self._decoder.expire(), now_s)
        if is_due(self._gestures.deadline, now_s):
            keystrokes.append(Keystroke(click=self._gestures.expire()))
        return keystrokes

    def _keystrokes(self, inputs: Iterable[Input], now_s: float) -> list[Keystroke]:
        keystrokes = []
        for each in inputs:
            match each:
                case MouseReport():
                    if click := self._gestures.report(each, now_s):
                        keystrokes.append(Keystroke(click=click))
                case Pasted(text):
                    keystrokes.append(Keystroke(text))
                case _:
                    text = each if each.isprintable() else ""
                    keystrokes.append(Keystroke(text, self._keys.action(each)))
        return keystrokes
