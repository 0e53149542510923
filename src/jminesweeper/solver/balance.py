"""The mine count joins the components of a position with the cells that no number sees.

If the components take m mines together, the u unseen cells share the rest in C(u, rest) ways.
So the weight of m mines in one component is the sum, over all the others' mines, of their
layouts times that binomial. Up to a fair size everything is integers, less the large factor that
all these binomials share. Beyond it floats are used, tilted so that the likely totals are near
one and nothing that matters underflows, and totals that cannot matter are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, exp, inf, lgamma, log, prod, sqrt
from typing import NamedTuple

from jminesweeper.solver.errors import Deadline, ImpossiblePositionError, check, never
from jminesweeper.solver.sweep import Counts

MOST_EXACT = 160
_SETTLED = 1e-3
_NEGLIGIBLE = 1e-20


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
    """The factor; None if the weights are floats."""

    @property
    def exact(self) -> bool:
        return self.unit is not None

    @cached_property
    def layouts(self) -> int:
        """How many layouts there are; for exact weights only."""
        if self.unit is None:
            raise ValueError("floats do not count layouts")
        unseen, fewest, divisor = self.unit
        return int(self.total) * comb(unseen, fewest) // divisor


def join(
    parts: Sequence[Counts],
    unseen: int,
    mines: int,
    most_exact: int = MOST_EXACT,
    deadline: Deadline = never,
) -> Balance:
    """Weigh the components of a position against each other and the unseen cells."""
    spare = mines - sum([part.fewest for part in parts])
    spread = sum([len(part.layouts) - 1 for part in parts])
    if spare < 0 or spare - spread > unseen:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    if spread <= most_exact:
        return _join_exactly(parts, unseen, spare, spread)
    return _join_tilted(parts, unseen, spare, deadline)


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
    rows = _combine(layouts, 1, 0)
    weights, total = _weigh(layouts, rows, rest)
    if not total:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    mined: float = 0
    if unseen:
        mined = sum(
            [
                ways * (weight // scale) * (spare - used)
                for used, (ways, weight) in enumerate(zip(rows[-1].ways, rest, strict=True))
            ]
        )
    unit = Unit(unseen, fewest, prod(range(fewest + 1, spare + 1)) * scale)
    return Balance(weights, total, mined, unit)


def _join_tilted(parts: Sequence[Counts], unseen: int, spare: int, deadline: Deadline) -> Balance:
    odds = find_odds(parts, unseen, spare)
    layouts = []
    for part in parts:
        tilted = [ways * odds**mines for mines, ways in enumerate(part.shares)]
        scale = sum(tilted)
        layouts.append([ways / scale for ways in tilted])
    rows = _combine(layouts, 1.0, _NEGLIGIBLE, deadline)
    low, before = rows[-1]
    centre = spare - round(unseen * odds / (1 + odds))
    logs = [
        _log_ways(unseen, spare - used, used - centre, odds)
        for used in range(low, low + len(before))
    ]
    highest = max(logs)
    if highest == -inf:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    rest = [exp(each - highest) for each in logs]
    by_part, total = _weigh(layouts, rows, rest, deadline)
    weights = tuple(
        [
            tuple([weight * odds**mines for mines, weight in enumerate(by_mines)])
            for by_mines in by_part
        ]
    )
    expected = sum(
        [
            ways * weight * (spare - used)
            for used, (ways, weight) in enumerate(zip(before, rest, strict=True), low)
        ]
    )
    return Balance(weights, total, expected / unseen if unseen else 0.0, None)


class _Row(NamedTuple):
    """The number of ways in which the first components can take each number of mines."""

    low: int
    """The first number that matters."""
    ways: list[float]


def _combine(
    layouts: Sequence[Sequence[float]],
    one: float,
    negligible: float,
    deadline: Deadline = never,
) -> list[_Row]:
    """Join the components one by one, and drop the negligible ends of each row."""
    row = _Row(0, [one])
    rows = [row]
    for ways in layouts:
        check(deadline)
        low, before = row
        joint = [0 * one] * (len(before) + len(ways) - 1)
        for used, way in enumerate(before):
            if way:
                for mines, more in enumerate(ways):
                    joint[used + mines] += way * more
        least = max(joint) * negligible
        start, end = 0, len(joint)
        while joint[start] <= least:
            start += 1
        while joint[end - 1] <= least:
            end -= 1
        row = _Row(low + start, joint[start:end])
        rows.append(row)
    return rows


def _weigh(
    layouts: Sequence[Sequence[float]],
    rows: Sequence[_Row],
    rest: Sequence[float],
    deadline: Deadline = never,
) -> tuple[tuple[tuple[float, ...], ...], float]:
    """Return the weights of each component, and the total weight.

    `rest` counts the ways in which the unseen cells take what the last row leaves.
    """
    beyond = list(rest)
    weights: list[tuple[float, ...]] = []
    for position in range(len(layouts) - 1, -1, -1):
        check(deadline)
        ways = layouts[position]
        low, before = rows[position]
        gap = rows[position + 1].low - low
        reach = len(before) + len(ways) - 1
        after = [0] * gap + beyond + [0] * (reach - gap - len(beyond))
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
        beyond = [
            sum([way * after[used + mines] for mines, way in terms]) for used in range(len(before))
        ]
    weights.reverse()
    return tuple(weights), beyond[0]


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


def _log_ways(unseen: int, mines: int, tilt: int, odds: float) -> float:
    if not 0 <= mines <= unseen:
        return -inf
    ways = lgamma(unseen + 1) - lgamma(mines + 1) - lgamma(unseen - mines + 1)
    return ways - tilt * log(odds)
