"""Perfect play once few layouts are left.

A position is the set of layouts still possible, as an int with one bit per layout. A reveal that
is safe in all of them is free, and splits the set by the number it shows; otherwise the best guess
is the one after which the fewest layouts are lost. The open cells need not be part of the
position: each has the same number in every layout that is left, so it splits nothing.

Free reveals leave a list of positions in which only guesses remain, and the losses of these add
up. So only guesses are searched, and only guesses nest: thousands of free reveals may follow each
other, as on a wide board with a single mine.

Only what can matter is searched. Every position loses at least the layouts in which its
safest cell is mined, and a guess is dropped as soon as these bounds show that it is no better than
the best one found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from jminesweeper.core.errors import SolverError
from jminesweeper.solver.components import Component, Step
from jminesweeper.solver.knowledge import Deadline, check, never

_MOST_GUESSES = 100
"""The longest row of guesses that is followed: each takes four of Python's 1,000 frames."""


class TooManyNodesError(SolverError):
    """The search met more positions than the caller allowed, or deeper ones than it can follow."""


class BestReveal(NamedTuple):
    """The best cell to reveal, and in how many of the layouts the game is then won."""

    cell: int
    wins: int


class _LayoutSet:
    """Knowledge about one set of layouts so far."""

    __slots__ = ("cells", "fewest", "guesses", "is_solved", "left", "parts")

    left: int
    """The layouts."""
    guesses: list[tuple[int, int, int]]
    """Reveals: the number of layouts in which the cell is mined, its place, those layouts."""
    parts: list[int]
    """Without guesses: the sets that a free reveal splits it into, but for those of one layout."""
    cells: list[int]
    """The places of cells that may still tell something about these layouts."""
    fewest: int
    """With guesses: perfect play loses no fewer of the layouts than this."""
    is_solved: bool
    """True if it loses exactly so many."""


class Endgame:
    """The search over one position's layouts."""

    def __init__(
        self,
        layouts: Sequence[Iterable[int]],
        cells: Sequence[int],
        neighbours: Sequence[Sequence[int]],
        nodes: int,
        deadline: Deadline = never,
    ) -> None:
        self.layouts = len(layouts)
        self._cells = cells
        self._nodes = nodes
        self._deadline = deadline
        self._known: dict[int, _LayoutSet] = {}
        self._leaves: dict[int, list[_LayoutSet]] = {}
        mined = dict.fromkeys(cells, 0)
        for position, layout in enumerate(layouts):
            bit = 1 << position
            for cell in layout:
                mined[cell] |= bit
        everything = (1 << self.layouts) - 1
        self._mined = [mined[cell] for cell in cells]
        self._shows = [
            _values([mined[near] for near in neighbours[cell] if near in mined], everything)
            for cell in cells
        ]

    def best(self) -> BestReveal:
        """Find the best first reveal if none is safe in every layout."""
        position = self._look((1 << self.layouts) - 1, range(len(self._cells)))
        lost, place = self._guess(position, self.layouts, _MOST_GUESSES)
        return BestReveal(self._cells[place], self.layouts - lost)

    def _look(self, left: int, cells: Sequence[int]) -> _LayoutSet:
        """Examine a new set of layouts, at `cells` only: others are settled."""
        check(self._deadline)
        self._nodes -= 1
        if self._nodes < 0:
            raise TooManyNodesError("too many positions to search the end of the game")
        position = self._known[left] = _LayoutSet()
        position.left = left
        mined = self._mined
        guesses = []
        unsettled: list[int] = []
        for at, place in enumerate(cells):
            mines = left & mined[place]
            if not mines:
                parts = [part for value in self._shows[place] if (part := left & value)]
                if len(parts) > 1:
                    # What was settled before this cell is settled in every part.
                    position.guesses = []
                    position.cells = [*unsettled, *cells[at + 1 :]]
                    position.parts = [part for part in parts if part & (part - 1)]
                    return position
            elif mines != left:
                guesses.append((mines.bit_count(), place, mines))
                unsettled.append(place)
        guesses.sort()
        position.guesses = guesses
        position.cells = unsettled
        position.fewest = guesses[0][0]
        position.is_solved = position.fewest == left.bit_count() - 1
        return position

    def _leaves_of(self, left: int, cells: Sequence[int]) -> list[_LayoutSet]:
        """Make every free reveal; return the positions in which only guesses remain."""
        position = self._known.get(left) or self._look(left, cells)
        leaves = self._leaves[left] = [position] if position.guesses else []
        divided = [] if position.guesses else [position]
        # The list grows during the loop.
        for each in divided:
            for part in each.parts:
                position = self._known.get(part) or self._look(part, each.cells)
                (leaves if position.guesses else divided).append(position)
        return leaves

    def _solve(self, position: _LayoutSet, most: int, guesses: int) -> int:
        """Return how many layouts perfect play loses; if more than `most`, a bound for it."""
        if not position.is_solved:
            lost, _ = self._guess(position, most, guesses)
            position.is_solved = lost <= most
            position.fewest = max(lost, position.fewest)
        return position.fewest

    def _guess(self, position: _LayoutSet, most: int, guesses: int) -> tuple[int, int]:
        """Return how many layouts the best guess loses, and its place.

        If every guess loses more than `most`, the number is a bound and the place is -1.
        """
        if not guesses:
            raise TooManyNodesError("too many guesses in a row to search the end of the game")
        fewest, best = position.left.bit_count(), -1
        for mines, place, where in position.guesses:
            if mines > most:
                return min(fewest, mines), best
            lost = self._try(position, place, where, most, guesses)
            if lost <= most:
                best, most = place, lost - 1
            fewest = min(fewest, lost)
        return fewest, best

    def _try(self, position: _LayoutSet, place: int, mined: int, most: int, guesses: int) -> int:
        """Return how many layouts a guess loses; once that is above `most`, a bound for it."""
        known = self._leaves
        safe = position.left ^ mined
        lost = mined.bit_count()
        leaves: list[_LayoutSet] = []
        for value in self._shows[place]:
            part = safe & value
            # A single layout is won.
            if part & (part - 1):
                met = known.get(part)
                if met is None:
                    met = self._leaves_of(part, position.cells)
                for leaf in met:
                    lost += leaf.fewest
                if lost > most:
                    return lost
                leaves += met
        for leaf in leaves:
            if not leaf.is_solved:
                others = lost - leaf.fewest
                lost = others + self._solve(leaf, most - others, guesses - 1)
                if lost > most:
                    break
        return lost


def _values(masks: Sequence[int], everything: int) -> list[int]:
    """For each number of mines among some cells, the layouts that have it; empty ones left out."""
    exactly = [everything]
    for mask in masks:
        shifted = [each & mask for each in exactly]
        exactly = [each & ~mask for each in exactly]
        exactly.append(0)
        for count, more in enumerate(shifted):
            exactly[count + 1] |= more
    return [each for each in exactly if each]


def component_layouts(component: Component) -> dict[int, list[tuple[int, ...]]]:
    """Return the mined cells of every layout of a component, by the number of mines."""
    by_mines: dict[int, list[tuple[int, ...]]] = {}
    for counts in _box_counts(component.start, component.steps):
        choices = [
            combinations(box.cells, mines)
            for box, mines in zip(component.boxes, counts, strict=True)
            if mines
        ]
        layouts = by_mines.setdefault(sum(counts), [])
        layouts.extend([sum(chosen, ()) for chosen in product(*choices)])
    return by_mines


def _box_counts(state: int, steps: Sequence[Step]) -> Iterator[tuple[int, ...]]:
    """Give each box a number of mines, in every way that meets the needs."""
    if not steps:
        yield ()
        return
    (size, pattern, guards, capacity, shift), *later = steps
    for mines in range(size + 1):
        if state & guards != guards:
            return
        if (capacity - state) & guards == guards:
            for rest in _box_counts(state + shift, later):
                yield (mines, *rest)
        state -= pattern


def all_layouts(
    components: Sequence[Component], unseen: Sequence[int], mines: int
) -> list[tuple[int, ...]]:
    """Return the mined cells of every layout of a whole position."""
    partial: list[tuple[int, ...]] = [()]
    for component in components:
        by_mines = component_layouts(component)
        partial = [
            (*chosen, *layout)
            for chosen in partial
            for count, layouts in by_mines.items()
            if len(chosen) + count <= mines
            for layout in layouts
        ]
    return [
        (*chosen, *rest)
        for chosen in partial
        if mines - len(chosen) <= len(unseen)
        for rest in combinations(unseen, mines - len(chosen))
    ]
