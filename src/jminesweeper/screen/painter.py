"""Screens of version 2: a model in, what changed on the terminal out."""

from __future__ import annotations

from typing import NamedTuple

from jminesweeper.core import Cell
from jminesweeper.screen.ansi import ERASE_BELOW
from jminesweeper.screen.classic import paint_lines
from jminesweeper.screen.models import ScreenModel, Taste, Terminal
from jminesweeper.screen.plain import format_plain


class Patch(NamedTuple):
    """What a client needs to bring its screen up to date."""

    is_full: bool
    cursor_shown: bool
    cursor_marked: bool
    clock_runs: bool
    is_busy: bool
    cursor_row: int
    cursor_column: int
    text: bytes


class AnsiPainter:
    """Paints one terminal, and remembers what it shows."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._terminal = terminal
        self._taste = taste

    def paint(self, model: ScreenModel) -> Patch:
        """Return what brings the terminal from the last screen to this one."""
        text = paint_lines(format_plain(model).splitlines()) + ERASE_BELOW
        return Patch(True, False, False, False, False, 0, 0, text)

    def resize(self, terminal: Terminal) -> None:
        """Paint for another terminal from now on."""
        self._terminal = terminal

    def dress(self, taste: Taste) -> None:
        """Paint to another taste from now on."""
        self._taste = taste

    def forget(self) -> None:
        """Paint everything next time: nobody knows what the terminal shows."""

    def locate(self, column: int, row: int) -> Cell | int | None:
        """Find what is painted there: a cell of the field, an item of a menu, or nothing."""
        return None
