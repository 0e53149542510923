"""Finding the shortest argument for a safe cell, by the steps a person would take.

Facts are found in rounds, each using only those of the rounds before. A player's flag counts as a
known mine when it is one for sure: a hint should build on what the player has found already, and
never on a mistake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jminesweeper.core import PlayerView
from jminesweeper.solver.arguments import (
    Argument,
    NumberDone,
    NumberFull,
    Overlap,
    Premise,
    steps_of,
)
from jminesweeper.solver.edge import Edge

_ONE_NUMBER = 2
_TWO_NUMBERS = 7
"""Comparing two numbers is worth sparing three single ones, but not two."""


class Reasoning:
    """Facts about one position, each with the arguments that prove it."""

    __slots__ = ("_cheapest", "_edge", "_proofs")

    def __init__(self, view: PlayerView, trusted: int) -> None:
        self._edge = Edge.of(view, trusted)
        self._proofs: dict[int, list[Premise]] = {}
        """What proves a mine that no trusted flag marks."""
        self._cheapest: dict[frozenset[int], tuple[Premise, ...]] = {}

    def first_safe(self) -> tuple[int, Argument] | None:
        """Return the safe cell with the shortest argument, and the argument."""
        self._note(self._full_numbers())
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
        return self._edge.terrain.index(argument.safe[0])

    def _note(self, arguments: Iterable[Premise]) -> bool:
        """Keep what proves mines that were not known; say whether there are such."""
        new: dict[int, list[Premise]] = {}
        for argument in arguments:
            for cell in argument.mines:
                index = self._edge.terrain.index(cell)
                if index not in self._proofs and index not in self._edge.flags:
                    new.setdefault(index, []).append(argument)
        self._proofs.update(new)
        return bool(new)

    def _known(self, cells: frozenset[int]) -> frozenset[int]:
        return frozenset([cell for cell in cells if cell in self._proofs])

    def _full_numbers(self) -> Iterator[NumberFull]:
        edge = self._edge
        for number, cells in edge.open.items():
            if len(cells) == edge.needs[number]:
                mines = edge.cells(cells | edge.flags_around(number))
                yield NumberFull(edge.number(number), mines)

    def _done_numbers(self) -> Iterator[NumberDone]:
        edge = self._edge
        for number, cells in edge.open.items():
            mines = self._known(cells)
            if edge.needs[number] == len(mines) < len(cells):
                yield NumberDone(
                    edge.number(number),
                    edge.cells(mines | edge.flags_around(number)),
                    edge.cells(cells - mines),
                    self._prove(mines),
                )

    def _overlaps(self) -> Iterator[Overlap]:
        edge = self._edge
        for fuller, here in edge.open.items():
            for other in {near for cell in here for near in edge.viewers[cell]} - {fuller}:
                there = edge.open[other]
                # Of what is known, only this makes a difference to what follows.
                known = self._known(there - here)
                need = edge.needs[other] - len(known)
                mines, safe = here - there, there - here - known
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
                        self._prove(known),
                    )

    def _prove(self, mines: frozenset[int]) -> tuple[Premise, ...]:
        """Return the fewest and shortest arguments that prove all of these."""
        if not mines:
            return ()
        if mines not in self._cheapest:
            hardest = min(mines, key=lambda mine: (len(self._proofs[mine]), mine))
            ways = [self._with_rest(proof, mines) for proof in self._proofs[hardest]]
            self._cheapest[mines] = min(ways, key=lambda steps: sum(map(_effort, steps)))
        return self._cheapest[mines]

    def _with_rest(self, proof: Premise, mines: frozenset[int]) -> tuple[Premise, ...]:
        return proof, *self._prove(mines.difference(map(self._edge.terrain.index, proof.mines)))


def _effort(argument: Argument) -> int:
    """How much there is to follow in an argument and all that it rests on."""
    steps = steps_of(argument)
    return sum(_TWO_NUMBERS if isinstance(step, Overlap) else _ONE_NUMBER for step in steps)
