"""Finding the field on a screen of any server, and reading it.

At the start of a game every cell is a `?`. Wherever a server paints its field and however far
apart its cells stand, these make a grid of equal steps, and there is no other of that size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from jminesweeper.client.bot.glass import Glass
from jminesweeper.client.bot.outcome import BotError
from jminesweeper.core import Grid, PlayerView, Size, Status, parse_position

HIDDEN = "?"
_MARK = re.compile("[^?.1-8]")

RowSets: TypeAlias = tuple[int, int, int, int, int, int]
"""What is visible, what is flagged, and the four planes of the clues."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where each cell of a board stands on a screen."""

    size: Size
    top: int
    left: int
    down: int
    across: int

    def rows(self, glass: Glass) -> Iterator[str]:
        """Return the letters of the cells, row by row."""
        width = self.size.columns * self.across
        for row in range(self.size.rows):
            line = glass.rows[self.top + row * self.down]
            yield line[self.left : self.left + width : self.across]


class Reader:
    """Reads a field again and again; only rows that look otherwise than before cost anything."""

    def __init__(self, field: Field, mine_count: int) -> None:
        self._field = field
        self._mine_count = mine_count
        self._rows = [HIDDEN * field.size.columns] * field.size.rows
        self._sets = [0] * 6

    def read(self, glass: Glass) -> PlayerView:
        """Return what is seen; whatever no open or hidden cell shows counts as a mark."""
        size = self._field.size
        stride = Grid.of(size).stride
        for number, row in enumerate(self._field.rows(glass)):
            if row != self._rows[number]:
                self._replace(number * stride, self._rows[number], row)
                self._rows[number] = row
        visible, flagged, ones, twos, fours, eights = self._sets
        return PlayerView(
            size,
            self._mine_count,
            Status.ONGOING,
            visible,
            flagged,
            (ones, twos, fours, eights),
            shown_mines=None,
            exploded=None,
        )

    def _replace(self, start: int, old: str, new: str) -> None:
        changes = zip(_read_row(old), _read_row(new), strict=True)
        self._sets = [
            cells ^ (was ^ now) << start
            for cells, (was, now) in zip(self._sets, changes, strict=True)
        ]


def find_field(glass: Glass, size: Size) -> Field:
    """Find the field of a game that has just begun."""
    fields = list(_hidden_fields(glass, size))
    if not fields:
        raise BotError(f"There is no field of {size} hidden cells on the server's first screen.")
    # A board of few cells could be taken for the end of a question.
    return next((field for field in fields if not _follows_a_word(field, glass)), fields[0])


def _hidden_fields(glass: Glass, size: Size) -> Iterator[Field]:
    """Find every place where a field of that size can be, all hidden."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == HIDDEN])
        for number, row in enumerate(glass.rows)
    ]
    rows = [(number, columns) for number, columns in places if len(columns) >= size.columns]
    across = _step([b - a for _, columns in rows for a, b in pairwise(columns)])
    down = _step([below - above for (above, _), (below, _) in pairwise(rows)])
    fields = (Field(size, top, left, down, across) for top, columns in rows for left in columns)
    return (field for field in fields if _is_hidden(field, glass))


def _follows_a_word(field: Field, glass: Glass) -> bool:
    return field.left > 0 and glass.rows[field.top][field.left - 1].isalpha()


@lru_cache(maxsize=1024)
def _read_row(row: str) -> RowSets:
    view = parse_position(_MARK.sub("F", row), 1, Status.ONGOING)
    return view.visible, view.flagged, *view.clue_planes


def _step(distances: list[int]) -> int:
    return Counter(distances).most_common(1)[0][0] if distances else 1


def _is_hidden(field: Field, glass: Glass) -> bool:
    if field.top + (field.size.rows - 1) * field.down >= len(glass.rows):
        return False
    return all(row == HIDDEN * field.size.columns for row in field.rows(glass))
