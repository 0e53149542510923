"""What each cell of a board shows, as one byte a cell.

A face is a sum: a clue in the low four bits and a bit for each thing that lies over it. The
faces of a whole board are made from its bitboards by arithmetic on big integers, one byte lane
a cell, and never by a loop over cells.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jminesweeper.core import Grid, Minefield, PlayerView

CLUE: Final = 0x0F
COVERED: Final = 0x10
FLAGGED: Final = 0x20
MINED: Final = 0x40
EXPLODED: Final = 0x80

_DIGITS: Final = ".12345678"

_BITS = bytes.maketrans(b"01", b"\0\1")


def digit_of(face: int) -> str:
    """Write a clue; the faces of more mines than a cell can touch are nobody's."""
    clue = face & CLUE
    return _DIGITS[clue] if clue < len(_DIGITS) else "."


class Layers(NamedTuple):
    """The bitboards that a face is the sum of, each beside its weight in `WEIGHTS`."""

    ones: int
    twos: int
    fours: int
    eights: int
    covered: int
    flagged: int
    mined: int
    exploded: int


WEIGHTS: Final = Layers(1, 2, 4, 8, COVERED, FLAGGED, MINED, EXPLODED)


def layers_of(view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort what a view shows into layers; a game that is over shows everything."""
    if view.shown_mines is None:
        covered = view.grid.mask & ~view.visible
        return Layers(*view.clue_planes, covered, view.flagged, debug_mines & covered, 0)
    field = Minefield(view.size, view.mines)
    ones, twos, fours, eights = (plane & field.safe for plane in field.clue_planes)
    exploded = 0 if view.exploded is None else view.grid.bit(view.exploded)
    return Layers(ones, twos, fours, eights, 0, view.flagged, view.mines, exploded)


def layers_with_unopened(view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort as `layers_of` does, and tell also of a game that is over what was never opened."""
    layers = layers_of(view, debug_mines)
    if view.shown_mines is None:
        return layers
    return layers._replace(covered=view.grid.mask & ~view.visible)


def board_faces(grid: Grid, layers: Layers) -> bytearray:
    """Return the faces of all cells; a cell's place is its bit's number."""
    return bytearray(_sum(layers, grid.stride * grid.size.rows))


def window_faces(grid: Grid, layers: Layers, first_row: int, rows: int) -> bytes:
    """Return the faces of some rows; each is one stride long."""
    shift, length = first_row * grid.stride, rows * grid.stride
    mask = (1 << length) - 1
    return _sum([layer >> shift & mask for layer in layers], length)


def row_faces(grid: Grid, layers: Layers, row: int) -> bytes:
    """Return the faces of one row."""
    shift, mask = row * grid.stride, grid.row_mask
    return _sum([layer >> shift & mask for layer in layers], grid.size.columns)


def _sum(layers: Layers | list[int], length: int) -> bytes:
    total = 0
    for weight, layer in zip(WEIGHTS, layers, strict=True):
        if layer:
            lanes = format(layer, "b").encode().translate(_BITS)
            total += weight * int.from_bytes(lanes, "big")
    return total.to_bytes(length, "little")
