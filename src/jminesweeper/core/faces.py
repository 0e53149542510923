"""What each cell of a board shows, as one byte a cell.

A face is a sum: a clue in the low four bits and a bit for each thing on top of it. The faces of
many cells are made from bitboards by operations on big integers, never by a loop over cells.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jminesweeper.core.grid import MAX_SIDE, Grid
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import PlayerView

CLUE: Final = 0x0F
COVERED: Final = 0x10
FLAGGED: Final = 0x20
MINED: Final = 0x40
EXPLODED: Final = 0x80
QUESTIONED: Final = 0x0F
"""The clue of a covered cell with a question mark: not a number of mines."""

_DIGITS: Final = ".12345678"


def digit_of(face: int) -> str:
    """Write a clue; no cell has the faces of more mines than it can touch."""
    clue = face & CLUE
    return _DIGITS[clue] if clue < len(_DIGITS) else "."


class Layers(NamedTuple):
    """The bitboards that faces are made of, each the bits of one worth, the lowest first."""

    ones: int
    twos: int
    fours: int
    eights: int
    covered: int
    flagged: int
    mined: int
    exploded: int


def layers_of(view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort what a view shows into layers; a game that is over shows everything."""
    if view.shown_mines is None:
        covered = view.grid.mask ^ (view.visible | view.known)
        ones, twos, fours, eights = view.clue_planes
        if marks := view.questioned:
            # A covered cell has no clue; the highest one that can be written is its question mark.
            ones, twos, fours, eights = ones | marks, twos | marks, fours | marks, eights | marks
        mines = debug_mines & covered | view.known
        return Layers(ones, twos, fours, eights, covered, view.flagged, mines, 0)
    field = Minefield(view.size, view.mines)
    ones, twos, fours, eights = (plane & field.safe for plane in field.clue_planes)
    exploded = 0 if view.exploded is None else view.grid.bit(view.exploded)
    return Layers(ones, twos, fours, eights, 0, view.flagged, view.mines, exploded)


def layers_with_unopened(view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort as `layers_of` does, but mark what was never opened also when the game is over."""
    layers = layers_of(view, debug_mines)
    if view.shown_mines is None:
        return layers
    return layers._replace(covered=view.grid.mask ^ view.visible)


def faces_of(grid: Grid, layers: Layers, rows: range) -> bytes:
    """Return the faces of some rows; each is one stride long.

    Eight layers by eight cells are a square of bits, and to transpose it turns a byte of every
    layer into the faces of eight cells. Swapping its quarters across the diagonal, then the
    quarters of these, and theirs, does that to all squares of the rows at once.
    """
    shift, length = rows.start * grid.stride, len(rows) * grid.stride
    eighth = (length + 7) // 8
    within = (1 << length) - 1
    lanes = [layer >> shift & within for layer in layers]
    for first, second, apart, keeps in _SWAPS:
        one, other = lanes[first], lanes[second]
        if one or other:
            swapped = (one >> apart ^ other) & keeps
            lanes[first] = one ^ swapped << apart
            lanes[second] = other ^ swapped
    faces = bytearray(8 * eighth)
    for place, lane in enumerate(lanes):
        faces[place::8] = lane.to_bytes(eighth, "little")
    return bytes(faces[:length])


_MOST_BYTES: Final = MAX_SIDE * (MAX_SIDE + 1) // 8
_SWAPS: Final = [
    (lane, lane + apart, apart, keeps)
    for apart, bits in ((4, 0b00001111), (2, 0b00110011), (1, 0b01010101))
    for keeps in (int.from_bytes(bytes((bits,)) * _MOST_BYTES, "little"),)
    for lane in range(8)
    if not lane & apart
]
"""Two lanes, how far they are apart, and which bits of a byte change places."""
