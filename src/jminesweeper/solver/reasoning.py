"""Finding the shortest argument for a safe cell, by the steps a person would take.

Facts are found in rounds, each round using only those of the rounds before, so what is found
first rests on the fewest steps. A player's flag counts as a known mine when it is one for sure:
a hint should build on what the player has found already, and never on a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jminesweeper.core import Cell, PlayerView
from jminesweeper.solver.arguments import Argument, NumberDone, NumberFull, Overlap
from jminesweeper.solver.knowledge import new_clues
from jminesweeper.solver.terrain import Terrain, indices


class Reasoning:
    """Facts about one position, each with the argument that proves it."""

    __slots__ = ("_clues", "_neighbours", "_terrain", "mines", "safe", "trusted")

    def __init__(self, view: PlayerView, trusted: int) -> None:
        self._terrain = Terrain.of(view.size)
        self._neighbours = self._terrain.neighbours
        self._clues = dict(new_clues(view, 0))
        self.trusted = frozenset(indices(trusted))
        """Flags that are mines for sure."""
        self.mines: dict[int, Argument] = {}
        self.safe: dict[int, Argument] = {}

    def first_safe(self) -> tuple[int, Argument] | None:
        """Return the safe cell with the shortest argument, and the argument."""
        while True:
            found = list(self._single_numbers()) or list(self._overlaps())
            if not found:
                return None
            for argument in found:
                self._note(argument)
            if self.safe:
                return min(self.safe.items(), key=lambda item: (_length(item[1]), item[0]))

    def _note(self, argument: Argument) -> None:
        index = self._terrain.index
        if isinstance(argument, NumberDone | Overlap):
            for cell in argument.safe:
                self._keep(self.safe, index(cell), argument)
        if isinstance(argument, NumberFull | Overlap):
            for cell in argument.mines:
                if index(cell) not in self.trusted:
                    self._keep(self.mines, index(cell), argument)

    @staticmethod
    def _keep(facts: dict[int, Argument], index: int, argument: Argument) -> None:
        known = facts.get(index)
        if known is None or _length(argument) < _length(known):
            facts[index] = argument

    def _around(self, number: int) -> tuple[list[int], list[int]]:
        """Return the known mines and the undecided cells around a number."""
        mines, undecided = [], []
        for near in self._neighbours[number]:
            if near in self.trusted or near in self.mines:
                mines.append(near)
            elif near not in self._clues and near not in self.safe:
                undecided.append(near)
        return mines, undecided

    def _single_numbers(self) -> Iterator[Argument]:
        for number, clue in self._clues.items():
            mines, undecided = self._around(number)
            if not undecided:
                continue
            if len(mines) == clue:
                yield NumberDone(
                    self._cell(number),
                    clue,
                    self._cells(mines),
                    self._cells(undecided),
                    self._proofs(mines),
                )
            elif len(mines) + len(undecided) == clue:
                excluded = [near for near in self._neighbours[number] if near in self.safe]
                yield NumberFull(
                    self._cell(number),
                    clue,
                    self._cells(sorted(mines + undecided)),
                    self._proofs(excluded),
                )

    def _overlaps(self) -> Iterator[Argument]:
        undecided = {}
        needs = {}
        viewers: dict[int, list[int]] = {}
        for number, clue in self._clues.items():
            mines, unsettled = self._around(number)
            if unsettled:
                undecided[number] = set(unsettled)
                needs[number] = clue - len(mines)
                for cell in unsettled:
                    viewers.setdefault(cell, []).append(number)
        for number, cells in undecided.items():
            others = {near for cell in cells for near in viewers[cell]}
            for other in others:
                only_here, only_there = cells - undecided[other], undecided[other] - cells
                surplus = needs[number] - needs[other]
                if surplus == len(only_here) and only_here | only_there:
                    yield self._overlap(number, other, undecided, needs)

    def _overlap(
        self, fuller: int, other: int, undecided: dict[int, set[int]], needs: dict[int, int]
    ) -> Overlap:
        here, there = undecided[fuller], undecided[other]
        known = [
            near
            for number in (fuller, other)
            for near in self._neighbours[number]
            if near in self.mines or near in self.safe
        ]
        return Overlap(
            self._cell(fuller),
            needs[fuller],
            self._cell(other),
            needs[other],
            self._cells(sorted(here - there)),
            self._cells(sorted(here & there)),
            self._cells(sorted(there - here)),
            self._proofs(known),
        )

    def _proofs(self, cells: Iterable[int]) -> tuple[Argument, ...]:
        """Return the arguments for some facts, each once; trusted flags need none."""
        proofs = [self.mines.get(cell) or self.safe.get(cell) for cell in cells]
        return tuple(dict.fromkeys([proof for proof in proofs if proof is not None]))

    def _cell(self, index: int) -> Cell:
        return self._terrain.cell(index)

    def _cells(self, cells: Iterable[int]) -> tuple[Cell, ...]:
        return tuple([self._terrain.cell(index) for index in cells])


def _length(argument: Argument) -> int:
    """How many different steps an argument takes, its own included."""
    return len(_steps(argument, set()))


def _steps(argument: Argument, met: set[Argument]) -> set[Argument]:
    if argument not in met:
        met.add(argument)
        for each in (
            argument.because if isinstance(argument, NumberDone | NumberFull | Overlap) else ()
        ):
            _steps(each, met)
    return met
