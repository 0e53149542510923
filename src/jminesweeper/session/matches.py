"""The matches of one process, by their codes.

Sessions at the same game share its match. What a match wants of the store is asked for by whoever
drives the sessions: it takes the matches that changed, and carries out what their journals say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator

from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.records.flows import Flow
from jminesweeper.records.results import count_anonymous
from jminesweeper.session.match import Match
from jminesweeper.session.tables import Tables


class Matches:
    """The matches somebody is at, and those that are not stored yet."""

    def __init__(self, epoch_ms: Callable[[], int] = lambda: 0) -> None:
        self.epoch_ms = epoch_ms
        """Returns what to add to the sessions' time to get milliseconds since 1970."""
        self.on_change: Callable[[], object] = lambda: None
        """Called when a match has changed: whoever drives the sessions sets it."""
        self.tables = Tables()
        """The rooms in which those who play them sit."""
        self.shown: dict[str, Match] = {}
        """What the players here play that others may watch, by the players' handles."""
        self.listed: Counter[str] = Counter()
        """How many players here are on the list of those who are on, by their addresses."""
        self.ended: Counter[tuple[Variant, Status]] = Counter()
        """Games that nobody keeps, and that are not counted yet: one by one they would cost a
        twentieth of all processor time."""
        self._by_code: dict[str, Match] = {}
        self._changed: dict[Match, None] = {}

    def __len__(self) -> int:
        return len(self._by_code)

    def __iter__(self) -> Iterator[Match]:
        return iter(tuple(self._by_code.values()))

    def find(self, code: str) -> Match | None:
        return self._by_code.get(code)

    def note(self, match: Match) -> None:
        """Remember that a match that is stored changed, or who is at it."""
        if match.journal is not None:
            self._by_code.setdefault(match.code, match)
            self._changed[match] = None
            self.on_change()

    def forget(self, match: Match) -> None:
        """Give up a match that no store takes."""
        self._by_code.pop(match.code, None)

    def count_ended(self) -> Iterable[Flow[None]]:
        """Return what counts the games that have ended and that nobody keeps."""
        ended, self.ended = self.ended, Counter()
        return [count_anonymous(*what, games) for what, games in ended.items()]

    def take_changed(self) -> Collection[Match]:
        """Return the matches that changed; those that nobody needs any more are forgotten."""
        changed, self._changed = self._changed, {}
        for match in changed:
            if not match.is_needed and self._by_code.get(match.code) is match:
                del self._by_code[match.code]
        return changed
