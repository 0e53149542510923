"""A player's view as something to look at: ANSI frames, patches and plain text.

It never sees more than a view, decides nothing about the game, and writes nowhere.
"""

from jminesweeper.screen.classic import ClassicField, ClassicFrame, paint_lines, paint_page

__all__ = ["ClassicField", "ClassicFrame", "paint_lines", "paint_page"]
