"""The screen of a game: a line about it, the framed field, messages, figures, keys.

Each part is composed again only when what it shows has changed, so that most replies compose the
header and one row of cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.view import Status
from jminesweeper.screen.captions import Foot, Header, compose_foot, key_at
from jminesweeper.screen.field import FieldComposer
from jminesweeper.screen.layout import (
    Canvas,
    Layout,
    Window,
    arrange,
    cell_at,
    follow,
    pan,
    place_of,
    shows,
)
from jminesweeper.screen.lines import BLANK, AnyLine, Line, Screen, gap, join
from jminesweeper.screen.models import GameScreen
from jminesweeper.screen.overview import OverviewComposer

_BESIDE = 3
_CLOCK: Final = GameScreen._fields.index("elapsed_ms")


class GameComposer:
    """Composes screen after screen of boards of one size, which all have one layout."""

    def __init__(self, canvas: Canvas, size: Size) -> None:
        self.size = size
        self._canvas = canvas
        self._layout = arrange(
            canvas.columns, canvas.rows, size, canvas.cell_size, has_tiles=canvas.has_tiles
        )
        self._can_mark = self._layout.shape.is_wide and (canvas.keeps_tiles or not canvas.has_tiles)
        self._window = Window(0, 0)
        self._followed: Cell | None = None
        """The cursor that the window was moved to."""
        self._header = Header(self._layout, has_unicode=canvas.has_unicode)
        self._field = FieldComposer(canvas, self._layout, size, self._window)
        self._overview: OverviewComposer | None = None
        """While it is shown."""
        self._foot = Foot(())
        self._foot_key: tuple[object, ...] = ()
        self._keys: Sequence[tuple[str, str]] = ()
        self._is_open = False
        self._parts: tuple[Line, Sequence[AnyLine], Foot] = (BLANK, [], self._foot)
        self._lines: list[AnyLine] = []
        self._model: GameScreen | None = None
        """What is on the screen, unless the window was moved since then."""
        self._screen = Screen(())

    @property
    def is_windowed(self) -> bool:
        """Whether the board is larger than the screen."""
        return self._layout.is_windowed

    def compose(self, model: GameScreen) -> Screen:
        """Compose the screen, its window moved to where the cursor is."""
        before, self._model = self._model, model
        if before is not None and _is_later(before, model):
            self._put_together(self._header.compose(model), *self._parts[1:])
            self._screen = Screen(self._lines, *self._screen[1:])
        else:
            self._screen = self._compose(model)
        return self._screen

    def _compose(self, model: GameScreen) -> Screen:
        layout, cursor = self._layout, model.cursor
        is_part = layout.is_windowed and bool(model.part_keys)
        self._keys = model.part_keys if is_part else model.keys
        is_live = model.view.status is Status.ONGOING and not model.is_paused
        if layout.is_windowed and (is_live or cursor != self._followed):
            self._window = follow(self._window, layout, self.size, cursor)
            self._followed = cursor
        if model.is_overview and layout.is_windowed and not model.is_paused:
            return self._compose_overview(model)
        self._overview = None
        is_marked = is_live and self._can_mark and not _is_marked_over(model)
        selected = cursor if is_live and not is_marked else None
        header, foot = self._header.compose(model), self._compose_foot(model)
        framed = self._field.compose(model, self._window, selected)
        self._put_together(header, framed, foot)
        self._is_open = not model.is_paused
        is_seen = shows(layout, self._window, cursor)
        row, column = place_of(layout, self._window, cursor) if is_seen else (0, 0)
        return Screen(self._lines, row, column, is_live, is_marked, model.clock_runs)

    def pan(self, columns: int, rows: int) -> None:
        """Move the window by so many cells; it stays there until the cursor moves."""
        self._model = None
        self._window = pan(self._window, self._layout, self.size, columns, rows)

    def show(self, cell: Cell) -> None:
        """Put a cell in the middle of the window, if the field is large enough."""
        self._model = None
        layout, (column, row) = self._layout, cell
        middle = (column - layout.window_columns // 2, row - layout.window_rows // 2)
        self._window = pan(Window(0, 0), layout, self.size, *middle)

    def _compose_overview(self, model: GameScreen) -> Screen:
        if self._overview is None:
            self._overview = OverviewComposer(self._canvas, self._layout, self.size)
        framed = self._overview.compose(model, self._window)
        self._put_together(self._header.compose(model), framed, self._compose_foot(model))
        row, column = self._overview.place_of(model.cursor)
        return Screen(self._lines, row, column, cursor_shown=True, clock_runs=model.clock_runs)

    def _put_together(self, header: Line, framed: Sequence[AnyLine], foot: Foot) -> None:
        old_header, old_framed, old_foot = self._parts
        self._parts = (header, framed, foot)
        if framed is not old_framed or foot is not old_foot:
            self._lines = _put_together(self._layout, header, framed, foot)
        elif header is not old_header:
            self._lines = [*self._lines]
            self._lines[self._layout.header_row] = header

    def locate(self, column: int, row: int) -> Cell | str | None:
        """Find the cell at a place on the screen, or the key that is explained there."""
        if self._overview is not None:
            place = self._overview.cell_at(row, column)
        else:
            place = cell_at(self._layout, self._window, row, column) if self._is_open else None
        return place or key_at(self._lines, self._keys, column, row)

    def _compose_foot(self, model: GameScreen) -> Foot:
        key = (model.message, model.aim, model.summary, self._keys, model.view.status)
        if key != self._foot_key:
            self._foot_key = key
            self._foot = compose_foot(model, self._keys, self._canvas, self._layout)
        return self._foot


def _is_later(before: GameScreen, after: GameScreen) -> bool:
    """Whether only the clock has moved from one screen to the other."""
    return before[:_CLOCK] == after[:_CLOCK] and before[_CLOCK + 1 :] == after[_CLOCK + 1 :]


def _is_marked_over(model: GameScreen) -> bool:
    """Whether something on the field leaves no room for the client's marks."""
    return bool(model.debug_mines or model.hint_cells or model.flash_cells or model.odds)


def _put_together(
    layout: Layout, header: Line, framed: Sequence[AnyLine], foot: Foot
) -> list[AnyLine]:
    lines: list[AnyLine] = [BLANK] * layout.rows
    lines[layout.header_row] = header
    lines[layout.frame_row : layout.frame_row + len(framed)] = framed
    if layout.gap_row is not None:
        lines[layout.gap_row] = foot.legend
    for row, figure in enumerate(foot.beside, layout.frame_row + 1):
        lines[row] = join((lines[row], gap(_BESIDE), figure))
    lines[layout.foot_row : layout.foot_row + len(foot.lines)] = foot.lines
    return lines
