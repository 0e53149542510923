"""A slow and simple player without a guess, to prove boards by other means than the solver's.

It knows single numbers and pairs of numbers. Where these do not suffice it tries both values of a
cell and drops the one that leads to a contradiction, which is certain as well.
"""

from __future__ import annotations

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Spread


class Checker:
    """Plays one board from its first reveal, by certain steps alone."""

    def __init__(self, field: Minefield, first: Cell, spread: Spread) -> None:
        self._field = field
        self._grid = Grid.of(field.size)
        self._spread = spread
        self.visible: set[Cell] = set()
        self.mines: set[Cell] = set()
        self._cells = list(self._grid.cells(self._grid.mask))
        self._open(first)

    def needs_no_guess(self) -> bool:
        while len(self.visible) < self._field.size.cells - self._field.mine_count:
            if not (self._simple_step() or self._counting_step()):
                return False
        return True

    def _open(self, cell: Cell) -> None:
        assert not self._field.mines & self._grid.bit(cell), "a mine was called safe"
        opened = self._field.flood(self._grid.bit(cell), 0, self._spread)
        self.visible.update(self._grid.cells(opened))

    def _around(self, cell: Cell) -> set[Cell]:
        bit = self._grid.bit(cell)
        return set(self._grid.cells(self._grid.neighbours(bit) & ~bit))

    def _constraints(self) -> list[tuple[set[Cell], int]]:
        found = []
        for number in self.visible:
            around = self._around(number)
            unknown = around - self.visible - self.mines
            if unknown:
                found.append((unknown, self._field.clue(number) - len(around & self.mines)))
        return found

    def _simple_step(self) -> bool:
        constraints = self._constraints()
        safe: set[Cell] = set()
        mines: set[Cell] = set()
        for cells, need in constraints:
            if need == 0:
                safe |= cells
            elif need == len(cells):
                mines |= cells
        if not safe and not mines:
            for here, need in constraints:
                for there, other in constraints:
                    if here & there and need - other == len(here - there):
                        mines |= here - there
                        safe |= there - here
        return self._settle(safe, mines)

    def _settle(self, safe: set[Cell], mines: set[Cell]) -> bool:
        self.mines |= mines
        for cell in safe:
            self._open(cell)
        return bool(safe or mines)

    def _counting_step(self) -> bool:
        """Settle a cell of which one value contradicts the numbers or the mine count."""
        constraints = self._constraints()
        unknown = set(self._cells) - self.visible - self.mines
        left = self._field.mine_count - len(self.mines)
        for cell in sorted({cell for cells, _ in constraints for cell in cells}) or sorted(unknown):
            if not _can_be(constraints, {cell}, set(), unknown, left):
                return self._settle({cell}, set())
            if not _can_be(constraints, set(), {cell}, unknown, left):
                return self._settle(set(), {cell})
        outside = unknown - {cell for cells, _ in constraints for cell in cells}
        if outside:
            cell = min(outside)
            if not _can_be(constraints, {cell}, set(), unknown, left):
                return self._settle(outside, set())
        return False


def _can_be(
    constraints: list[tuple[set[Cell], int]],
    mines: set[Cell],
    safe: set[Cell],
    unknown: set[Cell],
    left: int,
) -> bool:
    """Search for any layout with these mines and safe cells."""
    rest = []
    for cells, need in constraints:
        open_cells = cells - mines - safe
        remaining = need - len(cells & mines)
        if not 0 <= remaining <= len(open_cells):
            return False
        if open_cells:
            rest.append((open_cells, remaining))
    if len(mines) > left:
        return False
    forced_safe = {cell for cells, need in rest if need == 0 for cell in cells}
    forced_mines = {cell for cells, need in rest if need == len(cells) for cell in cells}
    if forced_safe or forced_mines:
        return _can_be(constraints, mines | forced_mines, safe | forced_safe, unknown, left)
    if not rest:
        return left - len(mines) <= len(unknown - mines - safe)
    cell = min(min(rest, key=lambda each: len(each[0]))[0])
    return _can_be(constraints, mines | {cell}, safe, unknown, left) or _can_be(
        constraints, mines, safe | {cell}, unknown, left
    )
