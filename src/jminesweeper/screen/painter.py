"""Screens of version 2: a model goes in, what changed on the terminal comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.screen.diff import paint_all, paint_changes
from jminesweeper.screen.game import GameComposer
from jminesweeper.screen.layout import FEWEST_COLUMNS, FEWEST_ROWS, Canvas
from jminesweeper.screen.lines import BLANK, AnyLine, Screen
from jminesweeper.screen.models import (
    ColourDepth,
    GameScreen,
    MenuScreen,
    Message,
    PageScreen,
    ScreenModel,
    Taste,
    Terminal,
)
from jminesweeper.screen.panels import (
    Composed,
    compose_menu,
    compose_notice,
    compose_page,
    paint_menu,
)
from jminesweeper.screen.themes import theme

_TOO_SMALL: Final = Message(f"Make the window at least {FEWEST_COLUMNS}x{FEWEST_ROWS}")

_BYTES: Final = tuple(bytes((number,)) for number in range(256))


class Patch(NamedTuple):
    """What a client needs to update its screen."""

    is_full: bool
    cursor_shown: bool
    cursor_marked: bool
    clock_runs: bool
    takes_text: bool
    cursor_row: int
    cursor_column: int
    text: bytes
    grounds: bytes = b""
    """Before the text, for a client that marks the cursor on tiles: in a full repaint the line of
    backgrounds; for a marked cursor which of them are left and right of it, four bits each."""


class AnsiPainter:
    """Paints one terminal, and remembers what it shows."""

    def __init__(self, terminal: Terminal, taste: Taste) -> None:
        self._terminal = terminal
        self._taste = taste
        self._shown: Screen | None = None
        self._menu: Composed | None = None
        self.first_line = 0
        """The first line shown of the last page: scrolling stops at the page's end."""
        self._marked_line: AnyLine = BLANK
        self._marked_column = 0
        self._marked_grounds = b""
        self._prepare()

    def paint(self, model: ScreenModel) -> Patch:
        """Return what changes the terminal from the last screen to this one."""
        self._menu = None
        screen = self._compose(model)
        shown, self._shown = self._shown, screen
        if shown is None:
            text = self._paint_all(screen)
        elif shown.lines is screen.lines:
            text = b""
        else:
            text = paint_changes(shown.lines, screen.lines, self._theme)
        lines, row, column, is_shown, is_marked, clock_runs, takes_text = screen
        is_full, grounds = shown is None, b""
        if self._keeps_tiles:
            if is_full:
                grounds = self._theme.ground_line
            if is_marked:
                grounds += self._grounds_at(lines[row], column)
        return Patch(
            is_full, is_shown, is_marked, clock_runs, takes_text, row, column, text, grounds
        )

    def _grounds_at(self, line: AnyLine, column: int) -> bytes:
        """Return the backgrounds left and right of the cursor, which seldom moves or changes."""
        if line is not self._marked_line or column != self._marked_column:
            self._marked_line, self._marked_column = line, column
            known = self._theme.grounds
            left, right = known[line.style_at(column - 1)], known[line.style_at(column + 1)]
            self._marked_grounds = _BYTES[left << 4 | right]
        return self._marked_grounds

    def _paint_all(self, screen: Screen) -> bytes:
        if self._menu is not None:
            return paint_menu(self._menu, self._theme)
        return paint_all(screen.lines, self._theme)

    @property
    def is_windowed(self) -> bool:
        """Whether the board that was painted last is larger than the screen."""
        return self._game is not None and self._game.is_windowed

    def pan(self, columns: int, rows: int) -> None:
        """Show another part of a board that is larger than the screen."""
        if self._game is not None:
            self._game.pan(columns, rows)

    def show(self, cell: Cell) -> None:
        """Show the part around a cell of a board that is larger than the screen."""
        if self._game is not None:
            self._game.show(cell)

    def resize(self, terminal: Terminal) -> None:
        """Paint for another terminal from now on."""
        self._terminal = terminal
        self._prepare()

    def dress(self, taste: Taste) -> None:
        """Paint in another taste from now on."""
        self._taste = taste
        self._prepare()

    def forget(self) -> None:
        """Paint everything next time: what the terminal shows is unknown."""
        self._shown = None

    def locate(self, column: int, row: int) -> Cell | int | str | None:
        """Find what is painted at a place: a cell, an item of a menu, a key by its name."""
        return self._find(column, row)

    def _prepare(self) -> None:
        self._canvas = Canvas.of(self._terminal, self._taste)
        self._is_too_small = self._canvas.is_too_small
        depth = self._terminal.colours
        self._keeps_tiles = self._canvas.has_tiles and self._canvas.keeps_tiles
        if not self._canvas.has_tiles:
            # The plain look: in the terminal's own shades, which fit its background.
            depth = min(depth, ColourDepth.SIXTEEN)
        self._theme = theme(self._taste.palette, depth)
        self._game: GameComposer | None = None
        self._find: Callable[[int, int], Cell | int | str | None] = _nothing
        self.forget()

    def _compose(self, model: ScreenModel) -> Screen:
        canvas = self._canvas
        if self._is_too_small:
            self._find = _nothing
            return compose_notice(_TOO_SMALL, canvas)
        match model:
            case GameScreen():
                game, size = self._game, model.view.size
                if game is None or (game.size is not size and game.size != size):
                    self._game = game = GameComposer(canvas, size)
                self._find = game.locate
                return game.compose(model)
            case MenuScreen():
                self._menu = compose_menu(model, canvas)
                return self._take(self._menu)
            case PageScreen():
                return self._take(compose_page(model, canvas))

    def _take(self, composed: Composed) -> Screen:
        self._find = composed.locate
        self.first_line = composed.first_line
        return composed.screen


def _nothing(*_place: int) -> None:
    """Find nothing: nothing here can be clicked."""
