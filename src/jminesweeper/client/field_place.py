"""Finding the field on a screen of any server.

At the start of a game every cell is a `?`. Wherever a server paints its field, and however far
apart its cells are, they form a grid of equal steps, and it is the only one of that size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jminesweeper.core.grid import Size

COVERED: Final = "?"


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where each cell of a board is on a screen."""

    size: Size
    top: int
    left: int
    down: int
    across: int

    def rows(self, lines: Sequence[str]) -> Iterator[str]:
        """Return the letters of the cells, row by row."""
        width = self.size.columns * self.across
        for row in range(self.size.rows):
            line = lines[self.top + row * self.down]
            yield line[self.left : self.left + width : self.across]


def find_field(lines: Sequence[str], size: Size) -> FieldPlace | None:
    """Find the field of a game that has just begun on the lines of a screen."""
    fields = list(_covered_fields(lines, size))
    # The question mark after a word could pass for a small board.
    alone = (field for field in fields if not _follows_a_word(field, lines))
    return next(alone, fields[0] if fields else None)


def _covered_fields(lines: Sequence[str], size: Size) -> Iterator[FieldPlace]:
    """Find every place where a covered field of that size can be."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == COVERED])
        for number, row in enumerate(lines)
        if COVERED in row
    ]
    rows = [(number, columns) for number, columns in places if len(columns) >= size.columns]
    across = _step([b - a for _, columns in rows for a, b in pairwise(columns)])
    down = _step([below - above for (above, _), (below, _) in pairwise(rows)])
    fields = (
        FieldPlace(size, top, left, down, across) for top, columns in rows for left in columns
    )
    return (field for field in fields if _is_covered(field, lines))


def _follows_a_word(field: FieldPlace, lines: Sequence[str]) -> bool:
    return field.left > 0 and lines[field.top][field.left - 1].isalpha()


def _step(distances: list[int]) -> int:
    return Counter(distances).most_common(1)[0][0] if distances else 1


def _is_covered(field: FieldPlace, lines: Sequence[str]) -> bool:
    if field.top + (field.size.rows - 1) * field.down >= len(lines):
        return False
    return all(row == COVERED * field.size.columns for row in field.rows(lines))
