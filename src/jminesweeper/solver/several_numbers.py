"""Arguments from several numbers together, where one or two prove nothing.

Either numbers that share no cell need all the mines that are left, or a mine in some cell would
make it impossible for all of them to be right. A person can follow only a few numbers, so the
search looks for few, and it is bounded: a hint must not take long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from jminesweeper.solver.arguments import Clash, LastMines
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.reasoning import Edge

_MOST_TO_ADD = 4
"""The most numbers that a person adds up."""
_MOST_TO_NAME = 8
"""The most numbers for which a sentence has room."""
_FEWEST_OF_A_CLASH = 3
"""With fewer numbers, comparing two of them proves the same."""
_MOST_TRIED = 64
_MOST_NEAR = 40
_MOST_NODES = 2_000


def find_last_mines(
    edge: Edge, left: int, flags: Collection[int], safe: Collection[int]
) -> tuple[int, LastMines] | None:
    """Find the fewest numbers that need all mines, and a safe cell that none of them touches."""
    needy = sorted(edge.clues, key=lambda number: (-edge.needs[number], number))
    for count in range(1, _MOST_TO_ADD + 1):
        for numbers in _apart(edge, needy, left, count, _Budget(_MOST_NODES)):
            taken = frozenset[int]().union(*(edge.open[number] for number in numbers))
            outside = [cell for cell in safe if cell not in taken]
            if outside:
                named = tuple([edge.number(number) for number in sorted(numbers)])
                known = edge.cells(edge.known.difference(flags))
                return min(outside), LastMines(named, left, known)
    return None


def _apart(
    edge: Edge, needy: list[int], left: int, count: int, budget: _Budget
) -> Iterator[tuple[int, ...]]:
    """Yield `count` numbers that share no cell and together need `left` mines."""
    if not count:
        # The last number needed exactly what was left.
        yield ()
        return
    for place, number in enumerate(needy):
        need = edge.needs[number]
        # The neediest come first: the numbers from here on need too little.
        if need * count < left or not budget.spend():
            return
        if 0 < need <= left:
            cells = edge.open[number]
            rest = [each for each in needy[place + 1 :] if not edge.open[each] & cells]
            for others in _apart(edge, rest, left - need, count - 1, budget):
                yield number, *others


def find_clash(
    edge: Edge, flags: Collection[int], safe: Iterable[int], deadline: Deadline = never
) -> tuple[int, Clash] | None:
    """Find the safe cell that the fewest numbers free together, and these."""
    best: tuple[int, list[int]] | None = None
    alike = {
        edge.viewers[cell]: cell for cell in sorted(safe, reverse=True) if cell in edge.viewers
    }
    for cell in sorted(alike.values())[:_MOST_TRIED]:
        if deadline():
            break
        numbers = _cornered(edge, cell)
        if numbers and (best is None or len(numbers) < len(best[1])):
            best = cell, numbers
            if len(numbers) <= _FEWEST_OF_A_CLASH:
                break
    if best is None or len(best[1]) > _MOST_TO_NAME:
        return None
    cell, numbers = best
    named = tuple([edge.number(number) for number in sorted(numbers)])
    known = frozenset[int]().union(*map(edge.known_around, numbers)).difference(flags)
    return cell, Clash(edge.terrain.grid.cell(cell), named, edge.cells(known))


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
    """Yield the numbers around a cell, then those that share cells with them, and so on."""
    met: set[int] = set()
    reached = {cell}
    while ring := sorted({near for each in reached for near in edge.viewers[each]} - met):
        met.update(ring)
        yield ring
        reached = set[int]().union(*(edge.open[number] for number in ring))


def _can_be_right(edge: Edge, numbers: list[int], mine: int) -> bool:
    """Return whether all these numbers can be right with a mine in that cell.

    If the search runs out of tries the answer is yes, from which nothing is concluded.
    """
    budget = _Budget(_MOST_NODES)
    return _lay(edge, numbers, {mine: True}, budget) or not budget.is_left


def _lay(edge: Edge, numbers: list[int], laid: dict[int, bool], budget: _Budget) -> bool:
    """Place the other mines around some numbers; return whether all can be right."""
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
    """Place what follows from one number; return whether it can still be right."""
    cells = edge.open[number]
    unlaid = [cell for cell in cells if cell not in laid]
    need = edge.needs[number] - sum(laid.get(cell, False) for cell in cells)
    if need in {0, len(unlaid)}:
        laid.update(dict.fromkeys(unlaid, need > 0))
    return 0 <= need <= len(unlaid)


class _Budget:
    """How many more tries are allowed."""

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
