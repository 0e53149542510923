"""Is what was drawn as even as chance makes it?"""

from collections import Counter
from math import cbrt, sqrt
from typing import TypeVar

T = TypeVar("T")


def is_uniform(drawn: Counter[T], kinds: int) -> bool:
    """Test the counts against equal chances; wrong once in ten thousand fair draws."""
    if len(drawn) != kinds:
        return False
    freedom = kinds - 1
    if not freedom:
        return True
    expected = drawn.total() / kinds
    statistic = sum((count - expected) ** 2 / expected for count in drawn.values())
    # Wilson and Hilferty: the cube root of chi-square is nearly normal; 3.72 leaves 0.0001.
    spread = 2 / (9 * freedom)
    return cbrt(statistic / freedom) <= 1 - spread + 3.72 * sqrt(spread)
