"""Joining the components of a position with the cells no number sees, under one mine count.

If the components take m mines together, the u unseen cells share the rest in C(u, rest) ways.
So the weight of m mines in one component is the sum, over all the others' mines, of their
layouts times that binomial. Up to a fair size everything is integers; beyond it floats are used,
tilted so that the likely totals stand near one and nothing that matters underflows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, exp, lgamma, log, sqrt
from typing import TypeVar

from jminesweeper.solver.counting import Counts
from jminesweeper.solver.errors import ImpossiblePositionError

MOST_EXACT = 160
_SETTLED = 1e-3
W = TypeVar("W", int, float)


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """The weights that the total mine count gives to each component's own count."""

    weights: tuple[tuple[float, ...], ...]
    """Per component, by mines above its fewest: what all else contributes, up to a factor."""
    total: float
    """The weight of all layouts; their number, if `exact`."""
    unseen_mined: float
    """The weight of the layouts in which one given unseen cell is a mine."""
    exact: bool


def join(parts: Sequence[Counts], unseen: int, mines: int, most_exact: int = MOST_EXACT) -> Balance:
    """Weigh the components of a position against each other and the unseen cells."""
    spare = mines - sum([part.fewest for part in parts])
    spread = sum([len(part.layouts) - 1 for part in parts])
    if spare < 0 or spare - spread > unseen:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    if spread <= most_exact:
        return _join_exactly(parts, unseen, spare, spread)
    return _join_tilted(parts, unseen, spare, spread)


def _join_exactly(parts: Sequence[Counts], unseen: int, spare: int, spread: int) -> Balance:
    rest = [comb(unseen, spare - used) if used <= spare else 0 for used in range(spread + 1)]
    layouts = [part.layouts for part in parts]
    weights, before, total = _weigh(layouts, rest, 0, 1)
    if not total:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    mined = 0
    if unseen:
        mined = sum(
            [
                ways * comb(unseen - 1, spare - used - 1)
                for used, ways in enumerate(before)
                if used < spare
            ]
        )
    return Balance(tuple(weights), total, mined, exact=True)


def _join_tilted(parts: Sequence[Counts], unseen: int, spare: int, spread: int) -> Balance:
    odds = find_odds(parts, unseen, spare)
    layouts = []
    for part in parts:
        share = part.shares
        tilted = [ways * odds**mines for mines, ways in enumerate(share)]
        scale = sum(tilted)
        layouts.append([ways / scale for ways in tilted])
    centre = spare - round(unseen * odds / (1 + odds))
    logs = [_log_ways(unseen, spare - used, used - centre, odds) for used in range(spread + 1)]
    highest = max(logs)
    rest = [exp(each - highest) for each in logs]
    by_part, before, total = _weigh(layouts, rest, 0.0, 1.0)
    weights = [
        tuple(weight * odds**mines for mines, weight in enumerate(by_mines)) for by_mines in by_part
    ]
    expected = sum(ways * rest[used] * (spare - used) for used, ways in enumerate(before))
    return Balance(tuple(weights), total, expected / unseen if unseen else 0.0, exact=False)


def _weigh(
    layouts: Sequence[Sequence[W]], rest: list[W], zero: W, one: W
) -> tuple[list[tuple[W, ...]], list[W], W]:
    """Per component its weights, then all components' joint counts, then the grand total.

    `after[i]` says, by mines already used, in how many ways components i and later and the
    unseen cells can take the remaining ones.
    """
    after = [rest]
    for ways in reversed(layouts):
        beyond = after[-1]
        reach = len(beyond) - len(ways) + 1
        terms = [(mines, way) for mines, way in enumerate(ways) if way]
        after.append(
            [
                sum([way * beyond[used + mines] for mines, way in terms], zero)
                for used in range(reach)
            ]
        )
    after.reverse()
    before = [one]
    weights: list[tuple[W, ...]] = []
    for position, ways in enumerate(layouts):
        beyond = after[position + 1]
        terms = [(used, way) for used, way in enumerate(before) if way]
        weights.append(
            tuple(
                [
                    sum([way * beyond[used + mines] for used, way in terms], zero)
                    for mines in range(len(ways))
                ]
            )
        )
        joint = [zero] * (len(before) + len(ways) - 1)
        for used, way in terms:
            for mines, more in enumerate(ways):
                joint[used + mines] += way * more
        before = joint
    return weights, before, after[0][0]


def find_odds(parts: Sequence[Counts], unseen: int, spare: int) -> float:
    """Return the odds of a mine under which the expected number of mines is the known one."""
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


def _log_ways(unseen: int, mines: int, tilt: int, odds: float) -> float:
    if not 0 <= mines <= unseen:
        return float("-inf")
    ways = lgamma(unseen + 1) - lgamma(mines + 1) - lgamma(unseen - mines + 1)
    return ways - tilt * log(odds)
