"""The clocks of a screen: a game's, a countdown's, and a replay's with its keys and time line.

Time is an argument, and each clock says when it is due. A game's clock ticks here between what the
server says about it. A `Playback` has its place in a game: positions are counted in actions, its
clock in milliseconds of play, and it advances by the time that was actually watched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor
from typing import Final

from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.lines import StyledLine, format_tenths, span
from jminesweeper.terminal.looks import Style, Symbols
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


SPEEDS: Final = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
FRAME_MS: Final = 40
"""Screens are painted no faster than this, whatever the speed."""
LATE_MS: Final = 500
"""A call that comes this late means that nobody was watching: suspended, for instance."""
_SKIP_MS: Final = 10_000
_LEAP: Final = 10


class Playback:
    """Plays through actions at these times, in milliseconds of play."""

    def __init__(self, times: Sequence[int], speed: float = 1.0) -> None:
        self._times = times
        self._is_live = False
        """More is to come: at the end it waits."""
        self.speed = speed
        self.position = 0
        self.is_playing = False
        self._clock_ms = 0.0
        self._now_ms: float | None = None

    @property
    def clock_ms(self) -> int:
        """The clock of the game."""
        return floor(self._clock_ms)

    @property
    def end_ms(self) -> int:
        return self._times[-1] if self._times else 0

    @property
    def last(self) -> int:
        """The last position."""
        return len(self._times)

    @property
    def share(self) -> float:
        """The share that has been played, from 0 to 1."""
        if self.end_ms:
            # Times come from a server: they may go back, and even begin below zero.
            return min(max(0.0, self.clock_ms / self.end_ms), 1.0)
        return self.position / max(1, self.last)

    @property
    def due_ms(self) -> int | None:
        """The time of the next action or the next second, unless it is paused."""
        if not self.is_playing or self.position == self.last:
            return None
        if self._now_ms is None:
            return 0
        next_second = 1000 * (self._clock_ms // 1000 + 1)
        due_ms = min(next_second, self._times[self.position])
        wait_ms = (due_ms - self._clock_ms) / self.speed
        return ceil(self._now_ms + max(FRAME_MS, wait_ms))

    def advance(self, now_ms: float) -> None:
        """Advance by the time that was watched since the last call."""
        due_ms, since_ms = self.due_ms, self._now_ms
        self._now_ms = now_ms
        if due_ms is None or since_ms is None or since_ms == now_ms:
            return
        watched_ms = min(now_ms, due_ms + LATE_MS) - since_ms
        self._set_clock(self._clock_ms + max(0.0, watched_ms) * self.speed)
        self.position = max(self.position, self._reached())
        self.is_playing = self._goes_on

    @property
    def _goes_on(self) -> bool:
        return self._is_live or self.position < self.last

    def extend(self, times: Sequence[int], *, is_live: bool) -> None:
        """Know of more actions; `is_live` if there will be others."""
        self._times = times
        self._is_live = is_live
        self.is_playing = self.is_playing and self._goes_on

    def toggle(self) -> None:
        """Pause or resume; at the end, start again."""
        if not self.is_playing and not self._goes_on:
            self._go_to(0)
        self.is_playing = not self.is_playing and self._goes_on

    def pause(self) -> None:
        self.is_playing = False

    def step(self, actions: int) -> None:
        """Pause, some actions forward or back."""
        self.is_playing = False
        self._go_to(min(max(self.position + actions, 0), self.last))

    def skip(self, ms: int) -> None:
        """Jump to a later or earlier time."""
        self._set_clock(self._clock_ms + ms)
        self.position = self._reached() if self._clock_ms else 0
        self.is_playing = self.is_playing and self._goes_on

    def rewind(self) -> None:
        """Go back to before the first action."""
        self._go_to(0)

    def finish(self) -> None:
        """Go to the end."""
        self.step(self.last)

    def faster(self) -> None:
        self.speed = min((each for each in SPEEDS if each > self.speed), default=self.speed)

    def slower(self) -> None:
        self.speed = max((each for each in SPEEDS if each < self.speed), default=self.speed)

    def _go_to(self, position: int) -> None:
        self.position = position
        self._clock_ms = float(self._times[position - 1] if position else 0)

    def _set_clock(self, clock_ms: float) -> None:
        self._clock_ms = min(max(clock_ms, 0.0), float(self.end_ms))

    def _reached(self) -> int:
        return bisect_right(self._times, self._clock_ms)


PLAYBACK_COMMANDS: Final[Mapping[KeyAction, Callable[[Playback], None]]] = {
    KeyAction.FLAG: Playback.toggle,
    KeyAction.PAUSE: Playback.toggle,
    KeyAction.REVEAL: lambda playback: playback.step(1),
    KeyAction.RIGHT: lambda playback: playback.step(1),
    KeyAction.LEFT: lambda playback: playback.step(-1),
    KeyAction.DOWN: lambda playback: playback.step(_LEAP),
    KeyAction.UP: lambda playback: playback.step(-_LEAP),
    KeyAction.JUMP_RIGHT: lambda playback: playback.step(_LEAP),
    KeyAction.JUMP_LEFT: lambda playback: playback.step(-_LEAP),
    KeyAction.PAGE_DOWN: lambda playback: playback.skip(_SKIP_MS),
    KeyAction.PAGE_UP: lambda playback: playback.skip(-_SKIP_MS),
    KeyAction.ROW_START: Playback.rewind,
    KeyAction.ROW_END: Playback.finish,
    KeyAction.FASTER: Playback.faster,
    KeyAction.SLOWER: Playback.slower,
}
"""Effects of keys on a replay."""


_SHORTEST_BAR = 10


def compose_time_line(playback: Playback, columns: int, symbols: Symbols) -> StyledLine:
    """Write the time line; a short one has no bar."""
    position = f"{playback.position}/{playback.last}"
    now, end = format_tenths(playback.clock_ms), format_tenths(playback.end_ms)
    # The figures keep their widths while the replay runs.
    left = f" {now:>{len(end)}} "
    right = f" {end}   {position:>{2 * len(str(playback.last)) + 1}}   {playback.speed:>5g}x "
    width = columns - len(left) - len(right)
    if width < _SHORTEST_BAR:
        return span((left + right)[:columns])
    done = int((width - 1) * playback.share)
    bar = span(symbols.done * done, Style.DONE) + span(symbols.here, Style.KEY)
    return (
        span(left) + bar + span(symbols.horizontal * (width - 1 - done), Style.FRAME) + span(right)
    )
