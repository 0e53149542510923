"""Arguments from several numbers together, where one or two of them show nothing.

Either numbers that share no cell need all mines that are left, or a mine in a certain cell would
leave some of them without a way to be right. Only a few numbers can be followed by a person, so
the search is for few, and it is bounded: who looks for a hint does not wait.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from jminesweeper.solver.arguments import Clash, LastMines
from jminesweeper.solver.edge import Edge

_MOST_NUMBERS = 4
"""More than a sentence can name."""
_FEWEST_OF_A_CLASH = 3
"""What fewer numbers show, comparing them shows as well."""
_MOST_TRIED = 64
_MOST_NEAR = 40
_MOST_NODES = 2_000


def find_last_mines(edge: Edge, left: int, safe: Collection[int]) -> tuple[int, LastMines] | None:
    """Find the fewest numbers that need all mines, and a safe cell that none of them touches."""
    needy = sorted(edge.clues, key=lambda number: (-edge.needs[number], number))
    for count in range(1, _MOST_NUMBERS + 1):
        for numbers in _apart(edge, needy, left, count, _Budget(_MOST_NODES)):
            taken = frozenset[int]().union(*(edge.open[number] for number in numbers))
            outside = [cell for cell in safe if cell not in taken]
            if outside:
                named = tuple([edge.number(number) for number in sorted(numbers)])
                return min(outside), LastMines(named, left)
    return None


def _apart(
    edge: Edge, needy: list[int], left: int, count: int, budget: _Budget
) -> Iterator[tuple[int, ...]]:
    """Choose so many numbers that share no cell and need so many mines together."""
    if not count:
        # The number before needed just what was left.
        yield ()
        return
    for place, number in enumerate(needy):
        need = edge.needs[number]
        # The neediest come first: from here on there is not enough need.
        if need * count < left or not budget.spend():
            return
        if 0 < need <= left:
            cells = edge.open[number]
            rest = [each for each in needy[place + 1 :] if not edge.open[each] & cells]
            for others in _apart(edge, rest, left - need, count - 1, budget):
                yield number, *others


def find_clash(edge: Edge, safe: Iterable[int]) -> tuple[int, Clash] | None:
    """Find the safe cell that the fewest numbers free together, and these."""
    best: tuple[int, list[int]] | None = None
    alike = {
        edge.viewers[cell]: cell for cell in sorted(safe, reverse=True) if cell in edge.viewers
    }
    for cell in sorted(alike.values())[:_MOST_TRIED]:
        numbers = _cornered(edge, cell)
        if numbers and (best is None or len(numbers) < len(best[1])):
            best = cell, numbers
            if len(numbers) <= _FEWEST_OF_A_CLASH:
                break
    if best is None or len(best[1]) > _MOST_NUMBERS:
        return None
    cell, numbers = best
    named = tuple([edge.number(number) for number in sorted(numbers)])
    return cell, Clash(edge.terrain.cell(cell), named)


def _cornered(edge: Edge, cell: int) -> list[int] | None:
    """Return numbers that cannot all be right with a mine there, none of which can be left out."""
    numbers: list[int] = []
    for ring in _rings(edge, cell):
        numbers += ring
        if len(numbers) > _MOST_NEAR:
            return None
        if not _can_be_right(edge, numbers, cell):
            break
    else:
        return None
    for number in reversed(tuple(numbers)):
        others = [each for each in numbers if each != number]
        if not _can_be_right(edge, others, cell):
            numbers = others
    return numbers


def _rings(edge: Edge, cell: int) -> Iterator[list[int]]:
    """Go from the numbers around a cell to those that share cells with them, and so on."""
    met: set[int] = set()
    reached = {cell}
    while ring := sorted({near for each in reached for near in edge.viewers[each]} - met):
        met.update(ring)
        yield ring
        reached = set[int]().union(*(edge.open[number] for number in ring))


def _can_be_right(edge: Edge, numbers: list[int], mine: int) -> bool:
    """Say whether mines can lie so that all these numbers are right, one of them there.

    When that cannot be said within bounds it is taken for granted: nothing is concluded from it.
    """
    budget = _Budget(_MOST_NODES)
    return _lay(edge, numbers, {mine: True}, budget) or not budget.is_left


def _lay(edge: Edge, numbers: list[int], laid: dict[int, bool], budget: _Budget) -> bool:
    """Lay the rest of the mines around some numbers; say whether all can be right."""
    if not budget.spend():
        return False
    laid = dict(laid)
    while True:
        before = len(laid)
        for number in numbers:
            if not _settle(edge, number, laid):
                return False
        if len(laid) == before:
            break
    unlaid = (cell for number in numbers for cell in edge.open[number] if cell not in laid)
    cell = next(unlaid, None)
    return cell is None or any(
        _lay(edge, numbers, {**laid, cell: is_mine}, budget) for is_mine in (True, False)
    )


def _settle(edge: Edge, number: int, laid: dict[int, bool]) -> bool:
    """Lay what follows from one number; say whether it can still be right."""
    cells = edge.open[number]
    unlaid = [cell for cell in cells if cell not in laid]
    need = edge.needs[number] - sum(laid.get(cell, False) for cell in cells)
    if need in {0, len(unlaid)}:
        laid.update(dict.fromkeys(unlaid, need > 0))
    return 0 <= need <= len(unlaid)


class _Budget:
    """How much more may be tried."""

    def __init__(self, tries: int) -> None:
        self._tries = tries

    @property
    def is_left(self) -> bool:
        return self._tries > 0

    def spend(self) -> bool:
        """Take one try, if there is one."""
        if self._tries <= 0:
            return False
        self._tries -= 1
        return True
