"""How long to wait before trying a lost server again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FIRST_WAIT_S: Final = 0.25
LONGEST_WAIT_S: Final = 15.0
_SPREAD: Final = 0.5


class Backoff:
    """Waits that double up to a limit, each spread at random.

    A server that restarts loses all its players at the same moment: without the spread they would
    all come back at the same moment too.
    """

    def __init__(self, random: Callable[[], float]) -> None:
        self._random = random
        self._wait_s = FIRST_WAIT_S

    def next_wait_s(self) -> float:
        """Say how long to wait before the next try."""
        wait_s = self._wait_s
        self._wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        return wait_s * (1 - _SPREAD * self._random())

    def reset(self) -> None:
        """Begin anew: somebody is playing again."""
        self._wait_s = FIRST_WAIT_S
