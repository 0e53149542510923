"""The window on the field, with the frame around it.

Only rows in which a face has changed are written again. Signs in the frame show on which sides the
field continues, and a bar in its lowest line shows how much of it is solved, or where a replay is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from jminesweeper.core.faces import layers_with_unopened
from jminesweeper.core.grid import Cell, Grid, Size, indices
from jminesweeper.frames.cells import KeptFaces
from jminesweeper.screen.layout import Canvas, Layout, Window, place_of
from jminesweeper.screen.lines import (
    BLANK,
    AnyLine,
    CellLine,
    Line,
    centre,
    gap,
    indent,
    join,
    pad,
    span,
)
from jminesweeper.screen.models import GameScreen, Odds
from jminesweeper.screen.styles import HINTED, ON_TILES, SELECTED, TONED, Style
from jminesweeper.screen.symbols import CellTables, Stage, Symbols, cell_tables

_NARROWEST_WITH_SHARE = 16
_RISKY = 50
_SIGN_EVERY = 8
_SIGN_EVERY_ROW = 4


class FieldComposer:
    """Composes the field of one layout, screen after screen."""

    def __init__(self, canvas: Canvas, layout: Layout, size: Size, window: Window) -> None:
        self._canvas = canvas
        self._layout = layout
        self._grid = Grid.of(size)
        self._rows: list[AnyLine] = []
        self._extras: tuple[object, ...] = ()
        self._lines: list[AnyLine] = []
        self._stage: Stage | None = None
        self._tables = self._tables_of(Stage.PLAYING)
        self._progress: tuple[float | None, str] = (None, "")
        self._look_through(window)

    def compose(self, model: GameScreen, window: Window, selected: Cell | None) -> list[AnyLine]:
        """Return the lines from the frame's first to its last; the same list if nothing changed."""
        if window is not self._window:
            self._look_through(window)
        has_changed = not model.is_paused and self._update(model)
        progress = _progress(model)
        marked = model.hint_cells | model.flash_cells
        extras = (window, progress, selected, marked, model.odds, model.is_paused)
        if has_changed or extras != self._extras:
            self._extras = extras
            if progress != self._progress:
                self._progress = progress
                self._bottom = self._frame.bottom(*progress)
            self._lines = [self._frame.top, *self._shown_rows(model, selected), self._bottom]
        return self._lines

    def _look_through(self, window: Window) -> None:
        """Show another part of the board from now on."""
        layout, size = self._layout, self._grid.size
        self._window = window
        self._frame = frame_of(self._canvas.symbols, layout, window, size)
        self._in_window = range(window.row, window.row + layout.window_rows)
        self._columns = slice(window.column, window.column + layout.window_columns)
        self._faces = KeptFaces(self._grid, self._in_window, layers_with_unopened)
        self._stage = None
        self._bottom = self._frame.bottom(*self._progress)

    def _update(self, model: GameScreen) -> bool:
        """Write the rows that have changed; return whether there are any."""
        changed: Sequence[int] = self._faces.update(model.view, model.debug_mines)
        stage = Stage.of(model.view.status)
        if stage is not self._stage:
            self._stage, self._tables = stage, self._tables_of(stage)
            self._rows = [BLANK] * self._layout.field_rows
            changed = self._in_window
        column, first = self._window
        frame, height = self._frame, self._layout.shape.rows
        for row in changed:
            faces = self._faces.row(row, self._columns)
            line = (row - first) * height
            for number, tables in enumerate(self._tables, line):
                edges, tone = frame.edges(number), (row + column) % 2
                self._rows[number] = CellLine(edges, faces, tables, tone)
        return bool(changed)

    def _tables_of(self, stage: Stage) -> Sequence[CellTables]:
        """Return the tables for the lines of a row of cells."""
        symbols, shape = self._canvas.symbols, self._layout.shape
        return [
            cell_tables(symbols, stage, shape, has_signs=line == shape.sign_row)
            for line in range(shape.rows)
        ]

    def _shown_rows(self, model: GameScreen, selected: Cell | None) -> list[AnyLine]:
        """Return the rows of cells with cursor and hints, or a curtain during a pause."""
        layout, frame, window = self._layout, self._frame, self._window
        if model.is_paused:
            curtain = _curtain(layout.field_rows, layout.frame_width - 2)
            return [_framed(row, frame.sides(number)) for number, row in enumerate(curtain)]
        rows = [*self._rows]
        if model.odds is not None:
            self._lay_odds(rows, model.odds)
        if marked := model.hint_cells | model.flash_cells:
            self._point_at(rows, marked)
        if selected is not None:
            row, column = place_of(layout, window, selected)
            number = row - layout.frame_row - 1
            rows[number] = _select(rows[number], column)
        return rows

    def _lay_odds(self, rows: list[AnyLine], odds: Odds) -> None:
        """Write the odds over cells, in tenths; a tile is coloured as a whole."""
        layout, stride, shape = self._layout, self._grid.stride, self._layout.shape
        beside = shape.columns - shape.sign_column if self._canvas.has_tiles else 1
        shown: dict[int, list[tuple[int, int]]] = {}
        for index, percent in odds.percents.items():
            down, across = index // stride - self._window.row, index % stride - self._window.column
            if 0 <= down < layout.window_rows and 0 <= across < layout.window_columns:
                shown.setdefault(down * shape.rows + shape.sign_row, []).append((across, percent))
        for line, cells in shown.items():
            text, styles = list(rows[line].text), bytearray(rows[line].styles)
            for across, percent in cells:
                place = layout.first_column + shape.columns * across + shape.sign_column
                text[place], style = _heat(percent)
                if shape.is_wide:
                    text[place + 1] = " "
                mark = styles[place] & TONED if style in ON_TILES else 0
                mark |= 0 if self._canvas.has_tiles else HINTED
                styles[place : place + beside] = bytes((style | mark,)) * beside
            rows[line] = Line("".join(text), bytes(styles))

    def _point_at(self, rows: list[AnyLine], cells: int) -> None:
        """Highlight cells; where there is room put each group of them in brackets."""
        layout, window, grid = self._layout, self._window, self._grid
        bracket = HINTED if self._canvas.has_tiles else int(Style.WARNING)
        for row in range(layout.window_rows):
            within = cells >> (window.row + row) * grid.stride & grid.row_mask
            shown = within >> window.column & ((1 << layout.window_columns) - 1)
            if shown:
                line = row * layout.shape.rows + layout.shape.sign_row
                rows[line] = _pointed_at(rows[line], shown, layout, bracket)


def _progress(model: GameScreen) -> tuple[float | None, str]:
    """Return how far the game or its replay has come, and how that is written."""
    line = model.time_line
    if line is None:
        return model.solved_share, ""
    return line.share, f"{line.position}/{line.last}"


def _framed(row: Line, sides: tuple[Line, Line]) -> Line:
    return join((sides[0], row, sides[1]))


def _select(line: AnyLine, column: int) -> Line:
    """Show one column of a line as the selected one."""
    styles = bytearray(line.styles)
    styles[column] |= SELECTED
    return Line(line.text, bytes(styles))


def _pointed_at(line: AnyLine, shown: int, layout: Layout, bracket: int) -> Line:
    text, styles = list(line.text), bytearray(line.styles)
    shape = layout.shape
    first = layout.first_column + shape.sign_column
    for across in indices(shown):
        styles[first + shape.columns * across] |= HINTED
    if shape.is_wide:
        edges = (("(", -1, shown & ~(shown << 1)), (")", 1, shown & ~(shown >> 1)))
        for sign, beside, cells in edges:
            for across in indices(cells):
                place = first + shape.columns * across + beside
                text[place], styles[place] = sign, bracket
    return Line("".join(text), bytes(styles))


def _curtain(rows: int, width: int) -> list[Line]:
    lines = [gap(width)] * rows
    lines[rows // 2] = pad(centre(span("paused", Style.ASIDE), width), width)
    return lines


def _heat(percent: int) -> tuple[str, Style]:
    """Write a chance as a sign: a digit for tenths, with 0 and * for what is certain."""
    match percent:
        case 0:
            return "0", Style.GOOD
        case 100:
            return "*", Style.BAD
        case _:
            tenths = min(9, max(1, round(percent / 10)))
            return str(tenths), Style.WRONG_FLAG if percent >= _RISKY else Style.MINE


class Frame(NamedTuple):
    """The frame around a window; each piece starts at the screen's left edge."""

    symbols: Symbols
    left: int
    top: Line
    below: str
    """The lowest line between its corners without a bar."""
    plain_sides: tuple[Line, Line]
    signed_sides: tuple[Line, Line]
    plain_edges: tuple[Line, Line]
    signed_edges: tuple[Line, Line]

    def sides(self, row: int) -> tuple[Line, Line]:
        """Return what is left and right of the field."""
        return self.signed_sides if row % _SIGN_EVERY_ROW == 1 else self.plain_sides

    def edges(self, row: int) -> tuple[Line, Line]:
        """Return what is left and right of a row of cells: the frame and the margins."""
        return self.signed_edges if row % _SIGN_EVERY_ROW == 1 else self.plain_edges

    def bottom(self, share: float | None, figure: str = "") -> Line:
        """Return the lowest line, with a bar and a figure that says the same, or a percentage."""
        if share is None:
            return _bottom(self.symbols, self.left, self.below, 0, "")
        share = min(max(share, 0.0), 1.0)
        told = ""
        if len(self.below) >= _NARROWEST_WITH_SHARE:
            line = self.symbols.horizontal
            told = f" {figure or f'{int(share * 100)} %'} ".rjust(7, line) + line
        done = int(share * (len(self.below) - len(told)))
        return _bottom(self.symbols, self.left, self.below, done, told)


@lru_cache(maxsize=1_024)
def _bottom(symbols: Symbols, left: int, below: str, done: int, told: str) -> Line:
    """Draw the lowest line: what is done, what is not, and the words at its end."""
    bar = below[:done].replace(symbols.horizontal, symbols.done)
    words = told.strip(symbols.horizontal)
    rest, _, after = (below[done : len(below) - len(told)] + told).partition(words or "\n")
    before, behind = symbols.corners[2:]
    lines = (span(before, Style.FRAME), span(bar, Style.DONE), span(rest, Style.FRAME))
    line = join((*lines, span(words), span(after + behind, Style.FRAME)))
    return indent(line, left)


@lru_cache(maxsize=256)
def frame_of(symbols: Symbols, layout: Layout, window: Window, size: Size) -> Frame:
    """Draw the frame of a window on a field."""
    is_cut_right = window.column + layout.window_columns < size.columns
    is_cut_below = window.row + layout.window_rows < size.rows
    line, side = symbols.horizontal, symbols.vertical
    before = symbols.left if window.column else side
    behind = symbols.right if is_cut_right else side
    inner = layout.frame_width - 2
    above = _signed(line, symbols.up if window.row else line, inner)
    below = _signed(line, symbols.down if is_cut_below else line, inner)
    top_left, top_right = symbols.corners[:2]
    left = layout.frame_left
    plain = (indent(span(side, Style.FRAME), left), span(side, Style.FRAME))
    signed = (indent(span(before, Style.FRAME), left), span(behind, Style.FRAME))
    shape, style = layout.shape, symbols.margin_style
    margins = (span(" " * shape.left_margin, style), span(" " * shape.right_margin, style))
    return Frame(
        symbols,
        left,
        indent(span(top_left + above + top_right, Style.FRAME), left),
        below,
        plain,
        signed,
        _with_margins(plain, margins),
        _with_margins(signed, margins),
    )


def _with_margins(sides: tuple[Line, Line], margins: tuple[Line, Line]) -> tuple[Line, Line]:
    return join((sides[0], margins[0])), join((margins[1], sides[1]))


def _signed(line: str, sign: str, width: int) -> str:
    """Draw a line with a sign in it every few columns."""
    half = _SIGN_EVERY // 2
    period = line * (half - 1) + sign + line * (_SIGN_EVERY - half)
    return (period * (width // _SIGN_EVERY)).ljust(width, line)
