"""The whole of a board that is larger than the screen, reduced until it fits.

Each character is a block of cells, about as high as wide on the screen, and the darker the more of
it is left to do. The part that the window shows is highlighted.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED, EXPLODED, FLAGGED
from jminesweeper.terminal.layout import Layout, Window
from jminesweeper.terminal.lines import StyledLine, gap, join, span
from jminesweeper.terminal.symbols import Style, Symbols
from jminesweeper.terminal.view import GameView


class Overview(NamedTuple):
    """Numbers of cells that a character covers, and of characters."""

    view: GameView
    symbols: Symbols
    layout: Layout
    columns: int
    rows: int

    @classmethod
    def of(cls, view: GameView, symbols: Symbols, layout: Layout) -> Overview:
        """Find the smallest blocks that fit; a character is twice as high as wide."""
        size = view.size
        columns, rows = -(-size.columns // (layout.columns - 2)), -(-size.rows // layout.field_rows)
        columns = max(columns, -(-rows // 2))
        return cls(view, symbols, layout, columns, max(rows, min(2 * columns, size.rows)))

    @property
    def across(self) -> int:
        return -(-self.view.size.columns // self.columns)

    @property
    def down(self) -> int:
        return -(-self.view.size.rows // self.rows)

    @property
    def left(self) -> int:
        return (self.layout.columns - self.across - 2) // 2

    def compose(self, window: Window, cursor: Cell | None) -> list[StyledLine]:
        """Return as many lines as the framed field has."""
        corners, line = self.symbols.corners, self.symbols.horizontal * self.across
        side = span(self.symbols.vertical, Style.FRAME)
        lines = [
            span(corners[0] + line + corners[1], Style.FRAME),
            *(
                side
                + join(self._block(window, down, across) for across in range(self.across))
                + side
                for down in range(self.down)
            ),
            span(corners[2] + line + corners[3], Style.FRAME),
        ]
        lines = [gap(self.left) + line for line in lines]
        if cursor is not None:
            row, column = self.place_of(cursor)
            row -= self.layout.frame_row
            lines[row] = lines[row].over(column, span("+", Style.MARK))
        return lines + [StyledLine()] * (self.layout.field_rows + 2 - len(lines))

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """Find the row and the column of a cell's block on the screen."""
        row = self.layout.frame_row + 1 + cell.row // self.rows
        return row, self.left + 1 + cell.column // self.columns

    def cell_at(self, row: int, column: int) -> Cell | None:
        """Find the cell in the middle of the block at a place on the screen."""
        size, down, across = self.view.size, row - self.layout.frame_row - 1, column - self.left - 1
        if not (0 <= down < self.down and 0 <= across < self.across):
            return None
        return Cell(
            min(across * self.columns + self.columns // 2, size.columns - 1),
            min(down * self.rows + self.rows // 2, size.rows - 1),
        )

    def _block(self, window: Window, down: int, across: int) -> StyledLine:
        size, layout = self.view.size, self.layout
        columns = range(across * self.columns, min((across + 1) * self.columns, size.columns))
        rows = range(down * self.rows, min((down + 1) * self.rows, size.rows))
        faces = b"".join(
            self.view.faces[row * size.columns + columns.start : row * size.columns + columns.stop]
            for row in rows
        )
        is_shown = _overlap(rows, window.row, layout.window_rows) and _overlap(
            columns, window.column, layout.window_columns
        )
        if len(faces.translate(None, _EXPLODED)) < len(faces):
            return span("*", Style.FATAL)
        # What is neither open nor flagged is left to do.
        shades, left = self.symbols.shades, len(faces.translate(None, _DONE))
        sign = shades[ceil(left / len(faces) * (len(shades) - 1))]
        return span(sign, Style.HERE if is_shown else Style.LEFT)


_EXPLODED = bytes(range(EXPLODED, 256))
_DONE = bytes(face for face in range(256) if face & FLAGGED or not face & COVERED)


def _overlap(cells: range, first: int, count: int) -> bool:
    return cells.start < first + count and cells.stop > first
