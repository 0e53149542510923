"""Count the connected parts of a set of cells, all at once.

Levialdi's shrinking: every step takes the bottom-right corners off all parts and fills their inner
corners, so that each part shrinks towards its top left without breaking up or meeting another,
becomes a single cell, and goes. Counting the single cells of every step counts the parts, and a
step is a few shifts of the whole board, however many parts there are. Only the largest take many
steps, so now and then one of those left is filled and taken away whole.
"""

from __future__ import annotations

from jminesweeper.core.flood import flood
from jminesweeper.core.grid import Grid, lowest
from jminesweeper.core.rules import Spread

# Measured on 255x255 boards of every density: the slowest takes 2 ms.
_STEPS_BETWEEN_FILLS = 16


def count_components(grid: Grid, cells: int, spread: Spread) -> int:
    """Count the parts of a set whose cells are joined by steps of the spread."""
    count = 0
    step, shrink = (
        (grid.beside, _shrink_four) if spread is Spread.FOUR else (grid.neighbours, _shrink_eight)
    )
    while cells:
        for _ in range(_STEPS_BETWEEN_FILLS):
            joined = cells & step(cells)
            count += (cells ^ joined).bit_count()
            cells = shrink(joined, grid.stride)
        if cells:
            count += 1
            cells ^= flood(grid, lowest(cells), cells, spread)
    return count


def _shrink_eight(cells: int, stride: int) -> int:
    """Keep a cell with one on its right, below or between; fill one with both."""
    right, below = cells >> 1, cells >> stride
    return cells & (right | below | right >> stride) | right & below


def _shrink_four(cells: int, stride: int) -> int:
    """Do to the gaps what shrinks parts joined to eight sides, which shrinks those of four."""
    right, below = cells >> 1, cells >> stride
    return (cells | right & below & right >> stride) & (right | below)
