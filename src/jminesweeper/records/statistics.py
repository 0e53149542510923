"""The statistics of finished games, kept as running sums so that no request adds up games.

A sum counts the games that show what the player can do; games with help and games on a board seen
before are not ranked. A streak is a row of wins among all games of a category: any other result
ends it, and so does help. A game recorded again, because a loss was undone, moves from one
count to another. The streak that it ended stays ended, or a player could undo losses to save it.
What was won is never recorded again, so best times and means never need to be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.text import format_rules
from jminesweeper.records.limits import MAX_LISTED

SPEED_FIGURE: Final = "3bv/s"


class Result(NamedTuple):
    """What statistics need of a finished game."""

    category: Variant
    status: Status
    counts: bool
    time_ms: int = 0
    speed: float | None = None


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


class Sums(NamedTuple):
    """The running sums behind a tally."""

    won: int = 0
    lost: int = 0
    terminated: int = 0
    best_ms: int | None = None
    time_ms: int = 0
    speed: float = 0.0
    speeds: int = 0
    """How many of the games that were won have a speed."""

    def plus(self, result: Result) -> Sums:
        counted = self._counted(result.status, 1)
        if result.status is not Status.WON:
            return counted
        best_ms = result.time_ms if self.best_ms is None else min(self.best_ms, result.time_ms)
        counted = counted._replace(best_ms=best_ms, time_ms=self.time_ms + result.time_ms)
        if result.speed is None:
            return counted
        return counted._replace(speed=self.speed + result.speed, speeds=self.speeds + 1)

    def minus(self, result: Result) -> Sums:
        """Take a game back that was not won."""
        return self._counted(result.status, -1)

    def tally(self) -> Tally:
        return Tally(
            self.won,
            self.lost,
            self.terminated,
            self.best_ms,
            self.time_ms / self.won if self.best_ms is not None else None,
            self.speed / self.speeds if self.speeds else None,
        )

    def _counted(self, status: Status, games: int) -> Sums:
        match status:
            case Status.WON:
                return self._replace(won=self.won + games)
            case Status.LOST:
                return self._replace(lost=self.lost + games)
            case _:
                return self._replace(terminated=self.terminated + games)


class CategorySums(NamedTuple):
    """The running sums of one category: ranked games, unranked games, and the streak."""

    ranked: Sums = Sums()
    unranked: Sums = Sums()
    streak: int = 0
    best_streak: int = 0

    def plus(self, result: Result, *, is_again: bool = False) -> CategorySums:
        """Count a game; one that was recorded before leaves the streak as it is."""
        added = self._with(result, self._of(result).plus(result))
        if is_again:
            return added
        is_win = result.counts and result.status is Status.WON
        streak = self.streak + 1 if is_win else 0
        return added._replace(streak=streak, best_streak=max(streak, self.best_streak))

    def minus(self, result: Result) -> CategorySums:
        """Take a game back that was not won."""
        return self._with(result, self._of(result).minus(result))

    @property
    def won(self) -> int:
        return self.ranked.won + self.unranked.won

    @property
    def lost(self) -> int:
        return self.ranked.lost + self.unranked.lost

    @property
    def terminated(self) -> int:
        return self.ranked.terminated + self.unranked.terminated

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated

    def statistics(self, category: Variant) -> CategoryStatistics:
        return CategoryStatistics(
            category, self.ranked.tally(), self.unranked.tally(), self.streak, self.best_streak
        )

    def _of(self, result: Result) -> Sums:
        return self.ranked if result.counts else self.unranked

    def _with(self, result: Result, sums: Sums) -> CategorySums:
        return self._replace(ranked=sums) if result.counts else self._replace(unranked=sums)


@dataclass(frozen=True, slots=True)
class CategoryStatistics:
    """One player's games of one category."""

    category: Variant
    ranked: Tally
    unranked: Tally
    streak: int
    best_streak: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """One player's games: the categories most played, and counts of all others."""

    categories: tuple[CategoryStatistics, ...] = ()
    others: Tally = Tally()

    @property
    def games_played(self) -> int:
        return self.others.played + sum(
            c.ranked.played + c.unranked.played for c in self.categories
        )

    @property
    def games_won(self) -> int:
        return self.others.won + sum(c.ranked.won + c.unranked.won for c in self.categories)


@dataclass(frozen=True, slots=True)
class Total:
    """How the games of a category ended, those of anonymous players included."""

    category: Variant | None
    """None means all categories without a line of their own."""
    won: int = 0
    lost: int = 0
    terminated: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated


def summarise(sums: Mapping[Variant | None, CategorySums]) -> Statistics:
    """Make a player's statistics of sums by category; those of None stand for all others."""
    listed, others = _most_played(sums)
    return Statistics(
        tuple(line.statistics(category) for category, line in listed), Tally(*_add_up(others))
    )


def total_up(sums: Mapping[Variant | None, CategorySums]) -> tuple[Total, ...]:
    """Make totals of sums by category, all others in the last line."""
    listed, others = _most_played(sums)
    totals = [Total(category, *_add_up([line])) for category, line in listed]
    if any(counts := _add_up(others)):
        totals.append(Total(None, *counts))
    return tuple(totals)


def name_order(board: Variant) -> tuple[object, ...]:
    """Sort boards by name, those with changed rules last."""
    rules = format_rules(board.rules)
    size = board.size.columns, board.size.rows, board.mine_count
    return " " in rules, board.board, rules, *size, board.is_no_guess


def _most_played(
    sums: Mapping[Variant | None, CategorySums],
) -> tuple[Sequence[tuple[Variant, CategorySums]], Sequence[CategorySums]]:
    """Give the categories with a line of their own, and the sums of all others."""
    lines = [(category, line) for category, line in sums.items() if category is not None]
    lines.sort(key=lambda line: (-line[1].played, *name_order(line[0])))
    others = [line for _, line in lines[MAX_LISTED:]]
    if None in sums:
        others.append(sums[None])
    return lines[:MAX_LISTED], others


def _add_up(lines: Iterable[CategorySums]) -> Sequence[int]:
    counts = ((each.won, each.lost, each.terminated) for each in lines)
    return tuple(map(sum, zip((0, 0, 0), *counts, strict=True)))
