"""The field in its frame: the cells in the window, what is laid over them, and the whole reduced.

What a cell shows is a number: its face, or from 256 on what is shown in place of a face, such as
the chance of a mine. Marks around the cursor and brackets around hints are written over the cells,
because they reach into the columns between them; the cursor's come last, so they are always seen.

A board that is larger than the window can be seen whole, reduced until it fits: in its `Overview`
each character is a block of cells, about as high as wide on the screen, and the darker the more of
it is left to do. The part that the window shows is highlighted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import COVERED, EXPLODED, FLAGGED
from jminesweeper.protocol.view import STARTING
from jminesweeper.terminal.layout import CellShape, Layout, Window
from jminesweeper.terminal.lines import StyledLine, centred, gap, join, span
from jminesweeper.terminal.looks import (
    HEAT,
    REASON,
    REVERSED,
    TARGET,
    BoardStage,
    CellLook,
    Style,
    Symbols,
    in_other_tone,
    look_of,
    style_of_seat,
)
from jminesweeper.terminal.view import PAUSED, PLAYING, WON, GameView, SeatView

SUNK: Final = 0x100
"""A cell that was pressed, and whose reply is under way."""
FLAGGING: Final = 0x101
"""A flag that is under way."""
CHANCE: Final = 0x200
"""Plus the chance of a mine in percent."""
_STAGES: Final = {
    **dict.fromkeys((PLAYING, PAUSED, STARTING), BoardStage.PLAYING),
    WON: BoardStage.WON,
}
_HEAT_FROM: Final = (0, 15, 30, 50)
"""The chances at which a cell gets hotter."""
_NARROWEST_WITH_SHARE = 16
_SIGN_EVERY = 8
_SIGN_EVERY_ROW = 4
_NUMBER_EVERY = 5
_WAVE = 3
"""Columns of the light that a win sends across the field."""


_LARGEST: Final = 2
"""Rows of a point of the largest figure."""
DIGITS: Final = tuple(
    rows.split()
    for rows in (
        "### #.# #.# #.# ###",
        ".#. ##. .#. .#. ###",
        "### ..# ### #.. ###",
        "### ..# ### ..# ###",
        "#.# #.# ### ..# ..#",
        "### #.. ### ..# ###",
        "### #.. ### #.# ###",
        "### ..# ..# ..# ..#",
        "### #.# ### #.# ###",
        "### #.# ### ..# ###",
    )
)
"""Figures of points; those of a mine and a countdown have one digit."""


class ScreenField(NamedTuple):
    """Composes the field of one view."""

    view: GameView
    symbols: Symbols
    layout: Layout
    window: Window
    cursor: Cell | None
    """The place of the player's mark, if it is shown."""
    waiting: Mapping[Cell, int]
    """Faces of cells whose reply is under way."""
    frame: Style = Style.FRAME
    pointed_at: frozenset[Cell] = frozenset()
    """Cells that somebody wants the others to look at."""
    flourish: float | None = None
    """The share of the field of a win that a wave of light has crossed."""
    figure: int = 0
    """A number that is written over the whole field: the seconds until it may be played."""
    blocked_s: int = 0
    """Seconds that a mine still costs, in the cell of the cursor."""

    def compose(self) -> list[StyledLine]:
        """Return the lines from the frame's first to its last."""
        symbols, layout, window, size = self.symbols, self.layout, self.window, self.view.size
        if self.view.state == PAUSED:
            width = layout.frame_width - 2
            rows = [gap(width)] * layout.field_rows
            rows[len(rows) // 2] = centred(span("paused", Style.ASIDE), width).pad(width)
        else:
            rows = self._cells()
        # Signs in the frame say on which sides the field continues.
        is_cut_right = window.column + layout.window_columns < size.columns
        before = symbols.left if window.column else symbols.vertical
        after = symbols.right if is_cut_right else symbols.vertical
        sides = [
            self._framed(line, before, after)
            if number % _SIGN_EVERY_ROW == 1
            else self._framed(line, symbols.vertical, symbols.vertical)
            for number, line in enumerate(rows)
        ]
        # Left of it are the numbers of rows, or as much of them as there is room for.
        for row in self._numbered(window.row, layout.window_rows):
            place = layout.sign_of(window, Cell(window.column, row))[0]
            told = str(row)[-layout.frame_left - 1 :]
            end = layout.frame_left + (0 if len(told) <= layout.frame_left else 1)
            sides[place] = sides[place].over(end - len(told), span(told, Style.FRAME))
        sign = symbols.up if window.row else symbols.horizontal
        top = span(self._signed(sign), self.frame)
        for column in self._numbered(window.column, layout.window_columns):
            place = layout.sign_of(window, Cell(column, window.row))[1]
            top = top.over(place, span(str(column), Style.FRAME)).cut(len(top))
        framed = [self._framed(top, *symbols.corners[:2]), *sides, self._bottom()]
        self._point_to_others(framed)
        return framed

    # Cells

    def _cells(self) -> list[StyledLine]:
        """Write the cells in the window, and what is laid over them."""
        laid_over = {**self._chances(), **self.waiting}
        first, count = self.window.row, self.layout.window_rows
        rows = [line for row in range(first, first + count) for line in self._row(row, laid_over)]
        view = self.view
        self._point_at(rows, frozenset(view.hint[1:]) | view.flash, REASON, "()")
        self._point_at(
            rows, frozenset((*view.hint[:1], *view.first)) | self.pointed_at, TARGET, "<>"
        )
        if self.flourish is not None:
            self._light_up(rows, self.flourish)
        self._mark_others(rows)
        if self.figure:
            self._write_large(rows, self.figure)
        if self.cursor is not None and self.layout.shows(self.window, self.cursor):
            # Marks beside the sign, or on it where there is no room for them.
            row, column = self.layout.sign_of(self.window, self.cursor)
            if self.layout.shape.is_wide:
                for sign, beside in (("[", -1), ("]", 1)):
                    rows[row] = rows[row].over(column + beside, span(sign, Style.MARK))
            else:
                rows[row] = rows[row].restyled(column, Style.MARK)
            if self.blocked_s:
                # In place of the marks as well, or of the cell alone, which has one digit.
                told, start = f"{self.blocked_s}s".rjust(3)[-3:], column - 1
                if not self.layout.shape.is_wide:
                    told, start = str(min(self.blocked_s, 9)), column
                rows[row] = rows[row].over(start, span(told, Style.FATAL))
        return rows

    def _row(self, row: int, laid_over: Mapping[Cell, int]) -> list[StyledLine]:
        """Write a row of cells, in as many lines as a cell takes."""
        view, column = self.view, self.window.column
        start = row * view.size.columns + column
        shown: Iterable[int] = view.faces[start : start + self.layout.window_columns]
        if laid_over:
            shown = [laid_over.get(Cell(at, row), face) for at, face in enumerate(shown, column)]
        stage, symbols = _STAGES.get(view.state, BoardStage.ENDED), self.symbols
        return rows_of_cells(shown, (row + column) % 2, stage, symbols, self.layout.shape)

    def _chances(self) -> Mapping[Cell, int]:
        """Put chances in place of faces; the chance away from all numbers is shown once."""
        shown: dict[Cell, int] = {}
        told = set[int]()
        for cell, percent in (self.view.odds or {}).items():
            is_untouched = all(self.view.face(each) & COVERED for each in self.view.around(cell))
            if not (is_untouched and percent in told):
                shown[cell] = CHANCE + percent
                told |= {percent} if is_untouched else set()
        return shown

    # What is laid over cells

    def _point_at(
        self, rows: list[StyledLine], cells: frozenset[Cell], mark: int, brackets: str
    ) -> None:
        """Highlight cells; where there is room put each group of them in a row in brackets."""
        shape = self.layout.shape
        for cell in (each for each in cells if self.layout.shows(self.window, each)):
            row, column = self.layout.sign_of(self.window, cell)
            line = rows[row]
            has_next = (cell.column + 1, cell.row) in cells
            for at in range(column, column + (shape.columns if has_next else 1)):
                line = line.restyled(at, line.styles[at] | mark) if at < len(line) else line
            if shape.is_wide and (cell.column - 1, cell.row) not in cells:
                line = line.over(column - 1, span(brackets[0], mark))
            if shape.is_wide and not has_next:
                line = line.over(column + 1, span(brackets[1], mark))
            rows[row] = line

    def _light_up(self, rows: list[StyledLine], share: float) -> None:
        """Light up a diagonal of the cells in the window: what they show stays as it is."""
        first, shape = self.window, self.layout.shape
        ends = self.layout.window_columns + self.layout.window_rows + 2 * _WAVE
        front = int(share * ends) - _WAVE
        for row in range(self.layout.window_rows):
            for column in range(max(0, front - row), max(0, front - row + _WAVE)):
                if column >= self.layout.window_columns:
                    break
                cell = Cell(first.column + column, first.row + row)
                place, start = self.layout.sign_of(first, cell)
                for at in range(start, min(start + max(1, shape.columns - 1), len(rows[place]))):
                    rows[place] = rows[place].restyled(at, Style.GOOD)

    def _write_large(self, rows: list[StyledLine], number: int) -> None:
        """Write a digit as large as the field has room for; the cells beneath show through."""
        pixels = DIGITS[number % 10]
        height, width = len(pixels), len(pixels[0])
        columns = self.layout.frame_width - 2
        scale = min(len(rows) // height, columns // (2 * width + 2), _LARGEST)
        top, left = (len(rows) - height * scale) // 2, columns // 2 - width * scale
        for row in range(height * scale):
            for column in range(2 * width * scale):
                if pixels[row // scale][column // (2 * scale)] == "#":
                    line = rows[top + row]
                    rows[top + row] = line.restyled(left + column, Style.CHOSEN)

    def _others(self) -> Iterator[tuple[SeatView, Cell]]:
        """List the others on this board, and where they are."""
        room, view = self.view.room, self.view
        for number, cell in view.cursors if view.is_playing and room is not None else ():
            seat = view.seat(number)
            if seat is not None and seat != view.own_seat:
                yield seat, cell

    def _point_to_others(self, framed: list[StyledLine]) -> None:
        """Put arrows into the frame that say where the others are who are out of sight."""
        layout, window, symbols = self.layout, self.window, self.symbols
        for seat, cell in self._others():
            if layout.shows(window, cell):
                continue
            last = Window(window.column + layout.window_columns, window.row + layout.window_rows)
            column = min(max(cell.column, window.column), last.column - 1)
            row = min(max(cell.row, window.row), last.row - 1)
            line, place = layout.sign_of(window, Cell(column, row))
            line, place, sign = line + 1, layout.frame_left + 1 + place, symbols.left
            if cell.row < window.row:
                line, sign = 0, symbols.up
            elif cell.row >= last.row:
                line, sign = len(framed) - 1, symbols.down
            elif cell.column < window.column:
                place = layout.frame_left
            else:
                place, sign = layout.frame_left + layout.frame_width - 1, symbols.right
            is_beside = line in {0, len(framed) - 1}
            told = f"{sign}{seat.initial}" if is_beside else sign
            framed[line] = framed[line].over(place, span(told, style_of_seat(seat.colour)))

    def _mark_others(self, rows: list[StyledLine]) -> None:
        """Put the initials of others beside the signs where they are, or colour the signs."""
        for seat, cell in self._others():
            if not self.layout.shows(self.window, cell):
                continue
            row, column = self.layout.sign_of(self.window, cell)
            style = style_of_seat(seat.colour)
            if self.layout.shape.is_wide:
                rows[row] = rows[row].over(column + 1, span(seat.initial, style))
            else:
                rows[row] = rows[row].restyled(column, style)

    # The frame

    def _bottom(self) -> StyledLine:
        """Draw the lowest line, with a bar and a figure that says the same."""
        symbols, view = self.symbols, self.view
        is_cut = self.window.row + self.layout.window_rows < view.size.rows
        line = self._signed(symbols.down if is_cut else symbols.horizontal)
        if view.replay is not None:
            share, told = view.position / max(1, len(view.replay)), ""
        else:
            share = view.solved_share
            told = f" {int(100 * share)} % ".rjust(7, symbols.horizontal) + symbols.horizontal
        # Who comes while a game is paused has not seen any cell, nor how many are open.
        is_known = view.state != PAUSED or share > 0
        told = told if is_known and len(line) >= _NARROWEST_WITH_SHARE else ""
        done = int(share * (len(line) - len(told)))
        bar = join(
            [
                span(line[:done].replace(symbols.horizontal, symbols.done), Style.DONE),
                span(line[done : len(line) - len(told)], self.frame),
                *(span(sign, self.frame if sign == symbols.horizontal else 0) for sign in told),
            ]
        )
        return self._framed(bar, symbols.corners[2], symbols.corners[3])

    def _framed(self, line: StyledLine, left: str, right: str) -> StyledLine:
        margin = gap(self.layout.frame_left)
        return join([margin, span(left, self.frame), line, span(right, self.frame)])

    def _signed(self, sign: str) -> str:
        """Draw a line with a sign in it every few columns."""
        line, width = self.symbols.horizontal, self.layout.frame_width - 2
        half = _SIGN_EVERY // 2
        period = line * (half - 1) + sign + line * (_SIGN_EVERY - half)
        return (period * (width // _SIGN_EVERY)).ljust(width, line)

    # Numbers of columns and rows, while words speak of cells by their numbers

    def _numbered(self, first: int, count: int) -> Iterable[int]:
        """Choose which columns or rows have their number at the frame."""
        shown = self.view.hint or self.view.odds is not None
        every = _NUMBER_EVERY if self.layout.shape.is_wide else 2 * _NUMBER_EVERY
        return [place for place in range(first, first + count) if shown and place % every == 0]


def rows_of_cells(
    shown: Iterable[int], tone: int, stage: BoardStage, symbols: Symbols, shape: CellShape
) -> list[StyledLine]:
    """Write cells side by side, between margins, in the tone of the first."""
    cells = [
        cell_lines(each, number % 2, stage, symbols, shape)
        for number, each in enumerate(shown, tone)
    ]
    # Among tiles the columns beside the cells are opened ground.
    ground = Style.ZERO if symbols.has_tiles else Style.PLAIN
    left, right = (span(" " * width, ground) for width in (shape.left_margin, shape.right_margin))
    return [join((left, *line, right)) for line in zip(*cells, strict=True)]


@lru_cache(maxsize=1_024)
def cell_lines(
    shown: int, tone: int, stage: BoardStage, symbols: Symbols, shape: CellShape
) -> tuple[StyledLine, ...]:
    """Write one cell.

    Without this cache a frame of the largest field takes 19 ms where it takes 1.5.
    """
    look = _look_of(shown, symbols, stage)
    style = int(in_other_tone(look.style) if tone and symbols.has_tiles else look.style)
    blank = Style.PLAIN if look.style in REVERSED and not symbols.has_tiles else style
    signs = [look.first, look.second] if shape.is_wide else [look.narrow]
    sign = join(span(each, blank if each == " " else style) for each in signs)
    empty = span(" " * shape.columns, blank)
    lines = [empty] * shape.rows
    lines[shape.sign_row] = empty.over(shape.sign_column, sign)
    return tuple(lines)


def _look_of(shown: int, symbols: Symbols, stage: BoardStage) -> CellLook:
    if shown < SUNK:
        return look_of(shown, symbols, stage)
    if shown == SUNK:
        return CellLook(" ", " ", " ", Style.ZERO)
    if shown == FLAGGING:
        return CellLook(symbols.flag, " ", symbols.flag, Style.WAITING_FLAG)
    # A chance is a digit for tenths on a background, with 0 and * for certain cells.
    percent = shown - CHANCE
    match percent:
        case 0:
            return CellLook("0", " ", "0", Style.HEAT_SAFE)
        case 100:
            return CellLook("*", " ", "*", Style.HEAT_MINE)
    tenths = str(min(9, max(1, round(percent / 10))))
    hotter = [style for style, least in zip(HEAT, _HEAT_FROM, strict=True) if percent >= least]
    return CellLook(tenths, " ", tenths, hotter[-1])


class Overview(NamedTuple):
    """Numbers of cells that a character covers, and of characters."""

    view: GameView
    symbols: Symbols
    layout: Layout
    columns: int
    rows: int

    @classmethod
    def of(cls, view: GameView, symbols: Symbols, layout: Layout) -> Overview:
        """Find the smallest blocks that fit; a character is twice as high as wide."""
        size = view.size
        columns, rows = -(-size.columns // (layout.columns - 2)), -(-size.rows // layout.field_rows)
        columns = max(columns, -(-rows // 2))
        return cls(view, symbols, layout, columns, max(rows, min(2 * columns, size.rows)))

    @property
    def across(self) -> int:
        return -(-self.view.size.columns // self.columns)

    @property
    def down(self) -> int:
        return -(-self.view.size.rows // self.rows)

    @property
    def left(self) -> int:
        return (self.layout.columns - self.across - 2) // 2

    def compose(self, window: Window, cursor: Cell | None) -> list[StyledLine]:
        """Return as many lines as the framed field has."""
        corners, line = self.symbols.corners, self.symbols.horizontal * self.across
        side = span(self.symbols.vertical, Style.FRAME)
        lines = [
            span(corners[0] + line + corners[1], Style.FRAME),
            *(
                side
                + join(self._block(window, down, across) for across in range(self.across))
                + side
                for down in range(self.down)
            ),
            span(corners[2] + line + corners[3], Style.FRAME),
        ]
        lines = [gap(self.left) + line for line in lines]
        if cursor is not None:
            row, column = self.place_of(cursor)
            row -= self.layout.frame_row
            lines[row] = lines[row].over(column, span("+", Style.MARK))
        return lines + [StyledLine()] * (self.layout.field_rows + 2 - len(lines))

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """Find the row and the column of a cell's block on the screen."""
        row = self.layout.frame_row + 1 + cell.row // self.rows
        return row, self.left + 1 + cell.column // self.columns

    def cell_at(self, row: int, column: int) -> Cell | None:
        """Find the cell in the middle of the block at a place on the screen."""
        size, down, across = self.view.size, row - self.layout.frame_row - 1, column - self.left - 1
        if not (0 <= down < self.down and 0 <= across < self.across):
            return None
        return Cell(
            min(across * self.columns + self.columns // 2, size.columns - 1),
            min(down * self.rows + self.rows // 2, size.rows - 1),
        )

    def _block(self, window: Window, down: int, across: int) -> StyledLine:
        size, layout = self.view.size, self.layout
        columns = range(across * self.columns, min((across + 1) * self.columns, size.columns))
        rows = range(down * self.rows, min((down + 1) * self.rows, size.rows))
        faces = b"".join(
            self.view.faces[row * size.columns + columns.start : row * size.columns + columns.stop]
            for row in rows
        )
        is_shown = _overlap(rows, window.row, layout.window_rows) and _overlap(
            columns, window.column, layout.window_columns
        )
        if len(faces.translate(None, _EXPLODED)) < len(faces):
            return span("*", Style.FATAL)
        # What is neither open nor flagged is left to do.
        shades, left = self.symbols.shades, len(faces.translate(None, _DONE))
        sign = shades[ceil(left / len(faces) * (len(shades) - 1))]
        return span(sign, Style.HERE if is_shown else Style.LEFT)


_EXPLODED = bytes(range(EXPLODED, 256))
_DONE = bytes(face for face in range(256) if face & FLAGGED or not face & COVERED)


def _overlap(cells: range, first: int, count: int) -> bool:
    return cells.start < first + count and cells.stop > first
