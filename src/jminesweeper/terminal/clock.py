"""The clock of a game, which ticks here between what the server says about it."""

from __future__ import annotations

from math import ceil

from jminesweeper.terminal.view import GameView

_SECOND_MS = 1000


class Clock:
    """A clock that runs on from the server's last value."""

    def __init__(self) -> None:
        self._ms = 0
        self._since_s: float | None = None
        """The moment when it said so, while it runs."""
        self.shown_ms = 0
        """The time of play on the screen."""

    def apply_view(self, view: GameView, changed: frozenset[str], now_s: float) -> None:
        """Follow what the server says; a clock that runs does not jump back within a second."""
        before = self.ms(now_s)
        if not changed & {"clock", "clock_runs", "size"}:
            return
        is_late = "size" not in changed and self._since_s is not None and view.clock_runs
        if "clock" not in changed or (is_late and view.clock < before < view.clock + _SECOND_MS):
            self._ms = before
        else:
            self._ms = view.clock
        self._since_s = now_s if view.clock_runs else None

    def ms(self, now_s: float) -> int:
        """Return the time of play."""
        if self._since_s is None:
            return self._ms
        return self._ms + max(0, int(_SECOND_MS * (now_s - self._since_s)))

    def show(self, now_s: float) -> int:
        """Return the time of play, which is shown from now on."""
        self.shown_ms = self.ms(now_s)
        return self.shown_ms

    @property
    def next_tick_s(self) -> float | None:
        """The time at which the shown seconds change."""
        if self._since_s is None:
            return None
        # A millisecond more, so that rounding never wakes anybody just before it.
        next_ms = (self.shown_ms // _SECOND_MS + 1) * _SECOND_MS - self._ms + 1
        return self._since_s + next_ms / _SECOND_MS


class Countdown:
    """Runs down to a moment, in whole seconds."""

    def __init__(self) -> None:
        self._end_s: float | None = None
        self.shown_s = 0
        """The remaining seconds, as shown; 0 if nothing is counted."""

    def start(self, ms: int | None, now_s: float) -> None:
        """Start counting down from `ms`; None if nothing is counted."""
        self._end_s = None if ms is None else now_s + ms / _SECOND_MS

    def show(self, now_s: float) -> None:
        """Update the remaining seconds to a time."""
        left_s = 0.0 if self._end_s is None else self._end_s - now_s
        self.shown_s = max(0, ceil(left_s))

    @property
    def next_tick_s(self) -> float | None:
        """The time at which the shown seconds change."""
        if self._end_s is None or not self.shown_s:
            return None
        return self._end_s - self.shown_s + 1.001
