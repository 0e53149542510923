"""A replay as a layer: the game that has ended, at one of its positions.

Nothing plays by itself here: each step is a key, as everywhere else in a session. Where the game
goes back, it is played again from its start, so only games of some length are shown.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from jminesweeper.core import Game, Recording
from jminesweeper.protocol import JumpTo
from jminesweeper.screen import GameScreen, Message, caption, time_line
from jminesweeper.session import messages

MOST_ACTIONS: Final = 1_000
"""On the largest board, going back in such a game takes a server 35 ms."""

_LEAP: Final = 10
_SKIP_MS: Final = 10_000
_JUMPS: Final[Mapping[int, int]] = {
    JumpTo.LEFT: -_LEAP,
    JumpTo.RIGHT: _LEAP,
    JumpTo.UP: -_LEAP,
    JumpTo.DOWN: _LEAP,
    JumpTo.ROW_START: -MOST_ACTIONS,
    JumpTo.TOP: -MOST_ACTIONS,
    JumpTo.ROW_END: MOST_ACTIONS,
    JumpTo.BOTTOM: MOST_ACTIONS,
}
_SKIPS: Final[Mapping[int, int]] = {JumpTo.PAGE_UP: -_SKIP_MS, JumpTo.PAGE_DOWN: _SKIP_MS}


class ReplayPage:
    """A game to be looked at again, from before its first action to its end."""

    def __init__(self, game: Game, label: str) -> None:
        self._recording = Recording(game)
        self._label = label
        self._position = 0

    def step(self, rows: int) -> None:
        """Go some actions on for each row, as the wheel and the arrows ask for it."""
        self._go_to(self._position + rows * _LEAP)

    def turn(self, columns: int) -> None:
        """Go an action on or back."""
        self._go_to(self._position + columns)

    def jump(self, direction: int) -> None:
        """Go ten actions or ten seconds, or to an end."""
        if direction in _SKIPS:
            self._skip(_SKIPS[direction])
        else:
            self._go_to(self._position + _JUMPS.get(direction, 0))

    def _skip(self, ms: int) -> None:
        """Go to the last action within a time."""
        until_ms = self._recording.at_ms(self._position) + ms
        self._go_to(bisect_right(self._recording.actions, until_ms, key=lambda each: each.at_ms))

    def _go_to(self, position: int) -> None:
        self._position = min(max(position, 0), self._recording.last)

    def model(self, message: Message) -> GameScreen:
        recording, position = self._recording, self._position
        return GameScreen(
            view=recording.position(position).view(),
            cursor=recording.cell(position),
            label=self._label,
            elapsed_ms=recording.at_ms(position),
            message=message if message.text else caption(recording, position),
            state=messages.REPLAY,
            time_line=time_line(recording, position),
            keys=messages.KEYS_REPLAY,
        )
