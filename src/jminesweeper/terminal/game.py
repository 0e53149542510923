"""The screen of a game: a line about it, the framed field, what is said, figures, keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.terminal.board import Board
from jminesweeper.terminal.field import Field
from jminesweeper.terminal.foot import compose_foot
from jminesweeper.terminal.header import compose_header, states_of
from jminesweeper.terminal.keyrow import compose_keys
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import Line, Screen, Spot
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.overview import Overview
from jminesweeper.terminal.playback import Playback, compose_time_line
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.view import PLAYING, View
from jminesweeper.terminal.words import Said


class Game(NamedTuple):
    """Composes the screen of a game; all of its parts know what for."""

    view: View
    board: Board
    canvas: Canvas
    layout: Layout
    clock_ms: int
    said: Said
    aim: str
    names: Sequence[str]
    """What can be done, for the row of keys."""
    keys: KeyMap
    playback: Playback | None = None
    is_flashing: bool = False
    ends_in_s: int = 0
    """How long a race goes on after the first has finished."""
    pointed_at: frozenset[Cell] = frozenset()

    def compose(self) -> Screen:
        layout, symbols = self.layout, self.canvas.symbols
        foot = compose_foot(self.view, self.said, self.aim, layout, symbols)
        lines = [Line()] * layout.rows
        lines[layout.header_row] = self._header()
        framed, cursor = self._overview() if self.board.is_overview else self._field()
        lines[layout.frame_row : layout.frame_row + len(framed)] = framed
        if layout.gap_row is not None:
            lines[layout.gap_row] = foot.above
        for row, figure in enumerate(foot.beside, layout.frame_row + 1):
            lines[row] += figure
        spots: Sequence[Spot] = ()
        if len(foot.lines) <= layout.foot_rows:
            row = layout.keys_row
            lines[row], spots = compose_keys(self.names, self.keys, layout.columns, row)
        end = layout.foot_row + len(foot.lines)
        lines[layout.foot_row : end] = foot.lines[: layout.rows - layout.foot_row]
        if self.playback is not None:
            lines.append(compose_time_line(self.playback, layout.columns, symbols))
        return Screen(lines, cursor, spots=spots)

    def _header(self) -> Line:
        states: tuple[str, ...] = states_of(self.view, self.clock_ms, self.ends_in_s)
        if self.playback is not None:
            states = (_state_of(self.playback),)
        header = compose_header(self.view, self.layout, self.board.cursor, self.clock_ms, states)
        if self.is_flashing:
            header = Line(header.text, bytes((Style.GOOD,)) * len(header))
        return header

    def _field(self) -> tuple[list[Line], tuple[int, int] | None]:
        board, layout, view = self.board, self.layout, self.view
        is_seen = view.state == PLAYING and layout.shows(board.window, board.cursor)
        field = Field(
            view,
            self.canvas.symbols,
            layout,
            board.window,
            board.cursor if is_seen else None,
            board.waiting(view),
            Style.GOOD if self.is_flashing else Style.FRAME,
            self.pointed_at,
        )
        place = layout.place_of(board.window, board.cursor) if is_seen else None
        return field.compose(), place

    def _overview(self) -> tuple[list[Line], tuple[int, int] | None]:
        cursor = self.board.cursor if self.view.is_playing else None
        overview = Overview.of(self.view, self.canvas.symbols, self.layout)
        place = None if cursor is None else overview.place_of(cursor)
        return overview.compose(self.board.window, cursor), place


def _state_of(playback: Playback) -> str:
    if playback.is_playing:
        return "replay"
    return "end" if playback.position == playback.last else "paused"
