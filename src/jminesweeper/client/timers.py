"""When a client acts without being asked.

It notices that a server is silent, and reconnects to a lost one. The timers only say when; the
conversation and its driver say what.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 15.0
_SPREAD: Final = 0.5
QUIET_S: Final = 2.0
"""How long an answer may take before the client says so; a slow line stays below it."""


def earliest(*deadlines: float | None) -> float | None:
    """Return the first of the deadlines that are set."""
    return min((each for each in deadlines if each is not None), default=None)


def is_due(deadline: float | None, now_s: float) -> bool:
    """Whether a deadline is set and has come."""
    return deadline is not None and deadline <= now_s


class SilenceTimer:
    """Due when an answer has been owed for some time, and repeatedly from then on."""

    def __init__(self, quiet_s: float = QUIET_S, repeat_s: float = 1.0) -> None:
        self._quiet_s, self._repeat_s = quiet_s, repeat_s
        self.deadline: float | None = None
        self.is_silent = False
        self._since_s = 0.0

    def note(self, now_s: float, *, is_owed: bool, has_heard: bool = False) -> None:
        """Note whether an answer is owed, and whether anything was heard just now."""
        if not is_owed:
            self.deadline, self.is_silent = None, False
        elif has_heard or self.deadline is None:
            self.deadline, self.is_silent = now_s + self._quiet_s, False
            self._since_s = now_s

    def expire(self, now_s: float) -> int:
        """Return for how many whole seconds nothing was heard."""
        self.is_silent, self.deadline = True, now_s + self._repeat_s
        return round(now_s - self._since_s)


class Backoff:
    """Waits that double up to a limit, each spread at random.

    A server that restarts loses all its players at the same moment: without the spread they would
    all reconnect at the same moment too.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._wait_s = FIRST_WAIT_S

    def next_wait_s(self) -> float:
        """Return how long to wait before the next try."""
        wait_s = self._wait_s
        self._wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        return wait_s * (1 - _SPREAD * self._random())

    def reset(self) -> None:
        """Start over, because the connection is back."""
        self._wait_s = FIRST_WAIT_S
