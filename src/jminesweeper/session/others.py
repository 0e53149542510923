"""A player's unfinished games beside the current match.

One may wait: it is the running game in the store, and its player has not said yet whether to resume
it. Others are about to become automatic saves, because a new game replaced them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from jminesweeper.core.setup import Setup
from jminesweeper.session.match import Match
from jminesweeper.session.talks import Flow
from jminesweeper.store import RunningGame


@dataclass(frozen=True, slots=True)
class Aside:
    """A game that was replaced and is about to become an automatic save."""

    game: RunningGame
    at_s: int
    opened_share: float


class Waiting(NamedTuple):
    """The running game in the store, not resumed yet."""

    match: Match
    kept: RunningGame


class Wanted(NamedTuple):
    """A game that begins unless the waiting one is resumed."""

    board: str
    begin: Callable[[], Flow | None]


def as_left(written: RunningGame, successor: Setup | None, *, is_copied: bool) -> RunningGame:
    """Return a game as it is set aside: as a repeat, if its board may be seen elsewhere."""
    own = written.setup
    sources = (own.seed, own.layout)
    is_same = successor is not None and (successor.seed, successor.layout) == sources
    if is_same or is_copied or own.variant.daily:
        return replace(written, setup=own.as_repeat())
    return written


class Others:
    """The unfinished games a player has beside the current match."""

    __slots__ = ("are_due", "asides", "superseded", "waiting", "wanted")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all games but the current match."""
        self.waiting: Waiting | None = None
        """What the player is asked whether to resume."""
        self.wanted: Wanted | None = None
        self.superseded: Match | None = None
        """The game that waited when the match began; the match's first action ends it."""
        self.asides: dict[str, Aside] = {}
        """Games set aside that are not stored yet, by code."""
        self.are_due = False
        """Whether a game was set aside since the store was last asked."""

    def offer(self, waiting: Waiting) -> None:
        """Have the player asked whether to resume a game."""
        self.waiting, self.wanted = waiting, None

    def set_aside(self, match: Match, kept: RunningGame, at_s: int) -> None:
        """Mark a game that was replaced for storing as an automatic save."""
        self.asides[kept.code] = Aside(kept, at_s, match.opened_share)
        self.are_due = True
