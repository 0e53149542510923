"""The screen of a game: a line about it, the framed field, messages, figures, keys.

Each part is composed again only when what it shows has changed, so that most replies compose the
header and one row of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_not

from jminesweeper.core import Cell, Size, Status
from jminesweeper.screen.captions import Foot, Header, compose_foot, key_at
from jminesweeper.screen.field import FieldComposer
from jminesweeper.screen.layout import Canvas, Layout, Window, arrange, cell_at, follow, place_of
from jminesweeper.screen.lines import BLANK, Line, Screen, gap, join
from jminesweeper.screen.models import GameScreen

_BESIDE = 3


class GameComposer:
    """Composes screen after screen of boards of one size, which all have one layout."""

    def __init__(self, canvas: Canvas, size: Size) -> None:
        self.size = size
        self._canvas = canvas
        self._layout = arrange(canvas.columns, canvas.rows, size, canvas.cell_width)
        self._window = Window(0, 0)
        self._header = Header(self._layout, has_unicode=canvas.has_unicode)
        self._field = FieldComposer(canvas, self._layout, size, self._window)
        self._foot = Foot(0, ())
        self._foot_key: tuple[object, ...] = ()
        self._keys: Sequence[tuple[str, str]] = ()
        self._open_rows = range(0)
        self._parts: tuple[Line, list[Line], Foot] = (BLANK, [], self._foot)
        self._lines: list[Line] = []

    def compose(self, model: GameScreen) -> Screen:
        """Compose the screen, its window moved to where the cursor is."""
        layout, cursor = self._layout, model.cursor
        if layout.is_windowed:
            self._window = follow(self._window, layout, self.size, cursor)
        is_live = model.view.status is Status.ONGOING and not model.is_paused
        is_marked = (
            is_live
            and layout.is_wide
            and not (model.debug_mines or model.hint_cells or model.flash_cells or model.odds)
        )
        selected = cursor if is_live and not is_marked else None
        self._keys = model.keys
        header, foot = self._header.compose(model), self._compose_foot(model)
        framed = self._field.compose(model, self._window, selected)
        parts = (header, framed, foot)
        if any(map(is_not, parts, self._parts)):
            self._parts = parts
            self._lines = _put_together(layout, *parts)
        self._open_rows = range(0 if model.is_paused else foot.first_row)
        row, column = place_of(layout, self._window, cursor)
        return Screen(self._lines, row, column, is_live, is_marked, model.clock_runs)

    def locate(self, column: int, row: int) -> Cell | str | None:
        """Find the cell at a place on the screen, or the key that is explained there."""
        if row not in self._open_rows:
            return key_at(self._lines, self._keys, column, row)
        return cell_at(self._layout, self._window, row, column)

    def _compose_foot(self, model: GameScreen) -> Foot:
        key = (model.message, model.summary, model.keys, model.view.status)
        if key != self._foot_key:
            self._foot_key = key
            self._foot = compose_foot(model, self._canvas, self._layout)
        return self._foot


def _put_together(layout: Layout, header: Line, framed: Sequence[Line], foot: Foot) -> list[Line]:
    lines = [BLANK] * layout.rows
    lines[layout.header_row] = header
    lines[layout.frame_row : layout.frame_row + len(framed)] = framed
    if layout.gap_row is not None:
        lines[layout.gap_row] = foot.legend
    for row, figure in enumerate(foot.beside, layout.frame_row + 1):
        lines[row] = join((lines[row], gap(_BESIDE), figure))
    lines[foot.first_row : foot.first_row + len(foot.lines)] = foot.lines
    return lines
