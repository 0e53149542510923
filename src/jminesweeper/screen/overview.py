"""The whole of a board that is larger than the screen, reduced until it fits.

Each character is a block of cells, about as high as wide on the screen. The part that the
window shows is highlighted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.view import PlayerView
from jminesweeper.screen.layout import Canvas, Layout, Window
from jminesweeper.screen.lines import BLANK, Line, indent, join, span
from jminesweeper.screen.models import GameScreen
from jminesweeper.screen.styles import SELECTED, Style

_PARTLY: Final = ":"
"""A block of which a part is open."""


class _Blocks(NamedTuple):
    """How many cells a character covers, and how many characters there are."""

    columns: int
    rows: int
    across: int
    down: int


def _reduce(size: Size, room: Size) -> _Blocks:
    """Find the smallest blocks that fit; a character is twice as high as wide."""
    columns, rows = -(-size.columns // room.columns), -(-size.rows // room.rows)
    columns = max(columns, -(-rows // 2))
    rows = max(rows, min(2 * columns, size.rows))
    return _Blocks(columns, rows, -(-size.columns // columns), -(-size.rows // rows))


class OverviewComposer:
    """Composes the overview of boards of one size, in place of the framed field."""

    def __init__(self, canvas: Canvas, layout: Layout, size: Size) -> None:
        self._symbols = canvas.symbols
        self._layout = layout
        self._grid = Grid.of(size)
        self._blocks = _reduce(size, Size(layout.columns - 2, layout.field_rows))
        self._left = (layout.columns - self._blocks.across - 2) // 2
        self._key: tuple[object, ...] = ()
        self._lines: list[Line] = []

    def compose(self, model: GameScreen, window: Window) -> list[Line]:
        """Return as many lines as the framed field has; the same list if nothing changed."""
        key = (model.view, window)
        if key != self._key:
            self._key = key
            self._lines = self._compose(model.view, window)
        return self._lines

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """Find the row and the column of a cell's block on the screen."""
        blocks = self._blocks
        row = self._layout.frame_row + 1 + cell.row // blocks.rows
        return row, self._left + 1 + cell.column // blocks.columns

    def cell_at(self, row: int, column: int) -> Cell | None:
        """Find the cell in the middle of the block at a place on the screen."""
        blocks, size = self._blocks, self._grid.size
        down, across = row - self._layout.frame_row - 1, column - self._left - 1
        if not (0 <= down < blocks.down and 0 <= across < blocks.across):
            return None
        return Cell(
            min(across * blocks.columns + blocks.columns // 2, size.columns - 1),
            min(down * blocks.rows + blocks.rows // 2, size.rows - 1),
        )

    def _compose(self, view: PlayerView, window: Window) -> list[Line]:
        symbols, width = self._symbols, self._blocks.across
        corners, line = symbols.corners, symbols.horizontal * width
        edges = (corners[0] + line + corners[1], corners[2] + line + corners[3])
        top, bottom = (indent(span(edge, Style.FRAME), self._left) for edge in edges)
        side = span(symbols.vertical, Style.FRAME)
        rows = [
            indent(join((side, *self._characters(view, window, row), side)), self._left)
            for row in range(self._blocks.down)
        ]
        lines = [top, *rows, bottom]
        return lines + [BLANK] * (self._layout.field_rows + 2 - len(lines))

    def _characters(self, view: PlayerView, window: Window, down: int) -> Iterator[Line]:
        """Write a row of blocks."""
        blocks, grid = self._blocks, self._grid
        first_row = down * blocks.rows
        height = min(blocks.rows, grid.size.rows - first_row)
        shift = first_row * grid.stride
        band = (1 << height * grid.stride) - 1
        visible, flagged = view.visible >> shift & band, view.flagged >> shift & band
        fatal = 0 if view.exploded is None else grid.bit(view.exploded) >> shift & band
        rows_shown = range(window.row, window.row + self._layout.window_rows)
        is_row_shown = first_row + height > rows_shown.start and first_row < rows_shown.stop
        column_of_ones = sum(1 << row * grid.stride for row in range(height))
        for first in range(0, grid.size.columns, blocks.columns):
            width = min(blocks.columns, grid.size.columns - first)
            block = column_of_ones * ((1 << width) - 1) << first
            character, style = self._sign(
                (visible & block).bit_count() / (width * height),
                has_flag=flagged & block != 0,
                is_fatal=fatal & block != 0,
            )
            is_shown = (
                is_row_shown
                and first + width > window.column
                and first < window.column + self._layout.window_columns
            )
            yield span(character, style | SELECTED if is_shown else style)

    def _sign(self, opened: float, *, has_flag: bool, is_fatal: bool) -> tuple[str, int]:
        if is_fatal:
            return "*", Style.FATAL
        if has_flag:
            return self._symbols.flag, Style.FLAG
        if opened == 0:
            return self._symbols.covered, Style.COVERED
        if opened == 1:
            return self._symbols.zero, Style.ZERO
        return _PARTLY, Style.COVERED if opened < 1 / 2 else Style.ZERO
