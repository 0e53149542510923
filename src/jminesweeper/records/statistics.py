"""The statistics of finished games, kept as running sums so that no request adds up games.

A sum counts the games that show what the player can do; games with help and games on a board seen
before are not ranked. A streak is a row of wins among all games of a category: any other result
ends it, and so does help. A game recorded again, because a loss was undone, moves from one
count to another. The streak that it ended stays ended, or a player could undo losses to save it.
What was won is never recorded again, so best times and means never need to be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.records.limits import MAX_LISTED

SPEED_FIGURE: Final = "3bv/s"


class CountedGame(NamedTuple):
    """A finished game, as statistics count it."""

    category: Variant
    status: Status
    counts: bool
    time_ms: int = 0
    speed: float | None = None


class Sums(NamedTuple):
    """Counts of games; times and speeds are sums over the won ones."""

    won: int = 0
    lost: int = 0
    terminated: int = 0
    best_ms: int | None = None
    time_ms: int = 0
    speed: float = 0.0
    speeds: int = 0
    """Number of the games that were won and have a speed."""

    def plus(self, result: CountedGame) -> Sums:
        counted = self._counted(result.status, 1)
        if result.status is not Status.WON:
            return counted
        best_ms = result.time_ms if self.best_ms is None else min(self.best_ms, result.time_ms)
        counted = counted._replace(best_ms=best_ms, time_ms=self.time_ms + result.time_ms)
        if result.speed is None:
            return counted
        return counted._replace(speed=self.speed + result.speed, speeds=self.speeds + 1)

    def minus(self, result: CountedGame) -> Sums:
        return self._counted(result.status, -1)

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated

    @property
    def win_rate(self) -> float | None:
        return self.won / self.played if self.played else None

    @property
    def mean_ms(self) -> float | None:
        return self.time_ms / self.won if self.best_ms is not None else None

    @property
    def mean_speed(self) -> float | None:
        return self.speed / self.speeds if self.speeds else None

    def _counted(self, status: Status, games: int) -> Sums:
        won, lost, terminated = (
            games * (status is each) for each in (Status.WON, Status.LOST, Status.TERMINATED)
        )
        return self._replace(
            won=self.won + won, lost=self.lost + lost, terminated=self.terminated + terminated
        )


class CategorySums(NamedTuple):
    """The running sums of one category: ranked games, unranked games, and the streak."""

    ranked: Sums = Sums()
    unranked: Sums = Sums()
    streak: int = 0
    best_streak: int = 0

    def plus(self, result: CountedGame, *, is_again: bool = False) -> CategorySums:
        """Count a game; one that was recorded before leaves the streak as it is."""
        added = self._with(result, self._of(result).plus(result))
        if is_again:
            return added
        is_win = result.counts and result.status is Status.WON
        streak = self.streak + 1 if is_win else 0
        return added._replace(streak=streak, best_streak=max(streak, self.best_streak))

    def minus(self, result: CountedGame) -> CategorySums:
        return self._with(result, self._of(result).minus(result))

    @property
    def counts(self) -> Sums:
        """All games, ranked or not, without times."""
        return add_counts((self.ranked, self.unranked))

    def _of(self, result: CountedGame) -> Sums:
        return self.ranked if result.counts else self.unranked

    def _with(self, result: CountedGame, sums: Sums) -> CategorySums:
        return self._replace(ranked=sums) if result.counts else self._replace(unranked=sums)


class Statistics(NamedTuple):
    """Games by category, those most played first, and counts of all others."""

    categories: Sequence[tuple[Variant, CategorySums]] = ()
    others: Sums = Sums()
    races: int = 0
    """Counts of games in rooms."""
    races_won: int = 0
    days: int = 0
    """In a row, up to today or yesterday, on which a board of the day was finished."""

    @property
    def counts(self) -> Sums:
        """All games."""
        return add_counts((self.others, *(sums.counts for _, sums in self.categories)))


def summarise(sums: Mapping[Variant | None, CategorySums]) -> Statistics:
    """Sort sums by category into those listed and the rest, which those of None belong to."""

    def order(line: tuple[Variant, CategorySums]) -> tuple[object, ...]:
        board, played = line[0], line[1].counts.played
        rules, size = board.rules.text, board.size
        # By name where as many were played, those with changed rules last.
        name = " " in rules, board.board, rules
        return -played, *name, size.columns, size.rows, board.mine_count, board.is_no_guess

    lines = [(category, line) for category, line in sums.items() if category is not None]
    lines.sort(key=order)
    others = [line for _, line in lines[MAX_LISTED:]] + [sums[each] for each in sums if not each]
    return Statistics(lines[:MAX_LISTED], add_counts([line.counts for line in others]))


def total_up(sums: Mapping[Variant | None, CategorySums]) -> Sequence[tuple[Variant | None, Sums]]:
    """Count games by category, all others in the last line."""
    listed, others = summarise(sums)[:2]
    totals: list[tuple[Variant | None, Sums]] = [(each, line.counts) for each, line in listed]
    return [*totals, (None, others)] if others.played else totals


def add_counts(parts: Sequence[Sums]) -> Sums:
    """Add games up, without their times."""
    return Sums(*map(sum, zip((0, 0, 0), *(part[:3] for part in parts), strict=True)))
