"""Reading the field on a screen of any server, again and again."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

from jminesweeper.client.character_screen import CharacterScreen
from jminesweeper.client.field_place import COVERED, FieldPlace
from jminesweeper.core import Grid, PlayerView, Status, parse_position

_MARK = re.compile("[^?.1-8]")

RowSets: TypeAlias = tuple[int, int, int, int, int, int]
"""Visible cells, flagged cells, and the four planes of the clues."""


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
        for number, row in enumerate(self._field.rows(screen.rows)):
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


@lru_cache(maxsize=1024)
def _read_row(row: str) -> RowSets:
    view = parse_position(_MARK.sub("F", row), 1, Status.ONGOING)
    return view.visible, view.flagged, *view.clue_planes
