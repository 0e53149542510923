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
from functools import partial
from importlib import import_module
from itertools import pairwise, product
from operator import and_
from typing import Any, Final, Protocol, Self
from unicodedata import category

from jminesweeper.client.escapes import SEQUENCE, filter_frame
from jminesweeper.core.grid import MAX_SIDE, Cell, Size

LARGEST: Final = Size(MAX_SIDE, MAX_SIDE)
_APART: Final = Size(4, 2)
"""Most columns and lines between two cells."""
_AROUND: Final = Size(80, 50)
"""Room for texts around the field."""
HIDDEN: Final = "?"
_LONG_EDGE: Final = 3
"""Cells of an edge that no word is beside by chance."""

_SEQUENCE: Final = re.compile(SEQUENCE)
_MOST_PARAMETERS: Final = {"H": 2, "f": 2, "m": 99}


class Look(Protocol):
    """A character and its attributes.

    They are compared, never understood: which cell is selected and what a marked mine looks like
    may be a matter of colours alone.
    """

    @property
    def data(self) -> str:
        """The character."""


class PaintedScreen:
    """A terminal with room for a board, and what frames have left on it."""

    def __init__(self, size: Size = LARGEST) -> None:
        # Help needs no terminal, which is an extra.
        pyte = import_module("pyte")
        self._screen: Any = pyte.Screen(
            _APART.columns * size.columns + _AROUND.columns, _APART.rows * size.rows + _AROUND.rows
        )
        # Frames are made for terminals with output processing on.
        self._screen.set_mode(pyte.modes.LNM)
        # To clear this many rows makes each of them, and works out a blank for each. The filter
        # lets nobody reverse a whole screen, so one blank is theirs all.
        row = partial(pyte.screens.StaticDefaultDict, self._screen.default_char)
        self._screen.buffer.default_factory = row
        self._stream = pyte.Stream(self._screen)
        self.lines: Sequence[str] = ()
        """Lines as shown, a character for each column, without the blanks at the end."""

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
        """Place of the terminal's cursor, from 0 at the top left."""
        return Cell(self._screen.cursor.x, self._screen.cursor.y)

    @property
    def text(self) -> str:
        """Text as shown, without the blank lines around it."""
        return "\n".join(self.lines).strip("\n")

    @property
    def is_plain(self) -> bool:
        """True if what is written next has no colour and no attribute."""
        plain: bool = self._screen.cursor.attrs._replace(data=" ") == self._screen.default_char
        return plain

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
    """Places of the cells of a board on a screen."""

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


def find_field(
    screen: PaintedScreen, size: Size, known: FieldPlace | None = None
) -> FieldPlace | None:
    """Find the field of a game that has just begun.

    All its cells are `?`. Wherever a server paints it, and however far apart its cells are, they
    form a grid of equal steps that ends at its edges. Question marks elsewhere could pass for a
    small board. So a field counts for more if its first cell has the terminal's cursor, if it is
    where the `known` field of another game was, and if it does not follow a word.
    """
    steps = [(known.across, known.down)] if known else []
    steps += [_estimated_step(screen.lines, size)]
    steps += product(range(1, _APART.columns + 1), range(1, _APART.rows + 1))
    for across, down in dict.fromkeys(steps):
        fields = list(_covered_fields(screen.lines, size, across, down))
        if fields:
            place = (known.left, known.top) if known else None
            cursor = screen.cursor
            return min(
                fields,
                key=lambda field: (
                    cursor.row != field.top or abs(cursor.column - field.left) >= field.across,
                    (field.left, field.top) != place,
                    field.left > 0 and screen.lines[field.top][field.left - 1].isalpha(),
                ),
            )
    return None


def _estimated_step(lines: Sequence[str], size: Size) -> tuple[int, int]:
    """Return the most common distances of question marks, of those that can be in a field."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == HIDDEN])
        for number, row in enumerate(lines)
        if row.count(HIDDEN) >= size.columns
    ]
    across = Counter(b - a for _, columns in places for a, b in pairwise(columns))
    down = Counter(below - above for (above, _), (below, _) in pairwise(places))
    (across_step, _), *_ = [*across.most_common(1), (1, 0)]
    (down_step, _), *_ = [*down.most_common(1), (1, 0)]
    return across_step, down_step


def _covered_fields(
    lines: Sequence[str], size: Size, across: int, down: int
) -> Iterator[FieldPlace]:
    """Find every place where a covered field of that size can be."""
    width = (size.columns - 1) * across + 1
    for top in range(len(lines) - (size.rows - 1) * down):
        for left in range(len(lines[top]) - width + 1):
            field = FieldPlace(size, top, left, down, across)
            if lines[top][left] != HIDDEN or not _is_covered(field, lines):
                continue
            # Question marks between the cells are those of a denser field.
            rows = lines[top : top + (size.rows - 1) * down + 1]
            covered = sum(row[left : left + width].count(HIDDEN) for row in rows)
            if covered == size.cells and not _goes_on(field, lines):
                yield field


def _is_covered(field: FieldPlace, lines: Sequence[str]) -> bool:
    return all(row == HIDDEN * field.size.columns for row in field.rows(lines))


def _goes_on(field: FieldPlace, lines: Sequence[str]) -> bool:
    """Return True for a part of a larger field: beyond one of its edges all cells are `?` too.

    Beyond an edge of one cell or two that may also be a word's; then it counts on the right and
    below together.
    """
    size, top, left = field.size, field.top, field.left
    above, below = top - field.down, top + size.rows * field.down
    before, after = left - field.across, left + size.columns * field.across
    row, column = Size(size.columns, 1), Size(1, size.rows)
    sides = [
        (row.cells, replace(field, size=row, top=below)),
        (column.cells, replace(field, size=column, left=after)),
    ]
    if above >= 0:
        sides.append((row.cells, replace(field, size=row, top=above)))
    if before >= 0:
        sides.append((column.cells, replace(field, size=column, left=before)))
    covered = [_is_covered(side, lines) for _, side in sides]
    is_long = [cells >= _LONG_EDGE for cells, _ in sides]
    return any(map(and_, covered, is_long)) or all(covered[:2])
