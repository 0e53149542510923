"""The actions of a player, and the log of a game.

The log is the game: with the setup it gives every later state. An entry is one unsigned 64-bit
number, ``author << 60 | at_ms << 20 | kind << 16 | cell index``, so that a thousand actions are
eight kilobytes. The author is 0 where one person plays alone.
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Grid

MAX_AT_MS = (1 << 40) - 1
MAX_AUTHOR = 0xF

_AUTHOR_SHIFT = 60
_AT_SHIFT = 20
_KIND_SHIFT = 16
_KIND_MASK = 0xF
_INDEX_MASK = 0xFFFF


class ActionKind(IntEnum):
    """The kinds of action, by their numbers in logs."""

    REVEAL = 1
    FLAG = 2
    CHORD = 3
    UNDO = 4
    HINT = 5
    DEBUG = 6
    TERMINATE = 7
    QUESTION = 8
    """Put a question mark in place of a flag, or take it away."""


ON_A_CELL = frozenset({ActionKind.REVEAL, ActionKind.FLAG, ActionKind.CHORD, ActionKind.QUESTION})


class Action(NamedTuple):
    """One thing done: to a cell, or to the whole game."""

    kind: ActionKind
    cell: Cell | None = None


class LoggedAction(NamedTuple):
    """An action, when it was done, in milliseconds of play, and by whom."""

    at_ms: int
    action: Action
    author: int = 0


def pack_entry(at_ms: int, kind: int, index: int, author: int = 0) -> int:
    return author << _AUTHOR_SHIFT | at_ms << _AT_SHIFT | kind << _KIND_SHIFT | index


def unpack_entry(entry: int) -> tuple[int, int, int, int]:
    """Return time, kind, cell index and author of an entry."""
    return (
        entry >> _AT_SHIFT & MAX_AT_MS,
        entry >> _KIND_SHIFT & _KIND_MASK,
        entry & _INDEX_MASK,
        entry >> _AUTHOR_SHIFT,
    )


def pack_entries(entries: Sequence[int]) -> bytes:
    """Encode entries as bytes: eight each, little-endian on every machine."""
    return struct.pack(f"<{len(entries)}Q", *entries)


def unpack_entries(packed: bytes) -> array[int]:
    return array("Q", struct.unpack(f"<{len(packed) // 8}Q", packed))


class Log:
    """The actions of one game, in order. It only grows."""

    __slots__ = ("_grid", "entries")

    def __init__(self, grid: Grid, entries: Iterable[int] = ()) -> None:
        self._grid = grid
        self.entries = array("Q", entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[LoggedAction]:
        return map(self._read, self.entries)

    def __getitem__(self, number: int) -> LoggedAction:
        return self._read(self.entries[number])

    def count_kinds(self) -> Counter[int]:
        """Count the actions of each kind."""
        return Counter(entry >> _KIND_SHIFT & _KIND_MASK for entry in self.entries)

    def __repr__(self) -> str:
        return f"<Log of {len(self)} actions>"

    def _read(self, entry: int) -> LoggedAction:
        at_ms, number, index, author = unpack_entry(entry)
        try:
            kind = ActionKind(number)
        except ValueError:
            raise ActionError(f"a log has no action of kind {number}") from None
        cell = self._grid.cell(index) if kind in ON_A_CELL else None
        return LoggedAction(at_ms, Action(kind, cell), author)
