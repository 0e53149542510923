"""Small positions and what trying every layout says about them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import PlayerView, Status

MOST_COVERED = 12


def shown(field: Minefield, visible: int, flagged: int = 0) -> PlayerView:
    """The view of a board on which these safe cells are visible."""
    ones, twos, fours, eights = field.clue_planes
    planes = (ones & visible, twos & visible, fours & visible, eights & visible)
    return PlayerView(
        field.size, field.mine_count, Status.ONGOING, visible, flagged, planes, None, None
    )


@st.composite
def positions(draw: st.DrawFn, most_covered: int = MOST_COVERED) -> tuple[PlayerView, Minefield]:
    """A possible position with few covered cells, and the board behind it."""
    size = Size(draw(st.integers(1, 7)), draw(st.integers(1, 5)))
    grid = Grid.of(size)
    cells = list(grid.cells(grid.mask))
    order = draw(st.permutations(cells))
    covered = order[: draw(st.integers(1, min(most_covered, len(cells))))]
    mines = covered[: draw(st.integers(0, len(covered)))]
    field = Minefield(size, mask(grid, mines))
    flagged = mask(grid, [cell for cell in covered if draw(st.booleans())])
    return shown(field, grid.mask & ~mask(grid, covered), flagged), field


def mask(grid: Grid, cells: list[Cell]) -> int:
    return sum(grid.bit(cell) for cell in cells)


def layouts(view: PlayerView) -> Iterator[int]:
    """Every set of mines that agrees with a view."""
    grid = view.grid
    covered = list(grid.cells(grid.mask & ~view.visible))
    for chosen in combinations(covered, view.mine_count):
        mines = mask(grid, list(chosen))
        if shown(Minefield(view.size, mines), view.visible).clue_planes == view.clue_planes:
            yield mines


def chances(view: PlayerView) -> dict[Cell, Fraction]:
    """The chance of a mine in each covered cell, by counting layouts one by one."""
    grid = view.grid
    found = list(layouts(view))
    return {
        cell: Fraction(sum(bool(mines & grid.bit(cell)) for mines in found), len(found))
        for cell in grid.cells(grid.mask & ~view.visible)
    }


def wins(view: PlayerView, boards: frozenset[int]) -> int:
    """In how many of these layouts perfect play shows every safe cell, by trying everything."""
    grid = view.grid
    covered = list(grid.cells(grid.mask & ~view.visible))
    if len(boards) == 1:
        return 1
    best = 0
    for cell in covered:
        bit = grid.bit(cell)
        by_clue: dict[int, set[int]] = {}
        for mines in boards:
            if not mines & bit:
                by_clue.setdefault(Minefield(view.size, mines).clue(cell), set()).add(mines)
        total = 0
        for group in by_clue.values():
            some = next(iter(group))
            after = shown(Minefield(view.size, some), view.visible | bit)
            total += wins(after, frozenset(group))
        best = max(best, total)
    return best
