"""A rival in a race alone: how much was open on the same board, after how many milliseconds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jminesweeper.core.actions import unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.records.documents import reading_values
from jminesweeper.records.rooms import Finish, finish_of

PACES: Final[Mapping[str, int]] = {"calm": 2_000, "brisk": 900, "merciless": 350}
"""Mean times of the solver's moves, in milliseconds."""
LOOK_MS: Final = 250
"""Least interval between two looks at a rival's progress."""


class Rival(NamedTuple):
    """An earlier player of the board, or the solver, by times of play."""

    name: str
    times: Sequence[int]
    """Times at which more was opened, in milliseconds."""
    shares: Sequence[int]
    """The share that was open from each of these times on, in thousandths of the safe cells."""
    finish: Finish
    is_bot: bool = False

    @staticmethod
    @reading_values()
    def read(row: Sequence[Any]) -> Rival:
        """Read a rival from the row of its values that a record keeps."""
        name, times, shares, finish, is_bot = row
        return Rival(name, times, shares, Finish(*finish), is_bot)

    def taking(self, time_ms: int) -> Rival:
        """Return the same game, played in this time."""
        before_ms = max(1, self.finish.time_ms)
        times = [each * time_ms // before_ms for each in self.times]
        speed = self.finish.speed * before_ms // max(1, time_ms)
        return self._replace(times=times, finish=self.finish._replace(time_ms=time_ms, speed=speed))

    def opened(self, clock_ms: int) -> int:
        """Return how much is open by this time."""
        steps = bisect_right(self.times, clock_ms)
        return self.shares[steps - 1] if steps else 0

    def has_finished(self, clock_ms: int) -> bool:
        return clock_ms >= self.finish.time_ms

    def next_step_in_ms(self, clock_ms: int) -> int:
        """Return when to look again how far it is."""
        later = self.times[bisect_right(self.times, clock_ms) :][:1] or [self.finish.time_ms]
        return max(LOOK_MS, later[0] - clock_ms)


def rival_of(game: Game, name: str, *, is_bot: bool = False) -> Rival:
    """Make a rival of a game that has ended."""
    steps = dict(_steps(game))
    return Rival(name, tuple(steps), tuple(steps.values()), finish_of(game), is_bot)


def _steps(game: Game) -> Iterator[tuple[int, int]]:
    """List when how much was open, where that is another share: at most a thousand times."""
    again, cells, before = Game(game.setup), max(1, game.setup.variant.safe_count), 0
    for entry in game.log.entries:
        again.push(entry)
        share = 1000 * again.opened_count // cells
        if share != before:
            yield unpack_entry(entry)[0], share
        before = share
