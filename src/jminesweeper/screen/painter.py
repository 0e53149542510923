"""Screens of version 2: a model in, what changed on the terminal out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from jminesweeper.core import Cell
from jminesweeper.screen.canvas import Canvas, Screen
from jminesweeper.screen.diff import paint_all, paint_changes
from jminesweeper.screen.game import GameComposer
from jminesweeper.screen.layout import FEWEST_COLUMNS, FEWEST_ROWS, is_too_small
from jminesweeper.screen.models import (
    GameScreen,
    MenuScreen,
    Message,
    PageScreen,
    ScreenModel,
    Taste,
    Terminal,
)
from jminesweeper.screen.panels import Composed, compose_menu, compose_notice, compose_page
from jminesweeper.screen.styles import theme

_TOO_SMALL: Final = Message(f"Make the window at least {FEWEST_COLUMNS}x{FEWEST_ROWS}")


class Patch(NamedTuple):
    """What a client needs to bring its screen up to date."""

    is_full: bool
    cursor_shown: bool
    cursor_marked: bool
    clock_runs: bool
    takes_text: bool
    cursor_row: int
    cursor_column: int
    text: bytes


class AnsiPainter:
    """Paints one terminal, and remembers what it shows."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._terminal = terminal
        self._taste = taste
        self._shown: Screen | None = None
        self.first_line = 0
        """From which line on the last page was shown: scrolling beyond its end stops there."""
        self._prepare()

    def paint(self, model: ScreenModel) -> Patch:
        """Return what brings the terminal from the last screen to this one."""
        screen = self._compose(model)
        shown, self._shown = self._shown, screen
        if shown is None:
            text = paint_all(screen.lines, self._theme)
        elif shown.lines is screen.lines:
            text = b""
        else:
            text = paint_changes(shown.lines, screen.lines, self._theme)
        return Patch(
            shown is None,
            screen.cursor_shown,
            screen.cursor_marked,
            screen.clock_runs,
            screen.takes_text,
            screen.cursor_row,
            screen.cursor_column,
            text,
        )

    def resize(self, terminal: Terminal) -> None:
        """Paint for another terminal from now on."""
        self._terminal = terminal
        self._prepare()

    def dress(self, taste: Taste) -> None:
        """Paint to another taste from now on."""
        self._taste = taste
        self._prepare()

    def forget(self) -> None:
        """Paint everything next time: nobody knows what the terminal shows."""
        self._shown = None

    def locate(self, column: int, row: int) -> Cell | int | None:
        """Find what is painted there: a cell of the field, an item of a menu, or nothing."""
        return self._find(column, row)

    def _prepare(self) -> None:
        self._canvas = Canvas.of(self._terminal, self._taste)
        self._theme = theme(self._taste.palette, self._terminal.colours)
        self._game = GameComposer(self._canvas)
        self._find: Callable[[int, int], Cell | int | None] = _nothing
        self.forget()

    def _compose(self, model: ScreenModel) -> Screen:
        if is_too_small(self._canvas.columns, self._canvas.rows):
            self._find = _nothing
            return compose_notice(_TOO_SMALL, self._canvas)
        match model:
            case GameScreen():
                self._find = self._game.locate
                return self._game.compose(model)
            case MenuScreen():
                return self._keep(compose_menu(model, self._canvas))
            case PageScreen():
                return self._keep(compose_page(model, self._canvas))

    def _keep(self, composed: Composed) -> Screen:
        self._find = composed.item_at
        self.first_line = composed.first_line
        return composed.screen


def _nothing(*_place: int) -> None:
    """Find nothing: there is nothing to be pointed at."""
