"""A player's view as something to look at: ANSI frames, patches and plain text.

It never sees more than a view, decides nothing about the game, and writes nowhere.
"""

from jminesweeper.screen.classic import ClassicField, ClassicFrame, paint_lines, paint_page
from jminesweeper.screen.models import (
    CellWidth,
    ColourDepth,
    GameScreen,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Palette,
    ScreenModel,
    Taste,
    Terminal,
    Tone,
)
from jminesweeper.screen.painter import AnsiPainter, Patch
from jminesweeper.screen.plain import format_plain, parse_plain_entries, parse_plain_field

__all__ = [
    "AnsiPainter",
    "CellWidth",
    "ClassicField",
    "ClassicFrame",
    "ColourDepth",
    "GameScreen",
    "MenuItem",
    "MenuScreen",
    "Message",
    "PageScreen",
    "Palette",
    "Patch",
    "ScreenModel",
    "Taste",
    "Terminal",
    "Tone",
    "format_plain",
    "paint_lines",
    "paint_page",
    "parse_plain_entries",
    "parse_plain_field",
]
