"""How large a cell is on the screen, and where its sign is in it.

Signs have one character, or two: a mine with the flag on it. In two columns the cursor's marks
need a margin at the sides of the field; larger cells have an odd size, so that a digit is in the
middle, and have room for the marks inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.core.grid import Size


class CellSize(Enum):
    """How many columns and rows a cell takes: as many as fit, or as the player wants."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FIVE = "5x3"


class Room(NamedTuple):
    """Columns and rows of a terminal, or of a part of it."""

    columns: int
    rows: int


class CellShape(NamedTuple):
    """A cell's columns and rows, the place of its sign, and the margins of the field."""

    columns: int
    rows: int
    sign_column: int
    sign_row: int
    left_margin: int = 0
    right_margin: int = 0

    @property
    def is_wide(self) -> bool:
        """Whether there is room for signs of two characters, and for marks around the cursor."""
        return self.columns > 1

    def width_of(self, cells: int) -> int:
        """Return the columns of a field inside its frame."""
        return self.left_margin + self.columns * cells + self.right_margin

    def cells_in(self, columns: int) -> int:
        """Return how many cells there is room for side by side."""
        return (columns - self.left_margin - self.right_margin) // self.columns


NARROW: Final = CellShape(1, 1, 0, 0)
# The last cell ends in a blank, which is a margin unless it has a background.
_NORMAL: Final = CellShape(2, 1, 0, 0, left_margin=1)
_NORMAL_TILE: Final = CellShape(2, 1, 0, 0, left_margin=1, right_margin=1)
_SHAPES: Final[Mapping[CellSize, CellShape]] = {
    CellSize.ONE: NARROW,
    CellSize.THREE: CellShape(3, 1, 1, 0),
    CellSize.FIVE: CellShape(5, 3, 2, 1),
}
_LARGER: Final[Sequence[CellShape]] = (_SHAPES[CellSize.FIVE], _SHAPES[CellSize.THREE])
_ORDINARY_COLUMNS: Final = 80
"""Cells grow on terminals that are wider than this."""
_SMALL_SHARE: Final = 1 / 3
"""A share of the screen: fields that would fill less have larger cells."""


def shape_of(
    terminal: Room, room: Room, size: Size, chosen: CellSize, *, has_tiles: bool
) -> CellShape:
    """Return the shape of a board's cells, with so much room inside the frame."""
    normal = chosen_shape(CellSize.TWO, has_tiles=has_tiles)
    if chosen is not CellSize.AUTO:
        return chosen_shape(chosen, has_tiles=has_tiles)
    if normal.width_of(size.columns) > room.columns:
        # One column only where that shows whole rows: otherwise the field is scrolled anyway, and
        # it is easier to read in two.
        return NARROW if size.columns <= room.columns else normal
    is_small = normal.columns * size.cells < _SMALL_SHARE * terminal.columns * terminal.rows
    if terminal.columns > _ORDINARY_COLUMNS and is_small:
        return next((shape for shape in _LARGER if _fits(shape, size, room)), normal)
    return normal


def chosen_shape(chosen: CellSize, *, has_tiles: bool) -> CellShape:
    """Return the shape that a player chose; the normal one where it depends on the board."""
    return _SHAPES.get(chosen, _NORMAL_TILE if has_tiles else _NORMAL)


def _fits(shape: CellShape, size: Size, room: Room) -> bool:
    is_low_enough = shape.rows * size.rows <= room.rows
    return is_low_enough and shape.width_of(size.columns) <= room.columns
