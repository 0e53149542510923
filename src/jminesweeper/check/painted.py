"""A screen of version 1 as a person sees it: characters and their looks, the cursor, and the field.

A server of version 1 paints, and says nothing else. pyte is the terminal that it paints on, larger
than any real one, so that even the widest board is visible whole. Frames pass the client's filter
first: a terminal obeys more than a screen needs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self, TypeAlias
from unicodedata import category

import pyte
import pyte.modes
from pyte.screens import Char

from jminesweeper.client.escapes import SEQUENCE, filter_frame
from jminesweeper.core.grid import MAX_SIDE, Cell, Size

LARGEST: Final = Size(MAX_SIDE, MAX_SIDE)
_APART: Final = Size(4, 2)
"""Cells stand at most so many columns and lines apart."""
_AROUND: Final = Size(80, 50)
"""Room for what is said around the field."""
HIDDEN: Final = "?"

_SEQUENCE: Final = re.compile(SEQUENCE)
_MOST_PARAMETERS: Final = {"H": 2, "f": 2, "m": 99}

Look: TypeAlias = Char
"""A character and its attributes. They are compared, never understood: which cell is selected and
what a marked mine looks like may be a matter of colours alone."""


class PaintedScreen:
    """A terminal with room for a board, and what frames have left on it."""

    def __init__(self, size: Size = LARGEST) -> None:
        self._screen = pyte.Screen(
            _APART.columns * size.columns + _AROUND.columns, _APART.rows * size.rows + _AROUND.rows
        )
        # Frames are made for terminals with output processing on.
        self._screen.set_mode(pyte.modes.LNM)
        self._stream = pyte.Stream(self._screen)
        self.lines: Sequence[str] = ()
        """What is shown, a character for each column, without the blanks at the end."""

    @classmethod
    def showing(cls, frame: bytes, size: Size = LARGEST) -> Self:
        """Make a screen that shows one frame, which holds everything."""
        screen = cls(size)
        screen.paint(frame)
        return screen

    def paint(self, frame: bytes) -> None:
        """Paint a frame over what is there."""
        shown = filter_frame(frame)
        if not shown.isascii():
            # After a mark that has no column pyte drops the rest of a text.
            shown = "".join(letter for letter in shown if category(letter) not in {"Mn", "Me"})
        self._stream.feed(_SEQUENCE.sub(_as_pyte_takes_it, shown))
        buffer = self._screen.buffer
        last = max((row for row, cells in buffer.items() if cells), default=-1)
        self.lines = [self._line(row) for row in range(last + 1)]

    @property
    def cursor(self) -> Cell:
        """Where the cursor of the terminal is, from 0 at the top left."""
        return Cell(self._screen.cursor.x, self._screen.cursor.y)

    @property
    def text(self) -> str:
        """What is shown, without the blank lines around it."""
        return "\n".join(self.lines).strip("\n")

    def look(self, row: int, columns: range) -> tuple[Look, ...]:
        """Return everything that can be seen in some columns of a row."""
        cells = self._screen.buffer[row]
        return tuple(cells[column] for column in columns)

    def _line(self, row: int) -> str:
        cells = self._screen.buffer[row]
        # The second column of a wide character is empty.
        letters = (cells[column].data[:1] or " " for column in range(max(cells, default=-1) + 1))
        return "".join(letters).rstrip()


def _as_pyte_takes_it(match: re.Match[str]) -> str:
    """Write a sequence with semicolons alone, and with no parameters too many."""
    parameters, final = match["parameters"], match["final"]
    kept = parameters.replace(":", ";").split(";")[: _MOST_PARAMETERS.get(final, 1)]
    return match[0].replace(f"{parameters}{final}", f"{';'.join(kept)}{final}")


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where each cell of a board is on a screen."""

    size: Size
    top: int
    left: int
    down: int
    across: int

    def rows(self, lines: Sequence[str]) -> Iterator[str]:
        """Return the letters of the cells, row by row; what is not on the screen is blank."""
        width = self.size.columns * self.across
        for row in range(self.size.rows):
            line = self.top + row * self.down
            text = lines[line] if line < len(lines) else ""
            shown = text[self.left : self.left + width : self.across]
            yield shown.ljust(self.size.columns)

    def at(self, cell: Cell) -> Cell:
        """Return the place of a cell on the screen."""
        return Cell(self.left + cell.column * self.across, self.top + cell.row * self.down)


def find_field(lines: Sequence[str], size: Size) -> FieldPlace | None:
    """Find the field of a game that has just begun, on the lines of a screen.

    All its cells are `?`. Wherever a server paints it, and however far apart its cells are, they
    form a grid of equal steps that ends at its edges, and it is the only one of that size.
    """
    fields = list(_covered_fields(lines, size))
    # The question mark after a word could pass for a small board.
    alone = (field for field in fields if not _follows_a_word(field, lines))
    return next(alone, fields[0] if fields else None)


def _covered_fields(lines: Sequence[str], size: Size) -> Iterator[FieldPlace]:
    """Find every place where a covered field of that size can be."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == HIDDEN])
        for number, row in enumerate(lines)
        if HIDDEN in row
    ]
    rows = [(number, columns) for number, columns in places if len(columns) >= size.columns]
    across = _step([b - a for _, columns in rows for a, b in pairwise(columns)])
    down = _step([below - above for (above, _), (below, _) in pairwise(rows)])
    for top, columns in rows:
        for left in columns:
            field = FieldPlace(size, top, left, down, across)
            if _is_covered(field, lines) and not _goes_on(field, lines):
                yield field


def _follows_a_word(field: FieldPlace, lines: Sequence[str]) -> bool:
    return field.left > 0 and lines[field.top][field.left - 1].isalpha()


def _step(distances: list[int]) -> int:
    return Counter(distances).most_common(1)[0][0] if distances else 1


def _is_covered(field: FieldPlace, lines: Sequence[str]) -> bool:
    return all(row == HIDDEN * field.size.columns for row in field.rows(lines))


def _goes_on(field: FieldPlace, lines: Sequence[str]) -> bool:
    """Whether this is a part of a larger field: beyond one of its edges all cells are `?` too."""
    size, top, left = field.size, field.top, field.left
    above, below = top - field.down, top + size.rows * field.down
    before, after = left - field.across, left + size.columns * field.across
    row, column = Size(size.columns, 1), Size(1, size.rows)
    sides = [
        *[replace(field, size=row, top=beyond) for beyond in (above, below) if beyond >= 0],
        *[replace(field, size=column, left=beyond) for beyond in (before, after) if beyond >= 0],
    ]
    return any(_is_covered(side, lines) for side in sides)
