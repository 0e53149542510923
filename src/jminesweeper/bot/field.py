"""Finding the field on a screen of any server, and reading it.

At the start of a game every cell is a `?`. Wherever a server paints its field, and however far
apart its cells are, they form a grid of equal steps, and it is the only one of that size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from jminesweeper.bot.playing import BotError
from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.core import Grid, PlayerView, Size, Status, parse_position

COVERED = "?"
_MARK = re.compile("[^?.1-8]")

RowSets: TypeAlias = tuple[int, int, int, int, int, int]
"""Visible cells, flagged cells, and the four planes of the clues."""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where each cell of a board is on a screen."""

    size: Size
    top: int
    left: int
    down: int
    across: int

    def rows(self, screen: CharacterScreen) -> Iterator[str]:
        """Return the letters of the cells, row by row."""
        width = self.size.columns * self.across
        for row in range(self.size.rows):
            line = screen.rows[self.top + row * self.down]
            yield line[self.left : self.left + width : self.across]


class FieldReader:
    """Reads a field again and again; only rows that changed cost anything."""

    def __init__(self, field: FieldPlace, mine_count: int) -> None:
        self._field = field
        self._mine_count = mine_count
        self._rows = [COVERED * field.size.columns] * field.size.rows
        self._sets = [0] * 6

    def read(self, screen: CharacterScreen) -> PlayerView:
        """Return what is visible; a character that no cell can show counts as a mark."""
        size = self._field.size
        stride = Grid.of(size).stride
        for number, row in enumerate(self._field.rows(screen)):
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


def find_field(screen: CharacterScreen, size: Size) -> FieldPlace:
    """Find the field of a game that has just begun."""
    fields = list(_covered_fields(screen, size))
    if not fields:
        raise BotError(f"The first screen shows no field of {size} covered cells.")
    # The question mark after a word could be taken for a small board.
    return next((field for field in fields if not _follows_a_word(field, screen)), fields[0])


def _covered_fields(screen: CharacterScreen, size: Size) -> Iterator[FieldPlace]:
    """Find every place where a covered field of that size can be."""
    places = [
        (number, [column for column, letter in enumerate(row) if letter == COVERED])
        for number, row in enumerate(screen.rows)
    ]
    rows = [(number, columns) for number, columns in places if len(columns) >= size.columns]
    across = _step([b - a for _, columns in rows for a, b in pairwise(columns)])
    down = _step([below - above for (above, _), (below, _) in pairwise(rows)])
    fields = (
        FieldPlace(size, top, left, down, across) for top, columns in rows for left in columns
    )
    return (field for field in fields if _is_covered(field, screen))


def _follows_a_word(field: FieldPlace, screen: CharacterScreen) -> bool:
    return field.left > 0 and screen.rows[field.top][field.left - 1].isalpha()


@lru_cache(maxsize=1024)
def _read_row(row: str) -> RowSets:
    view = parse_position(_MARK.sub("F", row), 1, Status.ONGOING)
    return view.visible, view.flagged, *view.clue_planes


def _step(distances: list[int]) -> int:
    return Counter(distances).most_common(1)[0][0] if distances else 1


def _is_covered(field: FieldPlace, screen: CharacterScreen) -> bool:
    if field.top + (field.size.rows - 1) * field.down >= len(screen.rows):
        return False
    return all(row == COVERED * field.size.columns for row in field.rows(screen))
