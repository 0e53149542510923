"""The frames of version 1: each is a whole screen, in as few bytes as possible.

They follow from a player's view, and know nothing of packets, sessions or version 2. A frame
overwrites the screen in place: a status line, a message, the field, the keys. The rows of the field
stay painted, so moving the cursor paints nothing and a reveal paints only the rows that it changed.
A frame is coloured as long as it is small enough for a stock client. Every face has its own
characters, so colour never carries meaning alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.view import (
    CLUE,
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    ONGOING,
    digit_of,
    faces_of,
    layers_of,
)

_RESET: Final = b"\x1b[m"
_ERASE_TO_LINE_END: Final = b"\x1b[K"
_ERASE_BELOW: Final = b"\x1b[J"
_CUT_LONG_LINES: Final = b"\x1b[?7l"
_WRAP_LONG_LINES: Final = b"\x1b[?7h"
_REVERSE: Final = b"\x1b[7m"

ONE_SEGMENT_BYTES: Final = 1_400
LARGEST_FRAME_BYTES: Final = 80 * 1024
WIDEST_WITH_TWO_COLUMNS: Final = 40

HIDDEN, FLAG, MINE, FLAGGED_MINE, STEPPED_ON = "?", "F", "B", "#", "*"

_FIRST_FIELD_ROW = 2
_SPARE_BYTES = 300  # for the lines around the field
_CELLS_IN_ONE_SEGMENT = 400
_COVERED: Final = bytes((COVERED,))
_UNDER_WRONG_FLAGS: Final = "oabcdefgh"


class FaceLook(NamedTuple):
    """The look of a face: in one column, in two columns, and the name of its style."""

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
# No light colours: they vanish on white.
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


def move_to(row: int, column: int) -> bytes:
    """Place the cursor; row and column count from 0. To a terminal a missing number means 1."""
    if column:
        return b"\x1b[%d;%dH" % (row + 1, column + 1) if row else b"\x1b[;%dH" % (column + 1)
    return b"\x1b[%dH" % (row + 1) if row else b"\x1b[H"


@cache
def _cells(palette: int, *, is_wide: bool) -> Sequence[tuple[bytes, bytes]]:
    """Return what is written for each face, in two columns or in one, and its style."""
    styles = {name: f"\x1b[;{style}m".encode() for name, style in _PALETTES[palette].items()}
    return [
        (
            (look.first + look.second if is_wide else look.narrow).encode(),
            styles.get(look.style, _RESET),
        )
        for look in map(look_of, range(256))
    ]


# Short rows look alike from game to game.
@lru_cache(maxsize=4_096)
def paint_cells(faces: bytes, palette: int, is_wide: bool) -> bytes:
    """Return the characters of a row of faces, in colour, ending in the terminal's own style."""
    cells, on = _cells(palette, is_wide=is_wide), _RESET
    painted: list[bytes] = []
    for face in faces:
        text, style = cells[face]
        if style != on:
            painted.append(style)
            on = style
        painted.append(text)
    if on != _RESET:
        painted.append(_RESET)
    return b"".join(painted)


def is_wide(size: Size) -> bool:
    """Return True if a cell takes two columns of the terminal."""
    return size.columns <= WIDEST_WITH_TWO_COLUMNS


def paint_page(lines: Sequence[str]) -> bytes:
    """Paint a screen that has no field."""
    painted = [
        move_to(row, 0) + line.encode() + _ERASE_TO_LINE_END for row, line in enumerate(lines)
    ]
    return b"".join(
        (_CUT_LONG_LINES, *painted, _ERASE_BELOW, _WRAP_LONG_LINES, move_to(len(lines), 0))
    )


class _Fresh(NamedTuple):
    """An untouched board, painted. It is the same for every game of its size."""

    is_wide: bool
    """True if a cell takes two columns."""
    rows: tuple[bytes, ...]
    starts: tuple[bytes, ...]
    """The bytes before the cells of each row."""
    foot: bytes
    palette: int
    margin: int
    """Columns before the field: one for a bracket, unless that pushes the last cell out."""
    most_bytes: int
    """Most bytes of all rows while they are coloured."""


@lru_cache(maxsize=64)
def _fresh(size: Size, keys: str) -> _Fresh:
    has_two_columns = is_wide(size)
    is_small = size.cells * (2 if has_two_columns else 1) <= _CELLS_IN_ONE_SEGMENT
    most_bytes = (ONE_SEGMENT_BYTES if is_small else LARGEST_FRAME_BYTES) - _SPARE_BYTES
    margin = 1 if size.columns < WIDEST_WITH_TWO_COLUMNS else 0
    # Erase first: after a full line, erasing would take its last column.
    start = _ERASE_TO_LINE_END + b" " * margin
    starts = tuple(move_to(row + _FIRST_FIELD_ROW, 0) + start for row in range(size.rows))
    covered = _COVERED * size.columns
    painted = [paint_cells(covered, palette, has_two_columns) for palette in range(len(_PALETTES))]
    fitting = (
        palette
        for palette, cells in enumerate(painted)
        if len(starts[0] + cells) * size.rows <= most_bytes
    )
    palette = next(fitting, _COLOURLESS)
    rows = tuple(start + painted[palette] for start in starts)
    place = move_to(_FIRST_FIELD_ROW + size.rows, 0)
    foot = place + keys.encode() + _ERASE_TO_LINE_END + _ERASE_BELOW + _WRAP_LONG_LINES
    return _Fresh(has_two_columns, rows, starts, foot, palette, margin, most_bytes)


@lru_cache(maxsize=16_384)
def _bracketed(line: int, place: int) -> bytes:
    """Put brackets round a cell; the last one written leaves the cursor on it."""
    return move_to(line, place + 2) + b"]" + move_to(line, place) + b"["


class ClassicFrame:
    """The version 1 frame of a running or ended game.

    The rows of its field stay painted, and are kept in step with what the player sees.
    """

    def __init__(self, grid: Grid, keys: str) -> None:
        self._grid = grid
        self._fresh = fresh = _fresh(grid.size, keys)
        self._shown = (0, 0, 0, 0)
        """The cells that were visible, flagged, questioned and known to be mines."""
        self._truth = (False, 0)
        """The end of the game, and the mines that debug mode showed, as they were painted last."""
        self._faces = bytearray(_COVERED * (grid.stride * grid.size.rows))
        self._palette = fresh.palette
        self._has_bracket = fresh.margin > 0
        self.is_wide = fresh.is_wide
        self.rows = list(fresh.rows)
        self._bytes = sum(map(len, fresh.rows))
        """Of all rows."""

    def show(self, game: Game, debug_mines: int = 0) -> None:
        """Paint the changes since the last time."""
        is_over = game.status is not ONGOING
        truth, grid = (is_over, debug_mines), self._grid
        shown = game.visible, game.flagged, game.questioned, game.known
        if truth == self._truth and not is_over:
            visible, flagged, questioned, known = self._shown
            changed = (visible ^ shown[0]) | (flagged ^ shown[1]) | (questioned ^ shown[2])
            changed |= known ^ shown[3]
        else:
            changed = grid.mask
            # Brackets would hide what debug mode and the end of a game show in the second column.
            self._has_bracket = self._fresh.margin > 0 and not (is_over or debug_mines)
        self._truth, self._shown = truth, shown
        if changed & changed - 1 or is_over:  # more than one cell
            rows, stride = grid.rows_spanned(changed), grid.stride
            layers = layers_of(grid, game.view, debug_mines)
            # At the end every cell shows its content (J).
            layers = layers._replace(covered=0) if is_over else layers
            faces = faces_of(grid, layers, rows)
            self._faces[rows.start * stride : rows.stop * stride] = faces
            self._paint(rows)
        elif changed:
            # Mostly one cell changes: its face alone takes 0.5 us, the faces of its row 14.
            index = changed.bit_length() - 1
            self._faces[index] = game.face(index, debug_mines)
            self._paint((index // grid.stride,))

    def without_cursor(self, status: str, message: str) -> bytes:
        """Return the frame up to the cursor, which `cursor_tail` adds."""
        head = (_TO_STATUS, status.encode(), _TO_MESSAGE, message.encode(), _ERASE_TO_LINE_END)
        return b"".join((*head, *self.rows, self._fresh.foot))

    def cursor_tail(self, cell: Cell) -> bytes:
        """Mark the selected cell and leave the terminal's cursor on it."""
        column, row = cell
        line, place = row + _FIRST_FIELD_ROW, 2 * column if self.is_wide else column
        if self._has_bracket:
            return _bracketed(line, place)
        there = move_to(line, self._fresh.margin + place)
        face = self._faces[self._grid.index(cell)]
        sign = _cells(_COLOURLESS, is_wide=self.is_wide)[face][0][:1]
        return there + _REVERSE + sign + _RESET + there

    def _paint(self, rows: Iterable[int]) -> None:
        """Paint rows; if the frame gets too long, paint all of them with less colour."""
        fresh, stride, columns = self._fresh, self._grid.stride, self._grid.size.columns
        for row in rows:
            faces = bytes(self._faces[row * stride : row * stride + columns])
            painted = fresh.starts[row] + paint_cells(faces, self._palette, self.is_wide)
            self._bytes += len(painted) - len(self.rows[row])
            self.rows[row] = painted
        if self._palette != _COLOURLESS and self._bytes > fresh.most_bytes:
            self._palette += 1
            self._paint(range(len(self.rows)))


_TO_STATUS: Final = _CUT_LONG_LINES + move_to(0, 0)
_TO_MESSAGE: Final = _ERASE_TO_LINE_END + move_to(1, 0)
