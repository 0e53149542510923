"""What a screen is composed for, and where its parts are: header, frame, messages, keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell, Size
from jminesweeper.screen.models import CellSize, ColourDepth, Palette, Taste, Terminal
from jminesweeper.screen.shapes import CellShape, shape_of
from jminesweeper.screen.symbols import ASCII, TILES, UNICODE, Symbols

FEWEST_COLUMNS: Final = 40
FEWEST_ROWS: Final = 12
LARGEST_SIDE: Final = 255
"""A patch says where the cursor is in one byte for each side."""

_HEADER_COLUMNS = 64
_ROWS_AROUND = 5
"""Header, the frame's two lines, message and keys."""
_MOST_FOOT_ROWS = 6
_MARGIN = 3


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """A terminal's size and the characters that are used on it."""

    columns: int
    rows: int
    symbols: Symbols
    cell_size: CellSize
    keeps_tiles: bool = False
    """The client can mark the cursor on tiles."""

    @staticmethod
    @lru_cache(maxsize=256)
    def of(terminal: Terminal, taste: Taste) -> Canvas:
        """Find the canvas of a terminal; terminals of one kind share it."""
        return Canvas(
            min(max(terminal.columns, 1), LARGEST_SIDE),
            min(max(terminal.rows, 1), LARGEST_SIDE),
            _symbols_of(terminal, taste),
            taste.cell_size,
            terminal.keeps_tiles,
        )

    @property
    def has_unicode(self) -> bool:
        return self.symbols is not ASCII

    @property
    def has_tiles(self) -> bool:
        """Whether cells have a background."""
        return self.symbols is TILES

    @property
    def is_too_small(self) -> bool:
        return self.columns < FEWEST_COLUMNS or self.rows < FEWEST_ROWS


def _symbols_of(terminal: Terminal, taste: Taste) -> Symbols:
    """Choose the characters: tiles where the colours suffice and a frame can be drawn."""
    if not (terminal.has_unicode and taste.has_unicode):
        return ASCII
    has_colours = terminal.colours >= ColourDepth.INDEXED
    return TILES if has_colours and taste.palette is not Palette.MONOCHROME else UNICODE


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The places of one terminal and one size of board, counted from 0."""

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
    keys_row: int
    is_windowed: bool
    """Whether the field does not fit as a whole."""
    gap_row: int | None
    """The line between header and frame, where there is one."""

    @property
    def field_rows(self) -> int:
        """The lines inside the frame."""
        return self.window_rows * self.shape.rows

    @property
    def first_column(self) -> int:
        """Where the first cell begins."""
        return self.frame_left + 1 + self.shape.left_margin


class Window(NamedTuple):
    """The part of the field that is on the screen, in cells."""

    column: int
    row: int


@lru_cache(maxsize=256)
def arrange(
    columns: int, rows: int, size: Size, cell_size: CellSize, *, has_tiles: bool = False
) -> Layout:
    """Find a place for everything."""
    room = Size(columns - 2, rows - _ROWS_AROUND)
    shape = shape_of(Size(columns, rows), room, size, cell_size, has_tiles=has_tiles)
    window_columns = min(size.columns, shape.cells_in(room.columns))
    window_rows = min(size.rows, max(1, room.rows // shape.rows))
    frame_width = shape.width_of(window_columns) + 2
    is_windowed = window_columns < size.columns or window_rows < size.rows
    # The cursor's place is then at the left end of the header, where a change costs least.
    width = columns if is_windowed else min(columns, max(frame_width, _HEADER_COLUMNS))
    spare = rows - _ROWS_AROUND - window_rows * shape.rows
    above = min(spare, 1)
    foot_rows = 1 + min(spare - above, _MOST_FOOT_ROWS - 1)
    header_row = (spare - above - foot_rows + 1) // 2
    frame_row = header_row + 1 + above
    foot_row = frame_row + window_rows * shape.rows + 2
    return Layout(
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
        foot_row=foot_row,
        foot_rows=foot_rows,
        keys_row=foot_row + foot_rows,
        is_windowed=is_windowed,
        gap_row=header_row + 1 if frame_row > header_row + 1 else None,
    )


def follow(window: Window, layout: Layout, size: Size, cursor: Cell) -> Window:
    """Move a window just enough to show the cursor and something around it."""
    column, row = window
    moved = Window(
        _follow(column, layout.window_columns, size.columns, cursor.column),
        _follow(row, layout.window_rows, size.rows, cursor.row),
    )
    return window if window == moved else moved


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


def pan(window: Window, layout: Layout, size: Size, columns: int, rows: int) -> Window:
    """Move a window by so many cells, within the field."""
    return Window(
        max(0, min(window.column + columns, size.columns - layout.window_columns)),
        max(0, min(window.row + rows, size.rows - layout.window_rows)),
    )


def shows(layout: Layout, window: Window, cell: Cell) -> bool:
    """Whether a cell is in the window."""
    across, down = cell.column - window.column, cell.row - window.row
    return 0 <= across < layout.window_columns and 0 <= down < layout.window_rows


def place_of(layout: Layout, window: Window, cell: Cell) -> tuple[int, int]:
    """Find the row and the column of a cell's sign on the screen."""
    shape = layout.shape
    across, down = cell.column - window.column, cell.row - window.row
    column = layout.first_column + shape.columns * across + shape.sign_column
    return layout.frame_row + 1 + shape.rows * down + shape.sign_row, column


def cell_at(layout: Layout, window: Window, row: int, column: int) -> Cell | None:
    """Find the cell at a place on the screen; a margin belongs to the cell beside it."""
    down = row - layout.frame_row - 1
    inside = column - layout.frame_left - 1
    if not (0 <= down < layout.field_rows and 0 <= inside < layout.frame_width - 2):
        return None
    across = max(0, inside - layout.shape.left_margin) // layout.shape.columns
    across = min(across, layout.window_columns - 1)
    return Cell(window.column + across, window.row + down // layout.shape.rows)
