"""Faces: the look of each cell of a board, as one byte a cell.

A face is a sum: a clue in the low four bits and a bit for each thing on top of it. The faces of
many cells are made from bitboards by operations on big integers, never by a loop over cells.
"""

from __future__ import annotations

from codecs import charmap_decode
from functools import reduce
from operator import or_, xor
from typing import Final, NamedTuple

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Grid, Size
from jminesweeper.core.minefield import Minefield, read_clue
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import DIGITS, PlayerView, Status

CLUE: Final = 0x0F
COVERED: Final = 0x10
FLAGGED: Final = 0x20
MINED: Final = 0x40
EXPLODED: Final = 0x80
QUESTIONED: Final = 0x0F
"""The clue of a covered cell with a question mark: not a number of mines."""


def digit_of(face: int) -> str:
    """Write a clue; no cell has the faces of more mines than it can touch."""
    clue = face & CLUE
    return DIGITS[clue] if clue < len(DIGITS) else "."


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

    def differences(self, other: Layers) -> int:
        """Return the cells that differ."""
        changed: int = reduce(or_, map(xor, self, other))
        return changed


def covered_layers(grid: Grid) -> Layers:
    """Return the layers of a board before the first action."""
    return Layers(0, 0, 0, 0, grid.mask, 0, 0, 0)


def face_of(game: Game, index: int, debug_mines: int = 0) -> int:
    """Return the face of one cell of a running game."""
    if game.known >> index & 1:
        return MINED
    if game.visible >> index & 1:
        return read_clue(game.reveal_truth().clue_planes, index)
    face = COVERED | MINED if debug_mines >> index & 1 else COVERED
    if game.flagged >> index & 1:
        return face | FLAGGED
    return face | QUESTIONED if game.questioned >> index & 1 else face


def layers_of(view: PlayerView, debug_mines: int = 0) -> Layers:
    """Sort a view into layers; at the end the mines show, also in cells that were never opened."""
    if view.shown_mines is None:
        covered = view.grid.mask ^ (view.visible | view.known)
        ones, twos, fours, eights = view.clue_planes
        if marks := view.questioned:
            # A covered cell has no clue; the highest one that can be written is its question mark.
            ones, twos, fours, eights = ones | marks, twos | marks, fours | marks, eights | marks
        mines = debug_mines & covered | view.known
        return Layers(ones, twos, fours, eights, covered, view.flagged, mines, 0)
    field, grid = Minefield(view.size, view.mines), view.grid
    ones, twos, fours, eights = (plane & field.safe for plane in field.clue_planes)
    exploded = 0 if view.exploded is None else grid.bit(view.exploded)
    covered = grid.mask ^ view.visible
    return Layers(ones, twos, fours, eights, covered, view.flagged, view.mines, exploded)


_ZERO_OR: Final = [bytes.maketrans(b"01", bytes((0, 1 << place))) for place in range(8)]


def faces_of(grid: Grid, layers: Layers, rows: range) -> bytes:
    """Return the faces of some rows; each is one stride long."""
    shift, length = rows.start * grid.stride, len(rows) * grid.stride
    within = (1 << length) - 1
    faces = 0
    for layer, table in zip(layers, _ZERO_OR, strict=True):
        # Its binary digits are a byte for each cell, the last one first.
        digits = format(layer >> shift & within, "b").encode()
        faces |= int.from_bytes(digits.translate(table), "big")
    return faces.to_bytes(length, "little")


def all_faces(view: PlayerView, debug_mines: int = 0) -> bytes:
    """Return the faces of all cells, in reading order."""
    grid, layers = view.grid, layers_of(view, debug_mines)
    faces, columns = faces_of(grid, layers, range(view.size.rows)), view.size.columns
    return b"".join(faces[start : start + columns] for start in range(0, len(faces), grid.stride))


def read_faces(faces: bytes | bytearray, size: Size, mine_count: int, status: Status) -> PlayerView:
    """Read what a player sees from the faces of all cells, in reading order.

    What only debug mode shows is left out; NotationError if they make no sense.
    """
    symbols = SYMBOLS_AFTER if status.is_over else _SYMBOLS_BEFORE
    text = charmap_decode(bytes(faces), "strict", symbols)[0]
    rows = (text[start : start + size.columns] for start in range(0, len(text), size.columns))
    return parse_position("\n".join(rows), mine_count, status)


def _symbol_before(face: int) -> str:
    """Write a cell of a running game, in the symbols of `core.notation`."""
    if face & COVERED:
        return "F" if face & FLAGGED else "?"
    return "*" if face & MINED else digit_of(face)


def _symbol_after(face: int) -> str:
    """Write a cell of a game that has ended."""
    if face & EXPLODED:
        return "X"
    if face & FLAGGED:
        return "F" if face & MINED else "!"
    if face & MINED:
        return "B"
    return "?" if face & COVERED else digit_of(face)


_SYMBOLS_BEFORE: Final = "".join(map(_symbol_before, range(256)))
SYMBOLS_AFTER: Final = "".join(map(_symbol_after, range(256)))
