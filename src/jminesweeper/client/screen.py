"""A player's screen, here or at the far end of SSH: taken once, and given back as it was found."""

from __future__ import annotations

from collections.abc import Callable

from jminesweeper.client.events import AskBackground, EnableMouse
from jminesweeper.terminal import escapes


class TerminalScreen:
    """Writes what is painted, between the sequences that open a screen and close it."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._is_open = self._has_mouse = False

    def show(self, picture: str) -> None:
        """Write what was painted; take the screen before the first time."""
        if not self._is_open:
            self._is_open = True
            self.take_again()
        self._write(picture)

    def perform(self, effect: EnableMouse | AskBackground) -> None:
        match effect:
            case EnableMouse():
                if self._is_open and not self._has_mouse:
                    self._write(escapes.MOUSE_ON)
                self._has_mouse = True
            case AskBackground():
                self._write(escapes.ASK_BACKGROUND)

    def give_back(self) -> None:
        """Close the screen if it was opened."""
        if self._is_open:
            self._write(escapes.closing(has_mouse=self._has_mouse))

    def take_again(self) -> None:
        """Open the screen again if it was given back for a while."""
        if self._is_open:
            self._write(escapes.opening(has_mouse=self._has_mouse))
