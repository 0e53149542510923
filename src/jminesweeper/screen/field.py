"""The window on the field, with a frame around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jminesweeper.core import Cell, Grid
from jminesweeper.screen.canvas import Canvas
from jminesweeper.screen.faces import layers_with_unopened, window_faces
from jminesweeper.screen.frame import frame_of
from jminesweeper.screen.layout import Layout, Window
from jminesweeper.screen.lines import Line, centre, gap, pad, select, span
from jminesweeper.screen.models import GameScreen
from jminesweeper.screen.styles import HINTED, Style
from jminesweeper.screen.symbols import CellTables, Stage, cell_tables


class Field:
    """Paints rows of cells and keeps them while they stay as they are."""

    def __init__(self) -> None:
        self._tables: CellTables | None = None
        self._cells: dict[int, tuple[bytes, Line]] = {}
        self._lines: dict[int, tuple[Line, Line, Line, Line]] = {}

    def compose(
        self,
        model: GameScreen,
        canvas: Canvas,
        layout: Layout,
        window: Window,
        selected: Cell | None,
    ) -> list[Line]:
        """Return the lines from the frame's first to its last."""
        if model.is_paused:
            rows = _curtain(layout.window_rows, layout.frame_width - 2)
        else:
            rows = self._rows(model, canvas, layout, window)
            if selected is not None:
                row = selected.row - window.row
                rows[row] = select(rows[row], _column(selected.column - window.column, layout))
        frame = frame_of(canvas.symbols, layout, window, model.view.size, model.solved_share)
        framed = [self._framed(number, row, frame.sides(number)) for number, row in enumerate(rows)]
        return [frame.top, *framed, frame.bottom]

    def _rows(
        self, model: GameScreen, canvas: Canvas, layout: Layout, window: Window
    ) -> list[Line]:
        view, grid = model.view, model.view.grid
        tables = cell_tables(canvas.symbols, Stage.of(view.status))
        if tables is not self._tables:
            self._tables = tables
            self._cells.clear()
        write = tables.wide_row if layout.is_wide else tables.narrow_row
        layers = layers_with_unopened(view, model.debug_mines)
        faces = window_faces(grid, layers, window.row, layout.window_rows)
        first, last = window.column, window.column + layout.window_columns
        rows = [
            self._row(row, faces[start + first : start + last], write)
            for row, start in enumerate(range(0, len(faces), grid.stride))
        ]
        if model.hint_cells:
            _point_at(rows, model.hint_cells, grid, layout, window)
        return rows

    def _row(self, number: int, faces: bytes, write: Callable[[bytes], Line]) -> Line:
        kept = self._cells.get(number)
        if kept is not None and kept[0] == faces:
            return kept[1]
        line = write(faces)
        self._cells[number] = (faces, line)
        return line

    def _framed(self, number: int, row: Line, sides: tuple[Line, Line]) -> Line:
        kept = self._lines.get(number)
        if kept is not None and kept[0] is row and (kept[1], kept[2]) == sides:
            return kept[3]
        left, right = sides
        line = Line(left.text + row.text + right.text, left.styles + row.styles + right.styles)
        self._lines[number] = (row, left, right, line)
        return line


def _column(across: int, layout: Layout) -> int:
    return 1 + 2 * across if layout.is_wide else across


def _point_at(rows: list[Line], cells: int, grid: Grid, layout: Layout, window: Window) -> None:
    """Highlight cells; where there is room put each group of them in brackets."""
    for row, line in enumerate(rows):
        within = cells >> (window.row + row) * grid.stride & grid.row_mask
        shown = within >> window.column & ((1 << layout.window_columns) - 1)
        if shown:
            rows[row] = _pointed_at(line, shown, layout)


def _pointed_at(line: Line, shown: int, layout: Layout) -> Line:
    text, styles = list(line.text), bytearray(line.styles)
    for across in _places(shown):
        styles[_column(across, layout)] |= HINTED
    if layout.is_wide:
        edges = (("(", -1, shown & ~(shown << 1)), (")", 1, shown & ~(shown >> 1)))
        for bracket, beside, cells in edges:
            for across in _places(cells):
                place = _column(across, layout) + beside
                text[place], styles[place] = bracket, Style.WARNING
    return Line("".join(text), bytes(styles))


def _places(cells: int) -> Iterator[int]:
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


def _curtain(rows: int, width: int) -> list[Line]:
    lines = [gap(width)] * rows
    lines[rows // 2] = pad(centre(span("paused", Style.ASIDE), width), width)
    return lines
