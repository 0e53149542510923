"""Version 1 frames: the whole screen in each one, in as few bytes as it can be said.

A frame overwrites the screen in place: a status line, a message, the field, the keys. The rows
of the field are kept painted, so moving the cursor paints nothing and a reveal only the rows it
touched. Colour is spent while a frame stays within what a stock client takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from jminesweeper.core import Cell, Grid, PlayerView, Size, Status, read_clue
from jminesweeper.screen.ansi import (
    CUT_LONG_LINES,
    ERASE_BELOW,
    ERASE_TO_LINE_END,
    RESET,
    REVERSE,
    WRAP_LONG_LINES,
    move_to,
)
from jminesweeper.screen.faces import (
    COVERED,
    FLAGGED,
    MINED,
    Layers,
    board_faces,
    layers_of,
    row_faces,
)
from jminesweeper.screen.looks import Depth, dress, paint_cells

ONE_SEGMENT_BYTES: Final = 1_400
LARGEST_FRAME_BYTES: Final = 80 * 1024
WIDEST_WITH_TWO_COLUMNS: Final = 40

_FIRST_FIELD_ROW = 2
_SPARE_BYTES = 300  # for the lines around the field
_CELLS_IN_ONE_SEGMENT = 400


def is_wide(size: Size) -> bool:
    """Whether a cell takes two columns of the terminal."""
    return size.columns <= WIDEST_WITH_TWO_COLUMNS


def paint_lines(lines: Sequence[str], first_row: int = 0) -> bytes:
    """Overwrite whole lines of the screen."""
    return b"".join(
        move_to(row, 0) + line.encode() + ERASE_TO_LINE_END
        for row, line in enumerate(lines, first_row)
    )


def paint_page(lines: Sequence[str]) -> bytes:
    """Paint a screen that has no field."""
    return (
        CUT_LONG_LINES + paint_lines(lines) + ERASE_BELOW + WRAP_LONG_LINES + move_to(len(lines), 0)
    )


class _Fresh(NamedTuple):
    """A board on which nothing was done yet, painted. It is the same for every game of its size."""

    faces: bytes
    rows: tuple[bytes, ...]
    body: bytes
    depth: Depth


class ClassicField:
    """The painted rows of one board, kept up to date with what its player sees."""

    def __init__(self, size: Size) -> None:
        self.size = size
        self.is_wide = is_wide(size)
        self._grid = Grid.of(size)
        fresh = _fresh(size)
        self._faces = bytearray(fresh.faces)
        self._rows = list(fresh.rows)
        self._depth = fresh.depth
        self._visible = self._flagged = self._debug_mines = 0
        self._is_over = False
        self.body = fresh.body

    def show(self, view: PlayerView, debug_mines: int = 0) -> None:
        """Paint what has changed since the last view."""
        was_over, self._is_over = self._is_over, view.status is not Status.ONGOING
        is_other = was_over or self._is_over or debug_mines != self._debug_mines
        changed = (self._visible ^ view.visible) | (self._flagged ^ view.flagged)
        self._visible, self._flagged, self._debug_mines = view.visible, view.flagged, debug_mines
        if is_other:
            self._repaint(layers_of(view, debug_mines), range(self.size.rows))
        elif changed & (changed - 1):
            self._repaint(layers_of(view, debug_mines), list(self._grid.rows_of(changed)))
        elif changed:
            self._repaint_cell(view, changed)

    def cursor_tail(self, cell: Cell) -> bytes:
        """Mark the selected cell and leave the terminal's cursor on it.

        Brackets would hide what debug mode and the end of a game show in the second column.
        """
        margin = _margin(self.size)
        if margin and not self._debug_mines and not self._is_over:
            return bracketed_cursor(cell.column, cell.row)
        column = margin + 2 * cell.column if self.is_wide else cell.column
        place = move_to(cell.row + _FIRST_FIELD_ROW, column)
        face = self._faces[self._grid.index(cell)]
        text = dress(Depth.NONE, wide=self.is_wide).texts[face][:1]
        return place + REVERSE + text + RESET + place

    def _repaint_cell(self, view: PlayerView, bit: int) -> None:
        """Paint one cell of a running game: nearly everything a player does changes just one."""
        index = bit.bit_length() - 1
        if view.visible & bit:
            face = read_clue(view.clue_planes, index)
        else:
            face = COVERED
            if view.flagged & bit:
                face |= FLAGGED
            if self._debug_mines & bit:
                face |= MINED
        self._faces[index] = face
        self._paint_rows((index // self._grid.stride,))

    def _repaint(self, layers: Layers, rows: Sequence[int]) -> None:
        stride, columns = self._grid.stride, self.size.columns
        if len(rows) > 1:
            self._faces = board_faces(self._grid, layers)
        else:
            start = rows[0] * stride
            self._faces[start : start + columns] = row_faces(self._grid, layers, rows[0])
        self._paint_rows(rows)

    def _paint_rows(self, rows: Sequence[int]) -> None:
        """Paint rows anew, and all of them with less colour while the frame grows too long."""
        while True:
            for row in rows:
                start = row * self._grid.stride
                faces = bytes(self._faces[start : start + self.size.columns])
                self._rows[row] = _paint_row(row, faces, self._depth, self.size)
            self.body = b"".join(self._rows)
            if len(self.body) <= _most_body_bytes(self.size) or self._depth is Depth.NONE:
                return
            self._depth = Depth(self._depth + 1)
            rows = range(self.size.rows)


def _paint_row(row: int, faces: bytes, depth: Depth, size: Size) -> bytes:
    """Paint a row of cells; erased first, for after a full line that would take its last column."""
    place = move_to(row + _FIRST_FIELD_ROW, 0) + ERASE_TO_LINE_END
    return place + b" " * _margin(size) + paint_cells(faces, depth, is_wide(size))


def _margin(size: Size) -> int:
    """Columns before the field: one for a bracket, where that does not push the last cell out."""
    return 1 if size.columns < WIDEST_WITH_TWO_COLUMNS else 0


def _most_body_bytes(size: Size) -> int:
    is_small = size.cells * (2 if is_wide(size) else 1) <= _CELLS_IN_ONE_SEGMENT
    return (ONE_SEGMENT_BYTES if is_small else LARGEST_FRAME_BYTES) - _SPARE_BYTES


@lru_cache(maxsize=64)
def _fresh(size: Size) -> _Fresh:
    faces = bytes((COVERED,)) * size.columns
    depth = next(
        depth
        for depth in Depth
        if depth is Depth.NONE
        or len(_paint_row(0, faces, depth, size)) * size.rows <= _most_body_bytes(size)
    )
    rows = tuple(_paint_row(row, faces, depth, size) for row in range(size.rows))
    return _Fresh((faces + b"\0") * size.rows, rows, b"".join(rows), depth)


class ClassicFrame:
    """The whole version 1 frame of a running or ended game, in pieces that are made when needed."""

    def __init__(self, size: Size, keys: str) -> None:
        self.field = ClassicField(size)
        self._foot = _foot(size.rows, keys)

    def without_cursor(self, status: str, message: str) -> bytes:
        """Return the frame up to the cursor, which `field.cursor_tail` adds."""
        return _head(status, message) + self.field.body + self._foot


@lru_cache(maxsize=4_096)
def _head(status: str, message: str) -> bytes:
    return CUT_LONG_LINES + paint_lines((status, message))


@lru_cache(maxsize=256)
def _foot(rows: int, keys: str) -> bytes:
    return paint_lines((keys,), _FIRST_FIELD_ROW + rows) + ERASE_BELOW + WRAP_LONG_LINES


@lru_cache(maxsize=16_384)
def bracketed_cursor(column: int, row: int) -> bytes:
    """Put brackets round a cell of two columns; the last one written leaves the cursor on it."""
    line, place = row + _FIRST_FIELD_ROW, 2 * column
    return move_to(line, place + 2) + b"]" + move_to(line, place) + b"["
