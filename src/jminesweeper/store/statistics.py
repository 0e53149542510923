"""What a player's finished games add up to; one reckoning for all backends.

A tally counts the games that show what the player can do; games with help and games on a board
seen before stand apart. A streak is a row of wins among all games of a category: whatever else
a game came to ends it, help included, or a lost game could be undone to save the streak.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jminesweeper.core import Status
from jminesweeper.store.values import Category, FinishedGame

SPEED_FIGURE = "3bv/s"


class Result(NamedTuple):
    """What statistics need of a finished game."""

    category: Category
    status: Status
    time_ms: int
    is_ranked: bool
    speed: float | None

    @classmethod
    def of(cls, game: FinishedGame) -> Result:
        speed = game.figures.get(SPEED_FIGURE)
        return cls(game.category, game.status, game.time_ms, game.is_ranked, speed)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of games; times and speed are those of the games that were won."""

    won: int = 0
    lost: int = 0
    terminated: int = 0
    best_ms: int | None = None
    mean_ms: float | None = None
    mean_speed: float | None = None

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated

    @property
    def win_rate(self) -> float | None:
        return self.won / self.played if self.played else None


@dataclass(frozen=True, slots=True)
class CategoryStatistics:
    """One player's games of one category."""

    category: Category
    ranked: Tally
    apart: Tally
    streak: int
    best_streak: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """One player's games."""

    categories: tuple[CategoryStatistics, ...] = ()

    @property
    def games_played(self) -> int:
        return sum(c.ranked.played + c.apart.played for c in self.categories)

    @property
    def games_won(self) -> int:
        return sum(c.ranked.won + c.apart.won for c in self.categories)


def summarise(results: Iterable[Result]) -> Statistics:
    """Add up results that come in the order in which the games ended."""
    by_category: dict[Category, list[Result]] = {}
    for result in results:
        by_category.setdefault(result.category, []).append(result)
    return Statistics(tuple(_summarise(*item) for item in by_category.items()))


def _summarise(category: Category, results: Sequence[Result]) -> CategoryStatistics:
    streak, best_streak = _streaks(results)
    return CategoryStatistics(
        category,
        ranked=_tally([result for result in results if result.is_ranked]),
        apart=_tally([result for result in results if not result.is_ranked]),
        streak=streak,
        best_streak=best_streak,
    )


def _tally(results: Sequence[Result]) -> Tally:
    statuses = [result.status for result in results]
    times = [result.time_ms for result in results if result.status is Status.WON]
    speeds = [r.speed for r in results if r.status is Status.WON and r.speed is not None]
    return Tally(
        won=statuses.count(Status.WON),
        lost=statuses.count(Status.LOST),
        terminated=statuses.count(Status.TERMINATED),
        best_ms=min(times, default=None),
        mean_ms=_mean(times),
        mean_speed=_mean(speeds),
    )


def _streaks(results: Sequence[Result]) -> tuple[int, int]:
    streak = best = 0
    for result in results:
        streak = streak + 1 if result.is_ranked and result.status is Status.WON else 0
        best = max(best, streak)
    return streak, best


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
