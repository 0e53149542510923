"""The figures by which players compare boards and games.

An *opening* is a set of zeros joined by the spread of the rules, with the cells it opens. The
*3BV* of a board is the least number of left clicks that show every safe cell without chords: one
for each opening, and one for each safe cell that none opens (a *lone* cell). With the spread to
four neighbours it is therefore larger than the usual one, and without automatic opening it is the
number of safe cells.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from math import sqrt
from typing import Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.errors import check_kind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Grid, count_components
from jminesweeper.core.minefield import Minefield, Planes
from jminesweeper.core.rules import Rules, Spread
from jminesweeper.core.view import Status

_Z95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class BoardFigures:
    """The clicks that a board asks of a player, under its rules."""

    spread: Spread
    openings: int
    lone_cells: int
    islands: int
    """Groups of lone cells, joined on any of eight sides."""

    @property
    def bbbv(self) -> int:
        """The 3BV."""
        return self.openings + self.lone_cells


def measure_board(field: Minefield, rules: Rules) -> BoardFigures:
    """Count a board's openings, lone cells and islands."""
    check_kind("field", field, Minefield, "a Minefield")
    check_kind("rules", rules, Rules, "Rules")
    zeros, lone = split_by_opening(field, rules)
    return BoardFigures(
        rules.spread,
        _count_openings(field, zeros, rules),
        lone.bit_count(),
        count_components(field.grid, lone, diagonal=True),
    )


def count_solved(field: Minefield, visible: int, rules: Rules) -> int:
    """Count how much of the board's 3BV is done when these cells are visible."""
    zeros, lone = split_by_opening(field, rules)
    return _count_openings(field, zeros & visible, rules) + (lone & visible).bit_count()


def count_known(grid: Grid, visible: int, planes: Planes, rules: Rules) -> int:
    """Count how much of the 3BV is done, by what its player can see.

    Unlike `count_solved` it looks at visible cells alone: a number counts until a zero beside it
    turns visible, so nothing is said of zeros that are still covered.
    """
    if not rules.auto_open:
        return visible.bit_count()
    ones, twos, fours, eights = planes
    zeros = visible & ~(ones | twos | fours | eights)
    is_wide = rules.spread is Spread.EIGHT
    border = grid.neighbours(zeros) if is_wide else grid.beside(zeros)
    lone = visible & ~(zeros | border)
    return count_components(grid, zeros, diagonal=is_wide) + lone.bit_count()


def _count_openings(field: Minefield, zeros: int, rules: Rules) -> int:
    return count_components(field.grid, zeros, diagonal=rules.spread is Spread.EIGHT)


def split_by_opening(field: Minefield, rules: Rules) -> tuple[int, int]:
    """Split the safe cells into zeros, which open others, and cells that no zero opens."""
    if not rules.auto_open:
        return 0, field.safe
    zeros, grid = field.zeros, field.grid
    border = grid.beside(zeros) if rules.spread is Spread.FOUR else grid.neighbours(zeros)
    return zeros, field.safe ^ (field.safe & (zeros | border))


class Rates:
    """The rates of one game or of many. One that means nothing yet is None."""

    __slots__ = ()

    solved: int
    effective_clicks: int
    elapsed_ms: int

    @property
    @abstractmethod
    def clicks(self) -> int:
        """Left, right and chording clicks together."""

    @property
    def efficiency(self) -> float | None:
        """3BV solved by each click (IOE); above 1 with chords and luck."""
        return ratio(self.solved, self.clicks)

    @property
    def correctness(self) -> float | None:
        """Share of the clicks that were effective."""
        return ratio(self.effective_clicks, self.clicks)

    @property
    def throughput(self) -> float | None:
        """3BV solved by each effective click."""
        return ratio(self.solved, self.effective_clicks)

    @property
    def bbbv_per_second(self) -> float | None:
        """3BV solved in a second of play."""
        return ratio(1000 * self.solved, self.elapsed_ms)


@dataclass(frozen=True, slots=True)
class Figures(Rates):
    """The figures of a game, at its end or before.

    A click is a reveal, a flag set or removed, or a chord. It is effective if it changed the
    board and was not taken back. A reveal that opened around a number is a chord.
    """

    board: BoardFigures
    status: Status
    solved: int
    left_clicks: int
    right_clicks: int
    chords: int
    effective_clicks: int
    elapsed_ms: int

    @staticmethod
    def of(game: Game) -> Figures:
        """Measure a game as it is now."""
        field, rules = game.reveal_truth(), game.setup.rules
        kinds = game.log.count_kinds()
        chords = game.count_reveals_that_chorded()
        return Figures(
            measure_board(field, rules),
            game.status,
            count_solved(field, game.visible, rules),
            left_clicks=kinds[ActionKind.REVEAL] - chords,
            right_clicks=kinds[ActionKind.FLAG] + kinds[ActionKind.QUESTION],
            chords=kinds[ActionKind.CHORD] + chords,
            effective_clicks=game.effective_actions,
            elapsed_ms=game.elapsed_ms,
        )

    @property
    def bbbv(self) -> int:
        """The 3BV of the board."""
        return self.board.bbbv

    @property
    def clicks(self) -> int:
        """Left, right and chording clicks together."""
        return self.left_clicks + self.right_clicks + self.chords

    @property
    def estimated_ms(self) -> float | None:
        """Time that the whole board would take at the pace so far."""
        return ratio(self.elapsed_ms * self.bbbv, self.solved)

    @property
    def rqp(self) -> float | None:
        """The square of a won game's seconds for each 3BV solved: less is better."""
        return self._time_for_3bv(2.0)

    @property
    def qg(self) -> float | None:
        """Like RQP with the power 1.7, which is fairer between easy and hard boards."""
        return self._time_for_3bv(1.7)

    def _time_for_3bv(self, power: float) -> float | None:
        if self.status is not Status.WON:
            return None
        return ratio((self.elapsed_ms / 1000) ** power, self.solved)


@dataclass(frozen=True, slots=True)
class Series(Rates):
    """The sum of many games: two series add up to a third.

    So games may be played in any order, in batches and on several processes. A game counts as
    played once something was done in it.
    """

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
        played = (Figures.of(game) for game in games if game.was_played)
        singles = (
            Series(
                1,
                int(figures.status is Status.WON),
                figures.solved,
                figures.clicks,
                figures.effective_clicks,
                figures.elapsed_ms,
            )
            for figures in played
        )
        return sum(singles, Series())

    def __add__(self, other: Series) -> Series:
        return Series(*map(sum, zip(astuple(self), astuple(other), strict=True)))

    def __radd__(self, nothing: int) -> Series:
        """Begin a `sum` of series, which adds the first to 0."""
        return self

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


def ratio(above: float, below: float) -> float | None:
    """Divide; None if the ratio means nothing."""
    return above / below if below else None
