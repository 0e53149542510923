"""The mine count joins the components of a position with the cells that no number sees.

If the components take m mines together, the u unseen cells share the rest in C(u, rest) ways.
So the weight of m mines in one component is the sum, over all the others' mines, of their
layouts times that binomial. Up to a fair size everything is integers, less the large factor that
all these binomials share. Beyond it one more mine here or there hardly changes what is left for the
others: every mine then weighs the same odds, those that give the known number on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod, sqrt
from typing import NamedTuple

from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.sweep import Counts

MOST_EXACT = 160
_SETTLED = 1e-9


class Unit(NamedTuple):
    """The factor that is left out of exact weights: C(unseen, fewest) / divisor."""

    unseen: int
    fewest: int
    divisor: int


@dataclass(frozen=True, eq=False)
class Balance:
    """The weights that the total mine count gives to each component's own count."""

    weights: tuple[tuple[float, ...], ...]
    """Per component, by mines above its fewest: what all others contribute, up to a factor."""
    total: float
    """The weight of all layouts, up to the same factor."""
    unseen_mined: float
    """The weight of the layouts in which one given unseen cell is a mine."""
    unit: Unit | None
    """The factor; None if the weights are odds."""

    @property
    def exact(self) -> bool:
        return self.unit is not None

    @cached_property
    def layouts(self) -> int:
        """How many layouts there are; for exact weights only."""
        if self.unit is None:
            raise ValueError("odds do not count layouts")
        unseen, fewest, divisor = self.unit
        return int(self.total) * comb(unseen, fewest) // divisor


def join(parts: Sequence[Counts], unseen: int, mines: int, most_exact: int = MOST_EXACT) -> Balance:
    """Weigh the components of a position against each other and the unseen cells."""
    spare = mines - sum([part.fewest for part in parts])
    spread = sum([len(part.layouts) - 1 for part in parts])
    if spare < 0 or spare - spread > unseen:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    if spread <= most_exact:
        return _join_exactly(parts, unseen, spare, spread)
    odds = find_odds(parts, unseen, spare)
    weights = [tuple([odds**mines for mines in range(len(part.layouts))]) for part in parts]
    return Balance(tuple(weights), 1.0, odds / (1 + odds), None)


def _join_exactly(parts: Sequence[Counts], unseen: int, spare: int, spread: int) -> Balance:
    fewest = max(0, spare - spread)
    scale = max(1, unseen)
    rest = [
        scale
        * prod(range(unseen - spare + used + 1, unseen - fewest + 1))
        * prod(range(spare - used + 1, spare + 1))
        if spare - unseen <= used <= spare
        else 0
        for used in range(spread + 1)
    ]
    layouts = [part.layouts for part in parts]
    rows = _combine(layouts)
    weights, total = _weigh(layouts, rows, rest)
    if not total:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    mined = 0
    if unseen:
        mined = sum(
            [
                ways * (weight // scale) * (spare - used)
                for used, (ways, weight) in enumerate(zip(rows[-1], rest, strict=True))
            ]
        )
    unit = Unit(unseen, fewest, prod(range(fewest + 1, spare + 1)) * scale)
    return Balance(weights, total, mined, unit)


def _combine(layouts: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return in how many ways the first components take each number of mines, one row for each."""
    rows = [[1]]
    for ways in layouts:
        before = rows[-1]
        joint = [0] * (len(before) + len(ways) - 1)
        for used, way in enumerate(before):
            if way:
                for mines, more in enumerate(ways):
                    joint[used + mines] += way * more
        rows.append(joint)
    return rows


def _weigh(
    layouts: Sequence[Sequence[int]], rows: Sequence[Sequence[int]], rest: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return the weights of each component, and the total weight.

    `rest` counts the ways in which the unseen cells take what the last row leaves.
    """
    after = list(rest)
    weights: list[tuple[int, ...]] = []
    for ways, before in zip(reversed(layouts), reversed(rows[:-1]), strict=True):
        terms = [(used, way) for used, way in enumerate(before) if way]
        weights.append(
            tuple(
                [
                    sum([way * after[used + mines] for used, way in terms])
                    for mines in range(len(ways))
                ]
            )
        )
        terms = [(mines, way) for mines, way in enumerate(ways) if way]
        after = [
            sum([way * after[used + mines] for mines, way in terms]) for used in range(len(before))
        ]
    weights.reverse()
    return tuple(weights), after[0]


def find_odds(parts: Sequence[Counts], unseen: int, spare: int) -> float:
    """Find the odds of a mine under which the expected number of mines is the known one."""
    shares = [part.shares for part in parts]
    low, high = 1e-6, 1e6
    while high / low > 1 + _SETTLED:
        odds = sqrt(low * high)
        if _expected(shares, unseen, odds) < spare:
            low = odds
        else:
            high = odds
    return sqrt(low * high)


def _expected(shares: Sequence[Sequence[float]], unseen: int, odds: float) -> float:
    expected = unseen * odds / (1 + odds)
    for share in shares:
        weight = mean = 0.0
        power = 1.0
        for mines, part in enumerate(share):
            weight += part * power
            mean += part * power * mines
            power *= odds
        expected += mean / weight
    return expected
