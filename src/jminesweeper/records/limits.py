"""Limits: how much of everything is kept, and for how long; how often anything may be done."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Final

MAX_NAMED_SAVES: Final = 20
AUTOMATIC_SAVES: Final = ("auto 1", "auto 2", "auto 3")
"""The names under which a session keeps games that others replaced."""
MAX_DEVICES: Final = 20
"""Devices that play as another player than the one of their key."""
MAX_GAMES: Final = 1_000
"""Finished games in a player's history; of older ones only the statistics stay."""
SAFE_GAMES: Final = 50
"""Finished games of a player that stay even in a full store, which refuses new ones instead."""
MAX_CATEGORIES: Final = 1_000
"""Categories that are counted one by one; games of further ones are counted together."""
MAX_OWN_BEST: Final = 10
"""A player's best wins of each leaderboard's board, which are kept for good."""
MAX_LISTED: Final = 50
"""Lines of a page, unless its reader asks for more."""
MAX_LABEL_CHARS: Final = 64
MAX_SETTINGS_CHARS: Final = 8_192
MAX_NEWCOMERS: Final = 200
"""New players from one address in an hour. A school has one address."""

HOUR_S: Final = 3_600
DAY_S: Final = 86_400
NEWCOMER_S: Final = 30 * DAY_S
"""Time for which a player is kept who has never finished a game, since they last played."""
NOTE_S: Final = 400 * DAY_S
"""Time for which a note is kept. Without it a game has the clock of its last action."""
_MOST_TIMES: Final = 500


class Limits:
    """The one place where anything is slowed down.

    `every` has the interval of each thing in milliseconds, and how many may come at once:

    >>> limits = Limits({"look": (1_000, 2)})
    >>> [limits.passes("look", now_ms) for now_ms in (5_000, 5_001, 5_002, 6_000)]
    [True, True, False, True]
    """

    def __init__(self, every: Mapping[str, tuple[int, int]]) -> None:
        self._every = every
        self._paid_ms: dict[Hashable, int] = {}
        self._most = _MOST_TIMES

    def next_ms(self, what: str, whose: Hashable = 0) -> int:
        """Return when it may happen next."""
        every_ms, burst = self._every[what]
        return self._paid_ms.get((what, whose), 0) - (burst - 1) * every_ms

    def note(self, what: str, now_ms: int, whose: Hashable = 0) -> None:
        if len(self._paid_ms) > self._most:
            self._paid_ms = {key: ms for key, ms in self._paid_ms.items() if ms > now_ms}
            self._most = max(_MOST_TIMES, 2 * len(self._paid_ms))
        paid_ms = max(now_ms, self._paid_ms.get((what, whose), 0))
        self._paid_ms[what, whose] = paid_ms + self._every[what][0]

    def passes(self, what: str, now_ms: int, whose: Hashable = 0) -> bool:
        """Return True if it may happen now; then not again for a while."""
        if now_ms < self.next_ms(what, whose):
            return False
        self.note(what, now_ms, whose)
        return True

    def pass_all(self, now_ms: int) -> Collection[str]:
        """Return everything due that is nobody's own, and note it; then not again for a while."""
        paid_ms = self._paid_ms
        due = [what for what in self._every if now_ms >= paid_ms.get((what, 0), 0)]
        for what in due:
            self.note(what, now_ms)
        return due

    def give_back(self, what: str, whose: Hashable = 0) -> None:
        """Take back one count of something that has happened."""
        if (what, whose) in self._paid_ms:
            self._paid_ms[what, whose] -= self._every[what][0]

    def forget(self, what: str, whose: Hashable) -> None:
        """Drop the count of somebody who has gone."""
        self._paid_ms.pop((what, whose), None)

    def put_off(self, what: str, until_ms: int) -> None:
        """Let it happen for the first time then."""
        self._paid_ms[what, 0] = until_ms
