"""What a screen is composed for, and where its parts are: header, frame, messages, keys."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from jminesweeper.core import Cell, Size
from jminesweeper.screen.models import CellWidth, Taste, Terminal
from jminesweeper.screen.symbols import ASCII, UNICODE, Symbols

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
    cell_width: CellWidth

    @staticmethod
    @lru_cache(maxsize=256)
    def of(terminal: Terminal, taste: Taste) -> Canvas:
        """Find the canvas of a terminal; terminals of one kind share it."""
        has_unicode = terminal.has_unicode and taste.has_unicode
        return Canvas(
            min(max(terminal.columns, 1), LARGEST_SIDE),
            min(max(terminal.rows, 1), LARGEST_SIDE),
            UNICODE if has_unicode else ASCII,
            taste.cell_width,
        )

    @property
    def has_unicode(self) -> bool:
        return self.symbols is UNICODE

    @property
    def is_too_small(self) -> bool:
        return self.columns < FEWEST_COLUMNS or self.rows < FEWEST_ROWS


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The places of one terminal and one size of board, counted from 0."""

    columns: int
    rows: int
    is_wide: bool
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


class Window(NamedTuple):
    """The part of the field that is on the screen, in cells."""

    column: int
    row: int


@lru_cache(maxsize=256)
def arrange(columns: int, rows: int, size: Size, cell_width: CellWidth) -> Layout:
    """Find a place for everything."""
    is_wide = _is_wide(columns, size, cell_width)
    window_columns = min(size.columns, (columns - 3) // 2 if is_wide else columns - 2)
    window_rows = min(size.rows, rows - _ROWS_AROUND)
    frame_width = _frame_width(window_columns, is_wide=is_wide)
    is_windowed = window_columns < size.columns or window_rows < size.rows
    # The cursor's place is then at the left end of the header, where a change costs least.
    width = columns if is_windowed else min(columns, max(frame_width, _HEADER_COLUMNS))
    spare = rows - _ROWS_AROUND - window_rows
    above = min(spare, 1)
    foot_rows = 1 + min(spare - above, _MOST_FOOT_ROWS - 1)
    header_row = (spare - above - foot_rows + 1) // 2
    frame_row = header_row + 1 + above
    foot_row = frame_row + window_rows + 2
    return Layout(
        columns=columns,
        rows=rows,
        is_wide=is_wide,
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


def _is_wide(columns: int, size: Size, cell_width: CellWidth) -> bool:
    if cell_width is not CellWidth.AUTO:
        return cell_width is CellWidth.TWO
    # One column only where that shows whole rows: otherwise the field is scrolled anyway, and it
    # is easier to read in two.
    fits_in_two = _frame_width(size.columns, is_wide=True) <= columns
    fits_in_one = _frame_width(size.columns, is_wide=False) <= columns
    return fits_in_two or not fits_in_one


def _frame_width(cells: int, *, is_wide: bool) -> int:
    return 2 * cells + 3 if is_wide else cells + 2


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
    step = shown // 4
    if place < first + margin:
        first = place - margin - step
    elif place >= first + shown - margin:
        first = place + 1 + margin + step - shown
    return max(0, min(first, total - shown))


def place_of(layout: Layout, window: Window, cell: Cell) -> tuple[int, int]:
    """Find a cell's row and column on the screen."""
    across = cell.column - window.column
    column = layout.frame_left + 1 + (1 + 2 * across if layout.is_wide else across)
    return layout.frame_row + 1 + cell.row - window.row, column


def cell_at(layout: Layout, window: Window, row: int, column: int) -> Cell | None:
    """Find the cell at a place on the screen; the gap after a cell belongs to it."""
    down = row - layout.frame_row - 1
    inside = column - layout.frame_left - 1
    if not (0 <= down < layout.window_rows and 0 <= inside < layout.frame_width - 2):
        return None
    across = max(0, inside - 1) // 2 if layout.is_wide else inside
    return Cell(window.column + across, window.row + down)
