"""The numbers a player looks at: those that still touch covered cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from jminesweeper.core import PlayerView
from jminesweeper.solver.arguments import Cells, Number
from jminesweeper.solver.knowledge import new_clues
from jminesweeper.solver.terrain import Terrain, indices


@dataclass(frozen=True)
class Edge:
    """Each number by its index, with what it still needs beside the flags that are trusted."""

    terrain: Terrain
    flags: frozenset[int]
    """Those that are mines for sure; every other flag is an ordinary covered cell."""
    clues: Mapping[int, int]
    open: Mapping[int, frozenset[int]]
    """The covered cells around a number, without the trusted flags."""
    needs: Mapping[int, int]
    """How many mines are among them."""

    @staticmethod
    def of(view: PlayerView, trusted: int) -> Edge:
        terrain, grid = Terrain.of(view.size), view.grid
        undecided = grid.mask & ~view.visible & ~trusted
        seen = grid.neighbours(undecided) & view.visible
        clues = dict(new_clues(view, view.visible & ~seen))
        unsettled = frozenset(indices(undecided))
        flags = frozenset(indices(trusted))
        around = {number: frozenset(terrain.neighbours[number]) for number in clues}
        return Edge(
            terrain,
            flags,
            clues,
            {number: around[number] & unsettled for number in clues},
            {number: clue - len(around[number] & flags) for number, clue in clues.items()},
        )

    @cached_property
    def viewers(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers around each cell that one of them touches."""
        viewers: dict[int, list[int]] = {}
        for number, cells in self.open.items():
            for cell in cells:
                viewers.setdefault(cell, []).append(number)
        return {cell: tuple(numbers) for cell, numbers in viewers.items()}

    def flags_around(self, number: int) -> frozenset[int]:
        return self.flags.intersection(self.terrain.neighbours[number])

    def number(self, index: int) -> Number:
        return Number(self.terrain.cell(index), self.clues[index])

    def cells(self, places: Iterable[int]) -> Cells:
        """Return cells in reading order."""
        return tuple([self.terrain.cell(index) for index in sorted(places)])
