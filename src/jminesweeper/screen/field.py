"""The window on the field, with a frame around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jminesweeper.core import Cell, Grid, PlayerView, Status
from jminesweeper.screen.canvas import Canvas
from jminesweeper.screen.faces import layers_of, window_faces
from jminesweeper.screen.layout import Layout, Window
from jminesweeper.screen.lines import Line, centre, gap, join, pad, select, span
from jminesweeper.screen.models import GameScreen
from jminesweeper.screen.styles import HINTED, Style
from jminesweeper.screen.symbols import CellTables, Symbols, cell_tables

_NARROWEST_WITH_SHARE = 16
_MARKS_EVERY = 4


class Field:
    """Paints rows of cells and keeps them while they stay as they are."""

    def __init__(self) -> None:
        self._tables: CellTables | None = None
        self._is_wide = False
        self._rows: dict[int, tuple[bytes, Line]] = {}

    def compose(
        self,
        model: GameScreen,
        canvas: Canvas,
        layout: Layout,
        window: Window,
        selected: Cell | None,
    ) -> list[Line]:
        """Return the lines from the frame's first to its last, all as wide as the frame."""
        inner = layout.frame_width - 2
        if model.is_paused:
            rows = _curtain(layout.window_rows, inner)
        else:
            rows = self._cells(model, canvas, layout, window)
            if selected is not None:
                row = selected.row - window.row
                rows[row] = select(rows[row], _column(selected.column - window.column, layout))
        return _framed(rows, model, canvas.symbols, layout, window)

    def _cells(
        self, model: GameScreen, canvas: Canvas, layout: Layout, window: Window
    ) -> list[Line]:
        view, grid = model.view, model.view.grid
        tables = cell_tables(canvas.symbols, is_over=view.status is not Status.ONGOING)
        if tables is not self._tables or layout.is_wide != self._is_wide:
            self._tables, self._is_wide = tables, layout.is_wide
            self._rows.clear()
        faces = _window_faces(view, grid, model.debug_mines, window.row, layout.window_rows)
        first, last = window.column, window.column + layout.window_columns
        rows = [
            self._row(row, faces[start + first : start + last], tables)
            for row, start in enumerate(range(0, len(faces), grid.stride))
        ]
        if model.hint_cells:
            _point_at(rows, model.hint_cells, grid, layout, window)
        return rows

    def _row(self, row: int, faces: bytes, tables: CellTables) -> Line:
        kept = self._rows.get(row)
        if kept is not None and kept[0] == faces:
            return kept[1]
        line = tables.wide_row(faces) if self._is_wide else tables.narrow_row(faces)
        self._rows[row] = (faces, line)
        return line


def _window_faces(
    view: PlayerView, grid: Grid, debug_mines: int, first_row: int, rows: int
) -> bytes:
    layers = layers_of(view, debug_mines)
    if view.shown_mines is not None:
        layers = layers._replace(covered=grid.mask & ~view.visible)
    return window_faces(grid, layers, first_row, rows)


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


def _framed(
    rows: Sequence[Line], model: GameScreen, symbols: Symbols, layout: Layout, window: Window
) -> list[Line]:
    size = model.view.size
    top_left, top_right, bottom_left, bottom_right = symbols.corners
    inner = layout.frame_width - 2
    above = symbols.up if window.row else symbols.horizontal
    below = symbols.down if window.row + layout.window_rows < size.rows else ""
    before = symbols.left if window.column else symbols.vertical
    is_cut = window.column + layout.window_columns < size.columns
    behind = symbols.right if is_cut else symbols.vertical
    lines = [span(top_left + _dotted(symbols.horizontal, above, inner) + top_right, Style.FRAME)]
    sides = [
        (span(symbols.vertical, Style.FRAME), span(symbols.vertical, Style.FRAME)),
        (span(before, Style.FRAME), span(behind, Style.FRAME)),
    ]
    for number, row in enumerate(rows):
        left, right = sides[number % _MARKS_EVERY == 1]
        lines.append(
            Line(left.text + row.text + right.text, left.styles + row.styles + right.styles)
        )
    bottom = _bottom(model.solved_share, symbols, inner, below)
    lines.append(join((span(bottom_left, Style.FRAME), bottom, span(bottom_right, Style.FRAME))))
    return lines


def _dotted(line: str, mark: str, width: int) -> str:
    period = 2 * _MARKS_EVERY
    return (line * 3 + mark + line * (period - 4)) * (width // period) + line * (width % period)


def _bottom(share: float | None, symbols: Symbols, width: int, below: str) -> Line:
    """Draw the frame's last line, which is also the bar that fills as the board is solved."""
    text = _dotted(symbols.horizontal, below or symbols.horizontal, width)
    if share is None:
        return span(text, Style.FRAME)
    share = min(max(share, 0.0), 1.0)
    percent = f" {int(share * 100)} % ".rjust(7, symbols.horizontal) + symbols.horizontal
    if width < _NARROWEST_WITH_SHARE:
        percent = ""
    length = width - len(percent)
    done = int(share * length)
    bar = text[:done].replace(symbols.horizontal, symbols.done)
    return join(
        (span(bar, Style.DONE), span(text[done:length] + percent, Style.FRAME)),
    )
