"""The frame of a game.

A frame overwrites the screen in place: a status line, a message, the field, the keys. The rows
of the field stay painted, so moving the cursor paints nothing and a reveal paints only the rows
that it changed. A frame is coloured as long as it is small enough for a stock client. Every face
has its own characters, so colour never carries meaning alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import add
from typing import Final, NamedTuple

from jminesweeper.core.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED, digit_of, layers_of
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.view import PlayerView
from jminesweeper.frames.ansi import (
    CUT_LONG_LINES,
    ERASE_BELOW,
    ERASE_TO_LINE_END,
    HOME,
    RESET,
    REVERSE,
    WRAP_LONG_LINES,
    move_to,
    select_style,
)
from jminesweeper.frames.cells import FacePen, KeptFaces, write_faces

ONE_SEGMENT_BYTES: Final = 1_400
LARGEST_FRAME_BYTES: Final = 80 * 1024
WIDEST_WITH_TWO_COLUMNS: Final = 40

HIDDEN, FLAG, MINE, FLAGGED_MINE, STEPPED_ON = "?", "F", "B", "#", "*"

_FIRST_FIELD_ROW = 2
_SPARE_BYTES = 300  # for the lines around the field
_CELLS_IN_ONE_SEGMENT = 400
_SHORT_ROW: Final = 40
_MANY_ROWS: Final = 8
"""Short rows look alike from game to game, but not the rows of a game that has ended."""
_FEW_CELLS: Final = 12
"""As many are written sooner one by one than in pairs."""
_COVERED: Final = bytes((COVERED,))
_LONG_COVERED: Final = re.compile(b"(" + re.escape(_COVERED) + b"{8,})")
ROW_END: Final = 0xFF
"""Stands after each row where several are painted at once; no cell has this face."""
_END: Final = bytes((ROW_END,))


_UNDER_WRONG_FLAGS: Final = "oabcdefgh"


class FaceLook(NamedTuple):
    """How a face looks: in one column, in two columns, and the name of its style."""

    narrow: str
    first: str
    second: str
    style: str


_LOOKS: Mapping[int, FaceLook] = {
    COVERED: FaceLook(HIDDEN, HIDDEN, " ", "covered"),
    COVERED | FLAGGED: FaceLook(FLAG, FLAG, " ", "flag"),
    COVERED | MINED: FaceLook(MINE, HIDDEN, MINE, "mine"),
    COVERED | FLAGGED | MINED: FaceLook(FLAGGED_MINE, FLAG, MINE, "flag"),
    MINED: FaceLook(MINE, MINE, " ", "mine"),
    FLAGGED | MINED: FaceLook(FLAGGED_MINE, MINE, FLAG, "flag"),
}


def wrong_flag_of(face: int) -> str:
    """Write a wrong flag where a cell has one column: a letter keeps its number to be read."""
    clue = face & CLUE
    return _UNDER_WRONG_FLAGS[clue if clue < len(_UNDER_WRONG_FLAGS) else 0]


def look_of(face: int) -> FaceLook:
    """Say what a face looks like."""
    layers = face & ~CLUE
    if layers & EXPLODED:
        return FaceLook(STEPPED_ON, MINE, STEPPED_ON, "stepped on")
    if layers in _LOOKS:
        return _LOOKS[layers]
    digit = digit_of(face)
    if layers:
        return FaceLook(wrong_flag_of(face), digit, FLAG, "wrong flag")
    return FaceLook(digit, digit, " ", f"clue {face & CLUE}")


# Nobody says what the terminal's background is, and backgrounds of their own would not fit a frame
# of 1,400 bytes: these are all the colours with a contrast of 4.5 to black and to white.
_INDEXED: Mapping[str, str] = {
    "clue 1": "38;5;63",
    "clue 2": "38;5;29",
    "clue 3": "38;5;131",
    "clue 4": "38;5;98",
    "clue 5": "38;5;163",
    "clue 6": "1;38;5;29",
    "clue 7": "1;38;5;243",
    "clue 8": "1",
    "covered": "38;5;243",
    "flag": "1;38;5;131",
    "mine": "38;5;163",
    "stepped on": "1;7;38;5;163",
    "wrong flag": "7;38;5;163",
}
# None of those that are light: they vanish on white.
_SIXTEEN: Mapping[str, str] = {
    "clue 1": "94",
    "clue 2": "32",
    "clue 3": "31",
    "clue 4": "35",
    "clue 5": "91",
    "clue 6": "36",
    "clue 7": "95",
    "clue 8": "1",
    "flag": "1;31",
    "mine": "31",
    "stepped on": "1;7;31",
    "wrong flag": "7;31",
}
_ACCENTS: Mapping[str, str] = {
    "flag": "1",
    "stepped on": "1;7",
    "wrong flag": "7",
}
_PALETTES: Final[Sequence[Mapping[str, str]]] = (_INDEXED, _SIXTEEN, _ACCENTS, {})
"""Styles by name; the palette that takes the most bytes comes first."""
_COLOURLESS: Final = len(_PALETTES) - 1


@cache
def _first_pen(palette: int, *, is_wide: bool) -> FacePen[bytes]:
    """Return the pen for cells of two columns or one, with the terminal's own style on."""
    sequences = _PALETTES[palette]

    def write(before: bytes, face: int) -> tuple[bytes, bytes]:
        if face == ROW_END:
            return (b"\n" if before == RESET else RESET + b"\n"), RESET
        look = look_of(face)
        text = (look.first + look.second if is_wide else look.narrow).encode()
        style = select_style(sequences.get(look.style, ""))
        return (text if style == before else style + text), style

    return FacePen(RESET, write)


# Short rows look alike from game to game.
@lru_cache(maxsize=4_096)
def paint_cells(faces: bytes, palette: int, is_wide: bool) -> bytes:
    """Return the characters of a row of faces, in colour, ending in the terminal's own style."""
    painted: list[bytes] = []
    pen = write_faces(_first_pen(palette, is_wide=is_wide), faces, painted)
    if pen.style != RESET:
        painted.append(RESET)
    return b"".join(painted)


def paint_rows(faces: bytes | bytearray, palette: int, is_wide: bool) -> list[bytes]:
    """Return the characters of several rows; after the faces of each comes `ROW_END`."""
    painted: list[bytes] = []
    pen = _first_pen(palette, is_wide=is_wide)
    # Most of a large board is covered, so long runs of covered cells are written at once.
    for number, part in enumerate(_LONG_COVERED.split(faces)):
        if number % 2:
            first, pen = pen[COVERED]
            painted += (first, pen[COVERED][0] * (len(part) - 1))
        elif len(part) > _FEW_CELLS:
            pen = write_faces(pen, part, painted)
        else:
            for face in part:
                piece, pen = pen[face]
                painted.append(piece)
    return b"".join(painted).split(b"\n")[:-1]


def is_wide(size: Size) -> bool:
    """Whether a cell takes two columns of the terminal."""
    return size.columns <= WIDEST_WITH_TWO_COLUMNS


def paint_page(lines: Sequence[str]) -> bytes:
    """Paint a screen that has no field."""
    painted = [
        move_to(row, 0) + line.encode() + ERASE_TO_LINE_END for row, line in enumerate(lines)
    ]
    return b"".join(
        (CUT_LONG_LINES, *painted, ERASE_BELOW, WRAP_LONG_LINES, move_to(len(lines), 0))
    )


class _Fresh(NamedTuple):
    """An untouched board, painted. It is the same for every game of its size."""

    grid: Grid
    is_wide: bool
    """Whether a cell takes two columns."""
    rows: tuple[bytes, ...]
    starts: tuple[bytes, ...]
    """What is before the cells of each row."""
    palette: int
    margin: int
    """Columns before the field: one for a bracket, unless that pushes the last cell out."""
    most_bytes: int
    """How many bytes all rows may have while they are coloured."""


@lru_cache(maxsize=64)
def _fresh(grid: Grid) -> _Fresh:
    size = grid.size
    has_two_columns = is_wide(size)
    is_small = size.cells * (2 if has_two_columns else 1) <= _CELLS_IN_ONE_SEGMENT
    most_bytes = (ONE_SEGMENT_BYTES if is_small else LARGEST_FRAME_BYTES) - _SPARE_BYTES
    margin = 1 if size.columns < WIDEST_WITH_TWO_COLUMNS else 0
    # Erase first: after a full line, erasing would take its last column.
    start = ERASE_TO_LINE_END + b" " * margin
    starts = tuple(move_to(row + _FIRST_FIELD_ROW, 0) + start for row in range(size.rows))
    palettes = range(len(_PALETTES))
    covered = _COVERED * size.columns
    painted = [paint_cells(covered, palette, has_two_columns) for palette in palettes]
    fitting = (
        palette
        for palette in palettes
        if len(starts[0] + painted[palette]) * size.rows <= most_bytes
    )
    palette = next(fitting, _COLOURLESS)
    rows = tuple(start + painted[palette] for start in starts)
    return _Fresh(grid, has_two_columns, rows, starts, palette, margin, most_bytes)


class ClassicFrame:
    """The version 1 frame of a running or ended game.

    The rows of its field stay painted, and are kept in step with what the player sees.
    """

    __slots__ = (
        "_bytes",
        "_faces",
        "_foot",
        "_fresh",
        "_has_bracket",
        "_palette",
        "is_wide",
        "rows",
    )

    def __init__(self, grid: Grid, keys: str) -> None:
        fresh = _fresh(grid)
        self._fresh = fresh
        self._foot = _foot(grid.size.rows, keys)
        self._faces = KeptFaces(grid, range(grid.size.rows), layers_of)
        self._bytes = 0
        self._palette = fresh.palette
        self._has_bracket = fresh.margin > 0
        self.is_wide = fresh.is_wide
        self.rows: Sequence[bytes] = fresh.rows
        """Those of a fresh board are shared by all games of its size."""

    def show(self, view: PlayerView, debug_mines: int = 0) -> None:
        """Paint what has changed since the last view."""
        # Brackets would hide what debug mode and the end of a game show in the second column.
        has_second_column = debug_mines != 0 or view.shown_mines is not None
        self._has_bracket = self._fresh.margin > 0 and not has_second_column
        changed = self._faces.update(view, debug_mines)
        if changed:
            self._paint(changed)

    def without_cursor(self, status: str, message: str) -> bytes:
        """Return the frame up to the cursor, which `cursor_tail` adds."""
        head = (_TO_STATUS, status.encode(), _TO_MESSAGE, message.encode(), ERASE_TO_LINE_END)
        return b"".join((*head, *self.rows, self._foot))

    def cursor_tail(self, cell: Cell) -> bytes:
        """Mark the selected cell and leave the terminal's cursor on it."""
        column, row = cell
        if self._has_bracket:
            return bracketed_cursor(column, row)
        fresh = self._fresh
        face = self._faces.faces[fresh.grid.index(cell)]
        return inverted_cursor(column, row, face, fresh.margin, fresh.is_wide)

    def _paint(self, changed: Sequence[int]) -> None:
        """Paint rows; if the frame gets too long, paint all of them with less colour."""
        fresh, rows = self._fresh, self.rows
        if not isinstance(rows, list):
            self.rows = rows = list(rows)
            self._bytes = sum(map(len, rows))
        if fresh.grid.size.columns <= _SHORT_ROW and len(changed) < _MANY_ROWS:
            self._paint_each(changed, rows)
        else:
            self._paint_together(range(changed[0], changed[-1] + 1), rows)
        if self._bytes > fresh.most_bytes and self._palette != _COLOURLESS:
            self._palette += 1
            self._paint(range(len(rows)))

    def _paint_each(self, changed: Sequence[int], rows: list[bytes]) -> None:
        faces, stride, starts = self._faces.faces, self._fresh.grid.stride, self._fresh.starts
        for row in changed:
            cells = bytes(faces[row * stride : row * stride + stride - 1])
            painted = starts[row] + paint_cells(cells, self._palette, self.is_wide)
            self._bytes += len(painted) - len(rows[row])
            rows[row] = painted

    def _paint_together(self, together: range, rows: list[bytes]) -> None:
        """Paint all rows of a range, which takes less time than some long ones by themselves."""
        stride, within = self._fresh.grid.stride, slice(together.start, together.stop)
        faces = self._faces.faces[together.start * stride : together.stop * stride]
        faces[stride - 1 :: stride] = _END * len(together)
        self._bytes -= sum(map(len, rows[within]))
        rows[within] = map(
            add, self._fresh.starts[within], paint_rows(faces, self._palette, self.is_wide)
        )
        self._bytes += sum(map(len, rows[within]))


# The frame of a board before the first action. All games of its size share it.
untouched_frame = lru_cache(maxsize=64)(ClassicFrame)


_TO_STATUS: Final = CUT_LONG_LINES + HOME
_TO_MESSAGE: Final = ERASE_TO_LINE_END + move_to(1, 0)


@lru_cache(maxsize=256)
def _foot(rows: int, keys: str) -> bytes:
    place = move_to(_FIRST_FIELD_ROW + rows, 0)
    return place + keys.encode() + ERASE_TO_LINE_END + ERASE_BELOW + WRAP_LONG_LINES


@lru_cache(maxsize=16_384)
def bracketed_cursor(column: int, row: int) -> bytes:
    """Put brackets round a cell of two columns; the last one written leaves the cursor on it."""
    line, place = row + _FIRST_FIELD_ROW, 2 * column
    return move_to(line, place + 2) + b"]" + move_to(line, place) + b"["


@lru_cache(maxsize=16_384)
def inverted_cursor(column: int, row: int, face: int, margin: int, is_wide: bool) -> bytes:
    """Invert the first column of a cell, and leave the cursor on it."""
    there = move_to(row + _FIRST_FIELD_ROW, margin + (2 * column if is_wide else column))
    text = _first_pen(_COLOURLESS, is_wide=is_wide)[face][0][:1]
    return there + REVERSE + text + RESET + there
