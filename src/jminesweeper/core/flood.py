"""What is connected on a board held in one integer: flood fill, and counting connected parts.

A fill first steps to its neighbours, which is all that most openings need. A larger one grows by
doubling: along a line with shifts of 1, 2, 4, 8 cells, and one step sideways for the diagonals,
pass after pass until nothing changes. To the right no shifts are needed: added to a run of open
cells, a reached cell carries through to the run's end, and what the carry cleared is what it
reached. The masks that say where a shift may land depend on the open cells only, and are made once.

All this happens in a band of rows around the seeds, where integers are short; a fill that reaches
the band's first or last row continues in a band several times as high.

Parts are counted all at once by Levialdi's shrinking: every step takes the bottom-right corners off
all parts and fills their inner corners, so that each part shrinks towards its top left without
breaking up or meeting another, becomes a single cell, and vanishes. Counting the single cells of
every step counts the parts, and a step is a few shifts of the whole board, however many there are.
Only the largest take many steps, so now and then one of those left is filled and removed whole.

``a ^ (a & b)`` is ``a & ~b``, which takes three times as long: Python's integers are kept by sign
and magnitude, so a complement is negative, and each use of it is a conversion.
"""

from __future__ import annotations

from typing import NamedTuple

from jminesweeper.core.grid import MAX_SIDE, Grid, lowest

_SINGLE_STEPS = 16
_MARGINS = (12, 64, MAX_SIDE)
"""Rows on each side of the seeds, at first and after reaching an edge."""

# Of 255x255 boards at level 1, whose openings are the largest, the longer jumps cost more than they
# gain; what is not filled after this many passes is a maze with long straight corridors.
_USUAL_JUMP = 8
_USUAL_PASSES = 32

# Measured on 255x255 boards of every density: the slowest takes 2 ms.
_STEPS_BETWEEN_FILLS = 16

Jumps = list[tuple[int, int, int]]


def flood(grid: Grid, seeds: int, within: int, *, diagonal: bool) -> int:
    """Return the cells of `within` that `seeds` reach by steps to neighbours inside it."""
    band = _flood_band(grid, seeds & within, within, diagonal=diagonal)
    return band.reached << band.shift


def flood_with_border(grid: Grid, seeds: int, within: int, *, diagonal: bool) -> int:
    """Return what a flood reaches, and all cells one step from that."""
    reached, shift = _flood_band(grid, seeds & within, within, diagonal=diagonal)
    # One row further down, so that the border above the first row is not shifted out.
    if shift:
        reached, shift = reached << grid.stride, shift - grid.stride
    return (reached | _step(reached, grid.stride, diagonal)) << shift & grid.mask


class _Band(NamedTuple):
    """Some rows of a board, from the one whose first bit is bit `shift` of the board."""

    reached: int
    shift: int


def _flood_band(grid: Grid, seeds: int, within: int, *, diagonal: bool) -> _Band:
    """Fill in a band that grows until the fill keeps clear of its edges."""
    stride, total = grid.stride, grid.size.rows
    seeded = grid.rows_spanned(seeds)
    fill = _fill_by_steps
    reached = shift = 0
    for margin in _MARGINS:
        first, last = max(0, seeded.start - margin), min(total, seeded.stop + margin)
        shift, height = first * stride, (last - first) * stride
        part = within >> shift & ((1 << height) - 1)
        reached = fill(stride, seeds >> shift, part, diagonal=diagonal)
        is_cut_above = first > 0 and reached & grid.row_mask
        is_cut_below = last < total and reached >> height - stride
        if not (is_cut_above or is_cut_below):
            break
        seeds = reached << shift
        fill = _fill_by_doubling
    return _Band(reached, shift)


def _step(cells: int, stride: int, diagonal: bool) -> int:
    """Return all neighbours of cells; some may be in the padding column or off the board."""
    sideways = cells << 1 | cells >> 1
    if not diagonal:
        return sideways | cells << stride | cells >> stride
    column = cells | sideways
    return sideways | column << stride | column >> stride


def _fill_by_steps(stride: int, reached: int, within: int, *, diagonal: bool) -> int:
    """Fill by steps as long as there are few, and then by doubling."""
    for _ in range(_SINGLE_STEPS):
        beside = reached | reached << 1 | reached >> 1
        column = beside if diagonal else reached
        grown = (beside | column << stride | column >> stride) & within
        if grown == reached:
            return reached
        reached = grown
    return _fill_by_doubling(stride, reached, within, diagonal=diagonal)


def _fill_by_doubling(stride: int, reached: int, within: int, *, diagonal: bool) -> int:
    along_rows = _jumps(within, 1, _USUAL_JUMP)
    along_columns = _jumps(within, stride, _USUAL_JUMP)
    passes = 0
    while True:
        before = reached
        reached |= within ^ (within & (within + reached))
        for shift, _, down in along_rows:
            reached |= reached >> shift & down
        for shift, up, down in along_columns:
            reached |= (reached << shift & up) | (reached >> shift & down)
        if diagonal:
            sideways = reached << 1 | reached >> 1
            reached |= (sideways << stride | sideways >> stride) & within
        if reached == before:
            return reached
        passes += 1
        if passes == _USUAL_PASSES:
            along_rows = _jumps(within, 1, MAX_SIDE)
            along_columns = _jumps(within, stride, MAX_SIDE)


def _jumps(within: int, unit: int, longest: int) -> Jumps:
    """List shifts of 1, 2, 4, ... units, each with the cells to land on going up, and down.

    A jump needs every cell on its way open, both ends included.
    """
    jumps = []
    up = within & within << unit
    length = 1
    while up and length <= longest:
        shift = length * unit
        jumps.append((shift, up, up >> shift))
        up &= up << shift
        length *= 2
    return jumps


def count_components(grid: Grid, cells: int, *, diagonal: bool) -> int:
    """Count the parts of a set whose cells are joined by steps to neighbours."""
    count = 0
    step, shrink = (grid.neighbours, _shrink_eight) if diagonal else (grid.beside, _shrink_four)
    while cells:
        for _ in range(_STEPS_BETWEEN_FILLS):
            joined = cells & step(cells)
            count += (cells ^ joined).bit_count()
            cells = shrink(joined, grid.stride)
        if cells:
            count += 1
            cells ^= flood(grid, lowest(cells), cells, diagonal=diagonal)
    return count


def _shrink_eight(cells: int, stride: int) -> int:
    """Keep a cell with a neighbour right, below or between; fill a gap that has both."""
    right, below = cells >> 1, cells >> stride
    return cells & (right | below | right >> stride) | right & below


def _shrink_four(cells: int, stride: int) -> int:
    """Shrink the gaps as if joined on eight sides: that shrinks parts that are joined on four."""
    right, below = cells >> 1, cells >> stride
    return (cells | right & below & right >> stride) & (right | below)
