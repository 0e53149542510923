"""The screen of a game: a line about it, the framed field, messages, figures, keys."""

from __future__ import annotations

from collections.abc import Sequence

from jminesweeper.core import Cell, Status
from jminesweeper.screen.canvas import Canvas, Kept, Screen
from jminesweeper.screen.field import Field
from jminesweeper.screen.foot import Foot, compose_foot
from jminesweeper.screen.header import compose_header
from jminesweeper.screen.layout import Layout, Window, arrange, cell_at, follow, place_of
from jminesweeper.screen.lines import BLANK, Line, gap, indent, join
from jminesweeper.screen.models import GameScreen

_BESIDE = 3


class GameComposer:
    """Composes screen after screen of a game, and makes anew only what has changed."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._field = Field()
        self._framed = Kept[list[Line]]()
        self._header = Kept[Line]()
        self._foot = Kept[Foot]()
        self._lines = Kept[list[Line]]()
        self._layout: Layout | None = None
        self._window: Window | None = None
        self._open_rows = range(0)

    def compose(self, model: GameScreen) -> Screen:
        """Compose the screen, its window moved to where the cursor is."""
        canvas, view = self._canvas, model.view
        layout = arrange(canvas.columns, canvas.rows, view.size, canvas.cell_width)
        if layout is not self._layout:
            self._layout, self._window, self._field = layout, None, Field()
        self._window = window = follow(self._window, layout, view.size, model.cursor)
        is_live = view.status is Status.ONGOING and not model.is_paused
        is_marked = is_live and layout.is_wide and not (model.debug_mines or model.hint_cells)
        header = self._compose_header(model, layout)
        framed = self._compose_field(
            model, layout, window, model.cursor if is_live and not is_marked else None
        )
        foot = self._compose_foot(model, layout)
        lines = self._lines.get(
            (layout, header, framed, foot), lambda: _put_together(layout, header, framed, foot)
        )
        self._open_rows = range(0 if model.is_paused else foot.first_row)
        row, column = place_of(layout, window, model.cursor)
        return Screen(lines, row, column, is_live, is_marked, model.clock_runs)

    def locate(self, column: int, row: int) -> Cell | None:
        """Find the cell at a place on the screen."""
        if self._layout is None or self._window is None or row not in self._open_rows:
            return None
        return cell_at(self._layout, self._window, row, column)

    def _compose_header(self, model: GameScreen, layout: Layout) -> Line:
        view = model.view
        key = (
            layout,
            model.label,
            model.state,
            model.elapsed_ms // 1000,
            view.mines_left,
            view.mine_count,
            view.status,
            model.cursor if layout.is_windowed else None,
        )
        return self._header.get(
            key,
            lambda: compose_header(
                model,
                layout.width,
                is_windowed=layout.is_windowed,
                has_unicode=self._canvas.has_unicode,
            ),
        )

    def _compose_field(
        self, model: GameScreen, layout: Layout, window: Window, selected: Cell | None
    ) -> list[Line]:
        key = (
            layout,
            window,
            selected,
            model.view,
            model.debug_mines,
            model.hint_cells,
            model.solved_share,
            model.is_paused,
        )
        return self._framed.get(
            key, lambda: self._field.compose(model, self._canvas, layout, window, selected)
        )

    def _compose_foot(self, model: GameScreen, layout: Layout) -> Foot:
        key = (layout, model.message, model.summary, model.keys, model.view.status)
        return self._foot.get(key, lambda: compose_foot(model, self._canvas, layout))


def _put_together(layout: Layout, header: Line, framed: Sequence[Line], foot: Foot) -> list[Line]:
    lines = [BLANK] * layout.rows
    lines[layout.header_row] = indent(header, layout.left)
    lines[layout.frame_row : layout.frame_row + len(framed)] = framed
    if layout.gap_row is not None:
        lines[layout.gap_row] = foot.legend
    for row, figure in enumerate(foot.beside, layout.frame_row + 1):
        lines[row] = join((lines[row], gap(_BESIDE), figure))
    lines[foot.first_row : foot.first_row + len(foot.lines)] = foot.lines
    return lines
