"""What friends say in a room: shown with their names for some seconds, and gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.core.grid import Cell
from jminesweeper.terminal.view import Phrase, View
from jminesweeper.terminal.words import PHRASES

SHOWN_S: Final = 4.0
POINTED_S: Final = 3.0
"""How long a cell is marked that somebody points at."""
_MOST: Final = 3
"""Phrases that are shown side by side, the latest last."""


class Talk:
    """The latest phrase of each seat."""

    def __init__(self) -> None:
        self._phrases: Mapping[Phrase, float] = {}
        """Until when each is shown."""

    def take(self, view: View, now_s: float) -> None:
        """Hear what is said in a view."""
        for said in view.said:
            if said.id in PHRASES:
                others = {one: end for one, end in self._phrases.items() if one.seat != said.seat}
                end_s = now_s + (SHOWN_S if said.id else POINTED_S)
                self._phrases = {**others, said: end_s}

    def text(self, view: View) -> str:
        """Write who says what."""
        latest = [*self._phrases][-_MOST:]
        told = ((view.seat(phrase.seat), PHRASES[phrase.id]) for phrase in latest)
        return "   ".join(f"{seat.name}: {words}" for seat, words in told if seat is not None)

    @property
    def pointed_at(self) -> frozenset[Cell]:
        """The cells to look at."""
        cells = (phrase.cell for phrase in self._phrases if not phrase.id)
        return frozenset(cell for cell in cells if cell is not None)

    @property
    def deadline(self) -> float | None:
        """When something has been shown long enough."""
        return min(self._phrases.values(), default=None)

    def expire(self, now_s: float) -> None:
        """Forget what has been shown long enough."""
        self._phrases = {one: end for one, end in self._phrases.items() if end > now_s}
