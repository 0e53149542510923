"""The shortest argument for a safe cell, found by the steps a person would take.

An argument is data: which numbers, which cells, and what follows. It may rest on others: those that
proved the mines it takes as known. What no few steps prove is shown by counting: no layout that
agrees with the numbers has a mine there.

A player looks at the edge of what is open: the numbers that still touch covered cells. From them
facts are found in rounds, each using only those of the rounds before. A flag counts as a known mine
if it is certainly one: a hint builds on what the player has found already, and never on a
mistake. On a large board only the numbers in a window count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from jminesweeper.core.grid import Cell, Grid, indices
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.knowledge import Deadline, check, neighbour_table, never, new_clues

Cells = tuple[Cell, ...]


class ShownNumber(NamedTuple):
    """A cell that is shown, and the number on it."""

    cell: Cell
    clue: int


@dataclass(frozen=True, slots=True)
class NumberDone:
    """A number has all its mines, so its other covered neighbours are safe."""

    number: ShownNumber
    mines: Cells
    safe: Cells
    because: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberFull:
    """A number touches no more covered cells than mines, so all of them are mines."""

    number: ShownNumber
    mines: Cells


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two numbers share cells; one needs so many more mines that they fill what only it sees."""

    fuller: ShownNumber
    fuller_need: int
    other: ShownNumber
    other_need: int
    mines: Cells
    """Seen by the fuller number only: all of them are mines."""
    shared: Cells
    safe: Cells
    """Seen by the other number only: none of them is a mine."""
    because: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class OnlyMines:
    """No more cells are covered than there are mines, so each of them is one."""

    mine_count: int


@dataclass(frozen=True, slots=True)
class EveryLayout:
    """No layout that agrees with all the numbers and the mine count has a mine there."""

    mine_count: int
    left: int
    """Mines that are not certain yet."""


@dataclass(frozen=True, slots=True)
class NothingSure:
    """Every covered cell may be a mine."""

    chance: Fraction
    lowest: Fraction
    """The lowest chance of a mine; the hint may prefer a cell that promises more."""
    reason: Reason
    exact: bool = True
    """True if the chances are counted rather than estimated."""
    is_local: bool = False
    """True if only a part of the board was considered."""


Premise = NumberFull | Overlap
"""A proof of mines, on which another argument may rest."""

Certain = NumberDone | Premise | OnlyMines | EveryLayout
"""An argument that leaves no doubt."""

Argument = Certain | NothingSure


def premises(argument: Argument) -> tuple[Premise, ...]:
    return argument.because if isinstance(argument, NumberDone | Overlap) else ()


def steps_of(argument: Argument) -> tuple[Argument, ...]:
    """Return an argument and all that it rests on, each once and before what it rests on."""
    steps: dict[Argument, None] = {argument: None}
    for premise in premises(argument):
        for step in steps_of(premise):
            # Move it behind the others: another argument may rest on it as well.
            steps.pop(step, None)
            steps[step] = None
    return tuple(steps)


def cells_of(argument: Argument) -> Cells:
    """Return the numbers to look at for an argument and for all that it rests on."""
    cells = [number.cell for step in steps_of(argument) for number in _numbers(step)]
    return tuple(dict.fromkeys(cells))


def _numbers(argument: Argument) -> tuple[ShownNumber, ...]:
    match argument:
        case NumberDone() | NumberFull():
            return (argument.number,)
        case Overlap():
            return argument.fuller, argument.other
        case OnlyMines() | EveryLayout() | NothingSure():
            return ()


_ONE_NUMBER = 2
_TWO_NUMBERS = 7
"""Comparing two numbers is easier than three single numbers, but harder than two."""


@dataclass(frozen=True)
class Edge:
    """Each number by its index, with what it still needs beside the mines that are known."""

    grid: Grid
    known: frozenset[int]
    """The mines that are taken as known."""
    clues: Mapping[int, int]
    open: Mapping[int, frozenset[int]]
    """The covered cells around a number, without the known mines."""
    needs: Mapping[int, int]
    """Number of mines among them."""

    @staticmethod
    def of(view: PlayerView, known: int, window: int | None = None) -> Edge:
        """Find the numbers of a window, or of the whole board, that still touch covered cells."""
        grid, neighbours = view.grid, neighbour_table(view.grid)
        undecided = grid.mask & ~view.visible & ~known
        numbers = grid.neighbours(undecided) & view.visible
        if window is not None:
            numbers &= window
        clues = dict(new_clues(view, view.visible & ~numbers))
        unsettled = frozenset(indices(undecided))
        mines = frozenset(indices(known))
        around = {number: frozenset(neighbours[number]) for number in clues}
        return Edge(
            grid,
            mines,
            clues,
            {number: around[number] & unsettled for number in clues},
            {number: clue - len(around[number] & mines) for number, clue in clues.items()},
        )

    @cached_property
    def viewers(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers around each cell that one of them touches."""
        viewers: dict[int, list[int]] = {}
        for number, cells in self.open.items():
            for cell in cells:
                viewers.setdefault(cell, []).append(number)
        return {cell: tuple(numbers) for cell, numbers in viewers.items()}

    def known_around(self, number: int) -> frozenset[int]:
        return self.known.intersection(neighbour_table(self.grid)[number])

    def number(self, index: int) -> ShownNumber:
        return ShownNumber(self.grid.cell(index), self.clues[index])

    def cells(self, places: Iterable[int]) -> Cells:
        return tuple([self.grid.cell(index) for index in sorted(places)])


class Reasoning:
    """Facts about one position, each with the arguments that prove it."""

    def __init__(self, edge: Edge, deadline: Deadline = never) -> None:
        self._edge = edge
        self._deadline = deadline
        self._proofs: dict[int, list[Premise]] = {}
        """The proof of a mine that is not taken as known."""
        self._cheapest: dict[frozenset[int], tuple[Premise, ...]] = {}

    def first_safe(self) -> tuple[int, Argument] | None:
        """Return the safe cell with the shortest argument, and the argument."""
        edge = self._edge
        self._note(
            NumberFull(edge.number(number), edge.cells(cells | edge.known_around(number)))
            for number, cells in edge.open.items()
            if len(cells) == edge.needs[number]
        )
        while True:
            done = list(self._done_numbers())
            is_quick = any(_effort(each) < _TWO_NUMBERS for each in done)
            overlaps = [] if is_quick else list(self._overlaps())
            freeing: list[NumberDone | Overlap] = [*done]
            freeing += [each for each in overlaps if each.safe]
            if freeing:
                best = min(freeing, key=lambda each: (_effort(each), self._first(each)))
                return self._first(best), best
            if not self._note(overlaps):
                return None

    def _first(self, argument: NumberDone | Overlap) -> int:
        return self._edge.grid.index(argument.safe[0])

    def _note(self, arguments: Iterable[Premise]) -> bool:
        """Keep what proves new mines; return whether there are any."""
        new: dict[int, list[Premise]] = {}
        for argument in arguments:
            for cell in argument.mines:
                index = self._edge.grid.index(cell)
                if index not in self._proofs and index not in self._edge.known:
                    new.setdefault(index, []).append(argument)
        self._proofs.update(new)
        return bool(new)

    def _proved(self, cells: frozenset[int]) -> frozenset[int]:
        return frozenset([cell for cell in cells if cell in self._proofs])

    def _done_numbers(self) -> Iterator[NumberDone]:
        edge = self._edge
        for number, cells in edge.open.items():
            check(self._deadline)
            mines = self._proved(cells)
            if edge.needs[number] == len(mines) < len(cells):
                yield NumberDone(
                    edge.number(number),
                    edge.cells(mines | edge.known_around(number)),
                    edge.cells(cells - mines),
                    self._prove(mines),
                )

    def _overlaps(self) -> Iterator[Overlap]:
        edge = self._edge
        for fuller, here in edge.open.items():
            check(self._deadline)
            for other in {near for cell in here for near in edge.viewers[cell]} - {fuller}:
                there = edge.open[other]
                # Nothing else that is proved affects the rest.
                proved = self._proved(there - here)
                need = edge.needs[other] - len(proved)
                mines, safe = here - there, there - here - proved
                is_news = safe or mines.difference(self._proofs)
                if is_news and need > 0 and edge.needs[fuller] - need == len(mines):
                    yield Overlap(
                        edge.number(fuller),
                        edge.needs[fuller],
                        edge.number(other),
                        need,
                        edge.cells(mines),
                        edge.cells(here & there),
                        edge.cells(safe),
                        self._prove(proved),
                    )

    def _prove(self, mines: frozenset[int]) -> tuple[Premise, ...]:
        """Return the fewest and shortest arguments that prove all of these."""
        if not mines:
            return ()
        if mines not in self._cheapest:
            hardest = min(mines, key=lambda mine: (len(self._proofs[mine]), mine))
            index = self._edge.grid.index
            ways = [
                (proof, *self._prove(mines.difference(map(index, proof.mines))))
                for proof in self._proofs[hardest]
            ]
            self._cheapest[mines] = min(ways, key=lambda steps: sum(map(_effort, steps)))
        return self._cheapest[mines]


def _effort(argument: Argument) -> int:
    """Return how long an argument is, with everything it rests on."""
    steps = steps_of(argument)
    return sum(_TWO_NUMBERS if isinstance(step, Overlap) else _ONE_NUMBER for step in steps)
