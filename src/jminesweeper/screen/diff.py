"""Changes what a terminal shows, in few bytes.

Lines are compared as integers. Only stretches that differ are written, and styles are switched only
where that shows. Cells are written by a table, one look-up each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, count
from operator import is_not
from typing import Final

from jminesweeper.core.grid import lowest
from jminesweeper.frames.ansi import (
    CUT_LONG_LINES,
    ERASE_BELOW,
    ERASE_TO_LINE_END,
    HOME,
    NEXT_LINE,
    RESET,
    WRAP_LONG_LINES,
    move_right,
    move_to,
)
from jminesweeper.frames.cells import FacePen, write_faces
from jminesweeper.screen.inks import PLAIN_INK, Ink
from jminesweeper.screen.lines import AnyLine, CellLine, Line
from jminesweeper.screen.symbols import CellTables
from jminesweeper.screen.themes import Theme, switch

_CHANGED_RUN: Final = re.compile(rb"[^\0]+")
_STYLE_RUN: Final = re.compile(rb"(.)\1*", re.DOTALL)
_FLAGS: Final = bytes((0, *[1] * 255))
_FEWEST_TO_ERASE: Final = 4
_FEWEST_CELLS: Final = 4
"""Fewer cells are written column by column."""
_LONGEST_BRIDGE: Final = 3
"""Writing up to this many blanks again costs less than skipping them."""
_DENSE: Final = 4
"""If more than one column in this many has changed, writing all of them saves time."""


class Pen:
    """Writes spans one after the other and switches styles only where it shows."""

    __slots__ = ("ink", "pieces", "theme")

    def __init__(self, theme: Theme, ink: Ink = PLAIN_INK) -> None:
        self.theme = theme
        self.ink = ink
        self.pieces: list[bytes] = []

    def write(self, text: str, styles: bytes) -> None:
        """Write characters, each in its style; blanks take any style that does not show on them."""
        if styles and styles.count(styles[0]) == len(styles):
            self._write_run(text, styles[0])
            return
        for run in _STYLE_RUN.finditer(styles):
            start, stop = run.span()
            self._write_run(text[start:stop], styles[start])

    def _write_run(self, text: str, style: int) -> None:
        switched, self.ink = switch(self.theme, self.ink, style, is_blank=text.isspace())
        self.pieces += (switched, text.encode())

    def write_line(self, line: AnyLine) -> None:
        """Write a whole line."""
        if isinstance(line, CellLine):
            left, right = line.edges
            self._write_edge(left)
            self.write_cells(line, 0, len(line.faces))
            self._write_edge(right)
        else:
            self.write(line.text, line.styles)

    def write_part(self, line: AnyLine, start: int, stop: int) -> None:
        """Write some columns of a line; if many of them are cells, those by table."""
        if isinstance(line, CellLine):
            width, column = line.tables.shape.columns, line.column
            first = max(0, start - column + width - 1) // width
            last = min(len(line.faces), (stop - column) // width)
            if last - first >= _FEWEST_CELLS:
                left, right = column + first * width, column + last * width
                self.write(line.text[start:left], line.styles[start:left])
                self.write_cells(line, first, last)
                self.write(line.text[right:stop], line.styles[right:stop])
                return
        self.write(line.text[start:stop], line.styles[start:stop])

    def write_cells(self, line: CellLine, first: int, stop: int) -> None:
        """Write some cells of a line by table."""
        tone = (line.tone + first) % 2 if line.tables.is_toned else 0
        pen = cell_pen(self.theme, line.tables).after((self.ink, tone))
        pen = write_faces(pen, line.faces[first:stop], self.pieces)
        self.ink = pen.style[0]

    def _write_edge(self, edge: Line) -> None:
        """Write a side of the field, which is the same in many lines."""
        piece, self.ink = _written(self.theme, self.ink, edge.text, edge.styles)
        self.pieces.append(piece)

    def reset(self) -> None:
        if self.ink != PLAIN_INK:
            self.ink = PLAIN_INK
            self.pieces.append(RESET)

    def finish(self) -> bytes:
        self.reset()
        return b"".join(self.pieces)


@lru_cache(maxsize=1_024)
def _written(theme: Theme, ink: Ink, text: str, styles: bytes) -> tuple[bytes, Ink]:
    """Return what a pen writes with an ink on, and the ink that is on after that."""
    pen = Pen(theme, ink)
    pen.write(text, styles)
    return b"".join(pen.pieces), pen.ink


@lru_cache(maxsize=64)
def cell_pen(theme: Theme, tables: CellTables) -> FacePen[tuple[Ink, int]]:
    """Return the pen for cells in a theme; terminals of one kind share it.

    It depends on the ink that is on and on the tone of the next cell.
    """
    turn = int(tables.is_toned)

    def write(state: tuple[Ink, int], face: int) -> tuple[bytes, tuple[Ink, int]]:
        ink, tone = state
        text, styles = tables.cell(face, tone)
        piece, ink = _written(theme, ink, text, styles)
        return piece, (ink, tone ^ turn)

    return FacePen((PLAIN_INK, 0), write)


def paint_all(lines: Sequence[AnyLine], theme: Theme) -> bytes:
    """Paint a whole screen over anything."""
    pen = Pen(theme)
    pen.pieces += (RESET, CUT_LONG_LINES, HOME)
    last = max((row for row, line in enumerate(lines) if line.width), default=0)
    for row, line in enumerate(lines[: last + 1]):
        pen.reset()
        if row:
            pen.pieces.append(NEXT_LINE)
        # Before the text: after a line that fills the screen it would erase the last column.
        pen.pieces.append(ERASE_TO_LINE_END)
        pen.write_line(line)
    pen.reset()
    if last + 1 < len(lines):
        pen.pieces += (NEXT_LINE, ERASE_BELOW)
    pen.pieces.append(WRAP_LONG_LINES)
    return pen.finish()


def paint_changes(before: Sequence[AnyLine], after: Sequence[AnyLine], theme: Theme) -> bytes:
    """Paint what differs between two screens of one size."""
    pen = Pen(theme)
    for row in compress(count(), map(is_not, before, after)):
        old, new = before[row], after[row]
        if isinstance(old, CellLine) and isinstance(new, CellLine) and old.looks_like(new):
            _paint_cells(pen, row, old, new)
        else:
            _paint_line(pen, row, old, new)
    return pen.finish()


def _paint_cells(pen: Pen, row: int, old: CellLine, new: CellLine) -> None:
    """Paint the cells that differ in two lines that are alike but for them."""
    if old.edges != new.edges:
        # Another part of the board is shown: hardly a cell stays the same.
        pen.pieces.append(move_to(row, 0))
        pen.write_line(new)
        return
    cells, column, width = len(new.faces), new.column, new.tables.shape.columns
    if new.tables.is_toned and old.tone != new.tone:
        runs: Iterable[tuple[int, int]] = ((0, cells),)
    else:
        difference = int.from_bytes(old.faces, "little") ^ int.from_bytes(new.faces, "little")
        if not difference:
            return
        runs = _runs_of_cells(difference, cells)
    at: int | None = None
    for first, stop in runs:
        _go(pen, row, at, column + first * width)
        pen.write_cells(new, first, stop)
        at = column + stop * width


def _runs_of_cells(difference: int, cells: int) -> Iterable[tuple[int, int]]:
    """List the changed stretches of a row of cells, which has a byte for each."""
    first, last = (lowest(difference).bit_length() - 1) // 8, (difference.bit_length() - 1) // 8
    if last - first < 2:
        return ((first, last + 1),)
    changed = difference.to_bytes(cells, "little")
    if (cells - changed.count(0)) * _DENSE > cells:
        return ((first, last + 1),)
    return [run.span() for run in _CHANGED_RUN.finditer(changed)]


def _paint_line(pen: Pen, row: int, old: AnyLine, new: AnyLine) -> None:
    end = len(new.text)
    width = max(len(old.text), end)
    difference, bits = _difference(old, new, width)
    if not difference:
        return
    first = (lowest(difference).bit_length() - 1) // bits
    last = (difference.bit_length() - 1) // bits
    if last - first < 2 and last < end:
        pen.pieces.append(move_to(row, first))
        pen.write_part(new, first, last + 1)
        return
    changed = _flags(difference, bits, width)
    tail = changed.find(b"\1", end)
    erases = tail >= 0 and changed.count(b"\1", end) >= _FEWEST_TO_ERASE
    if erases:
        changed = changed[:end]
    elif width > end:
        new = Line(new.text.ljust(width), new.styles.ljust(width, b"\0"))
    column: int | None = None
    for start, stop in _runs(changed, new, pen.theme.plain_on_blanks):
        _go(pen, row, column, start)
        pen.write_part(new, start, stop)
        column = stop
    if erases:
        _go(pen, row, column, tail)
        pen.reset()
        pen.pieces.append(ERASE_TO_LINE_END)


def _difference(old: AnyLine, new: AnyLine, width: int) -> tuple[int, int]:
    """Compare lines as integers: 0 where they are the same, and how many bits a column has."""
    if old.styles == new.styles and old.text.isascii() and new.text.isascii():
        before, after = old.text.encode(), new.text.encode()
        return int.from_bytes(before, "little") ^ int.from_bytes(after, "little"), 8
    return _columns(old, width) ^ _columns(new, width), 32


def _columns(line: AnyLine, width: int) -> int:
    """Write a line as one number, 32 bits a column: the character below, its style on top."""
    codes = bytearray(line.text.ljust(width).encode("utf-32-le"))
    codes[3::4] = line.styles.ljust(width, b"\0")
    return int.from_bytes(codes, "little")


def _flags(difference: int, bits: int, width: int) -> bytes:
    """Mark the columns that differ, with a byte each."""
    if bits == 32:
        # Gathers each column's bits in its lowest eight.
        difference |= difference >> 16
        difference |= difference >> 8
    return difference.to_bytes(bits // 8 * width, "little")[:: bits // 8].translate(_FLAGS)


def _runs(
    changed: bytes, line: AnyLine, plain_on_blanks: frozenset[int]
) -> Iterator[tuple[int, int]]:
    """List the changed stretches; those with only a few blanks between them are joined."""
    if changed.count(b"\1") * _DENSE > len(changed):
        yield changed.index(b"\1"), changed.rindex(b"\1") + 1
        return
    first = last = -1
    for run in _CHANGED_RUN.finditer(changed):
        start, stop = run.span()
        if first >= 0 and not _is_bridge(line, last, start, plain_on_blanks):
            yield first, last
            first = -1
        if first < 0:
            first = start
        last = stop
    if first >= 0:
        yield first, last


def _is_bridge(line: AnyLine, start: int, stop: int, plain_on_blanks: frozenset[int]) -> bool:
    return (
        stop - start <= _LONGEST_BRIDGE
        and line.text[start:stop].isspace()
        and plain_on_blanks.issuperset(line.styles[start:stop])
        and line.styles[start - 1] in plain_on_blanks
    )


def _go(pen: Pen, row: int, column: int | None, target: int) -> None:
    if column is None:
        pen.pieces.append(move_to(row, target))
    elif target != column:
        pen.pieces.append(move_right(target - column))
