"""The figures of many games, added up.

A series is a value: two of them add up to a third, so games may be played in any order, in batches
and on several processes. A game counts as played once something was done in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import sqrt
from typing import Final

from jminesweeper.core.figures import Figures, Rates, ratio
from jminesweeper.core.game import Game
from jminesweeper.core.view import Status

_Z95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Series(Rates):
    """What the games of a series add up to."""

    games_played: int = 0
    games_won: int = 0
    solved: int = 0
    """The 3BV that was solved in all games."""
    clicks: int = 0
    effective_clicks: int = 0
    elapsed_ms: int = 0

    @staticmethod
    def of(games: Iterable[Game]) -> Series:
        """Add up the games in which something was done."""
        played = (Series._single(Figures.of(game)) for game in games if game.was_played)
        return sum(played, Series())

    @staticmethod
    def _single(figures: Figures) -> Series:
        return Series(
            1,
            int(figures.status is Status.WON),
            figures.solved,
            figures.clicks,
            figures.effective_clicks,
            figures.elapsed_ms,
        )

    def __add__(self, other: Series) -> Series:
        return Series(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    @property
    def win_rate(self) -> float | None:
        """The share of the games that were won."""
        return ratio(self.games_won, self.games_played)

    @property
    def win_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the win rate in the long run."""
        return wilson_interval(self.games_won, self.games_played) if self.games_played else None


def wilson_interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a win rate."""
    rate, z2 = won / games, _Z95 * _Z95
    middle = rate + z2 / (2 * games)
    spread = _Z95 * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    return (middle - spread) / (1 + z2 / games), (middle + spread) / (1 + z2 / games)
