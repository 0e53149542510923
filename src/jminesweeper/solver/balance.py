"""The mine count joins the components of a position with the cells that no number sees.

If the components take m mines together, the u unseen cells share the rest in C(u, rest) ways.
So the weight of m mines in one component is the sum, over all the others' mines, of their
layouts times that binomial. Up to a fair size everything is integers. Beyond it one more mine here
or there hardly changes what is left for the others: every mine then weighs the same odds, those
that give the known number on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, sqrt

from jminesweeper.solver.errors import ImpossiblePositionError
from jminesweeper.solver.sweep import Counts

_MOST_EXACT = 160
_SETTLED = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Balance:
    """The weights that the total mine count gives to each component's own count."""

    weights: Sequence[Sequence[float]]
    """Per component, by mines above its fewest: what all others contribute."""
    total: float
    """The weight of all layouts: how many there are, where the weights are exact."""
    unseen_mined: float
    """The weight of the layouts in which one given unseen cell is a mine."""
    exact: bool


def join(parts: Sequence[Counts], unseen: int, mines: int) -> Balance:
    """Weigh the components of a position against each other and the unseen cells."""
    spare = mines - sum([part.fewest for part in parts])
    spread = sum([len(part.layouts) - 1 for part in parts])
    if spare < 0 or spare - spread > unseen:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    if spread <= _MOST_EXACT:
        return _join_exactly(parts, unseen, spare, spread)
    odds = _find_odds(parts, unseen, spare)
    weights = [[odds**mines for mines in range(len(part.layouts))] for part in parts]
    return Balance(weights, 1.0, odds / (1 + odds), exact=False)


def _join_exactly(parts: Sequence[Counts], unseen: int, spare: int, spread: int) -> Balance:
    """Sum over all ways to share the mines out, before each component and after it."""
    layouts = [part.layouts for part in parts]
    before = [[1]]
    for ways in layouts:
        before.append(_joint(before[-1], ways))
    after = rest = _ways_of_the_unseen(unseen, spare, spread)
    weights: list[list[int]] = []
    for taken, ways in zip(reversed(before[:-1]), reversed(layouts), strict=True):
        weights.append(_weigh(taken, after, len(ways)))
        after = _weigh(ways, after, len(taken))
    weights.reverse()
    total = after[0]
    if not total:
        raise ImpossiblePositionError("the number of mines does not fit the clues")
    mined = [ways * (spare - used) // max(1, unseen) for used, ways in enumerate(rest)]
    return Balance(weights, total, _weigh(before[-1], mined, 1)[0], exact=True)


def _ways_of_the_unseen(unseen: int, spare: int, spread: int) -> list[int]:
    """Return in how many ways the unseen cells take the mines that 0 to `spread` others leave."""
    most = min(spare, unseen)
    ways = comb(unseen, most)
    found = [0] * (spread + 1)
    # One binomial of a large board takes 10 ms: each further one follows from it.
    for left in range(most, max(-1, spare - spread - 1), -1):
        found[spare - left] = ways
        ways = ways * left // (unseen - left + 1)
    return found


def _joint(taken: Sequence[int], ways: Sequence[int]) -> list[int]:
    """Return in how many ways two parts take each number of mines together."""
    joint = [0] * (len(taken) + len(ways) - 1)
    for used, way in enumerate(taken):
        for mines, more in enumerate(ways):
            joint[used + mines] += way * more
    return joint


def _weigh(ways: Sequence[int], weights: Sequence[int], length: int) -> list[int]:
    """Weigh each number of mines by the ways in which another part goes with it."""
    terms = [(used, way) for used, way in enumerate(ways) if way]
    return [sum([way * weights[used + mines] for used, way in terms]) for mines in range(length)]


def _find_odds(parts: Sequence[Counts], unseen: int, spare: int) -> float:
    """Find the odds of a mine under which the expected number of mines is the known one."""
    shares = [_shares(part.layouts) for part in parts]
    low, high = 1e-6, 1e6
    while high / low > 1 + _SETTLED:
        odds = sqrt(low * high)
        if _expected(shares, unseen, odds) < spare:
            low = odds
        else:
            high = odds
    return sqrt(low * high)


def _shares(layouts: Sequence[int]) -> list[float]:
    total = sum(layouts)
    return [ways / total for ways in layouts]


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
