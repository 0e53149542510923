"""What a server decides for all its sessions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jminesweeper.core import RandomBits
from jminesweeper.session.dates import iso_date

_DAY_S = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionConfig:
    """Immutable, and shared by every session of a server."""

    debug_allowed: bool = True
    has_store: bool = False
    """Whether somebody answers for a store; without one everybody plays from memory."""
    has_solver: bool = False
    """Whether somebody answers for hints, boards without guesses and reviews."""
    epoch_ms: int = 0
    """What to add to the sessions' time to get the milliseconds since 1970 began, in UTC."""
    name_day: Callable[[int], str] = iso_date
    """Calls a day, counted since 1970 began, by its date."""
    tokens: RandomBits | None = None
    """Where names that must differ between connections come from, when boards may be foreseen."""

    def seconds(self, now_ms: int) -> int:
        return (self.epoch_ms + now_ms) // 1000

    def today(self, now_ms: int) -> str:
        return self.date(self.seconds(now_ms))

    def date(self, at_s: int) -> str:
        """Name the day of a time in seconds since 1970 began."""
        return self.name_day(at_s // _DAY_S)
