"""What a screen is composed for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from jminesweeper.screen.layout import LARGEST_SIDE
from jminesweeper.screen.lines import Line
from jminesweeper.screen.models import CellWidth, Taste, Terminal
from jminesweeper.screen.symbols import ASCII, UNICODE, Symbols

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Canvas:
    """A terminal's size and the characters that are used on it."""

    columns: int
    rows: int
    symbols: Symbols
    cell_width: CellWidth

    @staticmethod
    def of(terminal: Terminal, taste: Taste) -> Canvas:
        has_unicode = terminal.has_unicode and taste.has_unicode
        return Canvas(
            min(max(terminal.columns, 1), LARGEST_SIDE),
            min(max(terminal.rows, 1), LARGEST_SIDE),
            UNICODE if has_unicode else ASCII,
            taste.cell_width,
        )

    @property
    def has_unicode(self) -> bool:
        return self.symbols is UNICODE


class Screen(NamedTuple):
    """A whole screen: every line of it, and the cursor."""

    lines: Sequence[Line]
    cursor_row: int = 0
    cursor_column: int = 0
    cursor_shown: bool = False
    cursor_marked: bool = False
    clock_runs: bool = False
    takes_text: bool = False


class Kept(Generic[_T]):
    """Something that is made anew only when what it is made from has changed."""

    __slots__ = ("_key", "_value")

    def __init__(self) -> None:
        self._key: object = None
        self._value: _T | None = None

    def get(self, key: tuple[object, ...], make: Callable[[], _T]) -> _T:
        value = self._value
        if value is None or key != self._key:
            self._key = key
            self._value = value = make()
        return value
