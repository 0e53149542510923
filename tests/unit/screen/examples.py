"""Screens and games in a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.screen.layout import Canvas
from jminesweeper.screen.models import CellSize, ColourDepth, GameScreen, Taste, Terminal
from jminesweeper.screen.painter import AnsiPainter
from jminesweeper.screen.symbols import ASCII, UNICODE
from tests.golden.terminal import PaintedTerminal
from tests.unit.core.boards import play

CANVAS = Canvas(80, 24, UNICODE, CellSize.AUTO)
ASCII_CANVAS = replace(CANVAS, symbols=ASCII)
TERMINAL = Terminal(80, 24, ColourDepth.INDEXED, has_unicode=True, keeps_tiles=True)


def screen_of(position: str | Game, cursor: tuple[int, int] = (0, 0), **more: Any) -> GameScreen:
    """Describe a position, with what is not the same in every test."""
    view = parse_position(position, 1) if isinstance(position, str) else position.view
    told: dict[str, Any] = {"label": "a game", "elapsed_ms": 0, **more}
    return GameScreen(view, Cell(*cursor), **told)


def covered(size: Size) -> Game:
    """Start a game with a mine in the corner."""
    rows = ["*" + "." * (size.columns - 1), *["." * size.columns] * (size.rows - 1)]
    return play("\n".join(rows), "classic")


class Player:
    """A painter and the terminal that it paints."""

    def __init__(self, terminal: Terminal = TERMINAL, taste: Taste | None = None) -> None:
        self.painter = AnsiPainter(terminal, taste or Taste())
        self.terminal = PaintedTerminal(terminal.columns, terminal.rows)

    def see(self, model: Any) -> list[str]:
        """Paint a screen and return its lines."""
        self.terminal.apply(self.painter.paint(model))
        return self.terminal.lines

    def find(self, text: str) -> tuple[int, int]:
        """Return the column and row where a text starts."""
        rows = self.terminal.lines
        row = next(number for number, line in enumerate(rows) if text in line)
        return rows[row].index(text), row
