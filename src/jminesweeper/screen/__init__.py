"""A player's view as something to look at: ANSI frames, patches and plain text.

It never sees more than a view, decides nothing about the game, and writes nowhere.
"""

from jminesweeper.screen.cells import CellsPainter, harmless, read_faces
from jminesweeper.screen.classic import ClassicFrame, paint_page, untouched_frame
from jminesweeper.screen.models import (
    CellSize,
    ColourDepth,
    GameScreen,
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    Odds,
    PageScreen,
    Palette,
    ScreenModel,
    Taste,
    Terminal,
    TimeLine,
    Tone,
    Typing,
)
from jminesweeper.screen.painter import AnsiPainter, Patch
from jminesweeper.screen.plain import (
    STATUSES,
    WIDEST,
    format_lines,
    format_plain,
    parse_plain_entries,
    parse_plain_field,
)
from jminesweeper.screen.replayed import caption, format_tenths, time_line
from jminesweeper.screen.text import format_clock, wrapped

__all__ = [
    "STATUSES",
    "WIDEST",
    "AnsiPainter",
    "CellSize",
    "CellsPainter",
    "ClassicFrame",
    "ColourDepth",
    "GameScreen",
    "Listing",
    "MenuItem",
    "MenuScreen",
    "Message",
    "Odds",
    "PageScreen",
    "Palette",
    "Patch",
    "ScreenModel",
    "Taste",
    "Terminal",
    "TimeLine",
    "Tone",
    "Typing",
    "caption",
    "format_clock",
    "format_lines",
    "format_plain",
    "format_tenths",
    "harmless",
    "paint_page",
    "parse_plain_entries",
    "parse_plain_field",
    "read_faces",
    "time_line",
    "untouched_frame",
    "wrapped",
]
