"""Places of the parts of a game's screen, the size of a cell, and the part of a field in sight.

Signs have one character, or two: a mine with the flag on it. In two columns the cursor's marks
need a margin at the sides of the field; larger cells have an odd size, so that a digit is in the
middle, and have room for the marks inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell, Size


class CellSize(Enum):
    """Columns and rows of a cell: as many as fit, or as the player wants."""

    AUTO = "auto"
    ONE = "1"
    TWO = "2"
    THREE = "3"
    FIVE = "5x3"


class TerminalSize(NamedTuple):
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
        """True if there is room for signs of two characters, and for marks around the cursor."""
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
    terminal: TerminalSize, room: TerminalSize, size: Size, chosen: CellSize, *, has_tiles: bool
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


def _fits(shape: CellShape, size: Size, room: TerminalSize) -> bool:
    is_low_enough = shape.rows * size.rows <= room.rows
    return is_low_enough and shape.width_of(size.columns) <= room.columns


# The places of the parts

FEWEST_COLUMNS: Final = 40
FEWEST_ROWS: Final = 12

_HEADER_COLUMNS = 64
_ROWS_AROUND = 5
"""Header, the frame's two lines, message and keys."""
_MOST_FOOT_ROWS = 6
_MARGIN = 3


class Window(NamedTuple):
    """The part of the field that is on the screen, by its first cell."""

    column: int = 0
    row: int = 0


class Layout(NamedTuple):
    """The places of one terminal and one size of board, counted from 0."""

    size: Size
    columns: int
    rows: int
    shape: CellShape
    window_columns: int
    window_rows: int
    left: int
    width: int
    frame_left: int
    frame_width: int
    header_row: int
    frame_row: int
    foot_row: int
    foot_rows: int
    """The lines under the frame and above the keys."""

    @property
    def is_windowed(self) -> bool:
        """True if the field does not fit as a whole."""
        return self.window_columns < self.size.columns or self.window_rows < self.size.rows

    @property
    def field_rows(self) -> int:
        """The lines inside the frame."""
        return self.window_rows * self.shape.rows

    @property
    def keys_row(self) -> int:
        return self.foot_row + self.foot_rows

    @property
    def gap_row(self) -> int | None:
        """The line between header and frame, where there is one."""
        return self.header_row + 1 if self.frame_row > self.header_row + 1 else None

    # Cells

    def shows(self, window: Window, cell: Cell) -> bool:
        """Return True if a cell is in the window."""
        across, down = cell.column - window.column, cell.row - window.row
        return 0 <= across < self.window_columns and 0 <= down < self.window_rows

    def sign_of(self, window: Window, cell: Cell) -> tuple[int, int]:
        """Find a cell's sign: its row and column inside the frame."""
        shape, across, down = self.shape, cell.column - window.column, cell.row - window.row
        row = shape.rows * down + shape.sign_row
        return row, shape.left_margin + shape.columns * across + shape.sign_column

    def place_of(self, window: Window, cell: Cell) -> tuple[int, int]:
        """Find the row and the column of a cell's sign on the screen."""
        row, column = self.sign_of(window, cell)
        return self.frame_row + 1 + row, self.frame_left + 1 + column

    def cell_at(self, window: Window, row: int, column: int) -> Cell | None:
        """Find the cell at a place on the screen; a margin belongs to the cell beside it."""
        down, inside = row - self.frame_row - 1, column - self.frame_left - 1
        if not (0 <= down < self.field_rows and 0 <= inside < self.frame_width - 2):
            return None
        across = max(0, inside - self.shape.left_margin) // self.shape.columns
        across = min(across, self.window_columns - 1)
        return Cell(window.column + across, window.row + down // self.shape.rows)

    # The window

    def follow(self, window: Window, cursor: Cell) -> Window:
        """Move a window just enough to show the cursor and something around it."""
        return Window(
            _follow(window.column, self.window_columns, self.size.columns, cursor.column),
            _follow(window.row, self.window_rows, self.size.rows, cursor.row),
        )

    def pan(self, window: Window, columns: int, rows: int) -> Window:
        """Move a window by a number of cells, within the field."""
        return Window(
            max(0, min(window.column + columns, self.size.columns - self.window_columns)),
            max(0, min(window.row + rows, self.size.rows - self.window_rows)),
        )


def arrange(
    columns: int,
    rows: int,
    size: Size,
    cells: CellSize,
    *,
    has_tiles: bool,
    more_foot: int = 0,
) -> Layout:
    """Find a place for everything, with so many lines more under the field than one.

    One line is the field's, however much a server says.
    """
    more_foot = min(more_foot, rows - _ROWS_AROUND - 1)
    room = TerminalSize(columns - 2, rows - _ROWS_AROUND - more_foot)
    shape = shape_of(TerminalSize(columns, rows), room, size, cells, has_tiles=has_tiles)
    window_columns = min(size.columns, shape.cells_in(room.columns))
    window_rows = min(size.rows, max(1, room.rows // shape.rows))
    frame_width = shape.width_of(window_columns) + 2
    is_windowed = window_columns < size.columns or window_rows < size.rows
    # The cursor's place is then at the left end of the header, where a change costs least.
    width = columns if is_windowed else min(columns, max(frame_width, _HEADER_COLUMNS))
    spare = rows - _ROWS_AROUND - window_rows * shape.rows
    above = min(spare - more_foot, 1)
    foot_rows = 1 + min(spare - above, _MOST_FOOT_ROWS - 1)
    header_row = (spare - above - foot_rows + 1) // 2
    frame_row = header_row + 1 + above
    return Layout(
        size=size,
        columns=columns,
        rows=rows,
        shape=shape,
        window_columns=window_columns,
        window_rows=window_rows,
        left=(columns - width) // 2,
        width=width,
        frame_left=(columns - frame_width) // 2,
        frame_width=frame_width,
        header_row=header_row,
        frame_row=frame_row,
        foot_row=frame_row + window_rows * shape.rows + 2,
        foot_rows=foot_rows,
    )


def _follow(first: int, shown: int, total: int, place: int) -> int:
    """Move seldom but far: each move costs a screen."""
    if shown >= total:
        return 0
    margin = min(_MARGIN, (shown - 1) // 2)
    step = (shown - 2 * margin) // 2
    if place < first + margin:
        first = place - margin - step
    elif place >= first + shown - margin:
        first = place + 1 + margin + step - shown
    return max(0, min(first, total - shown))
