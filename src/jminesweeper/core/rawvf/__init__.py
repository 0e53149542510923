"""Games in RAWVF, the text format in which Minesweeper programs exchange videos of games.

::

    RawVF_Version: Rev7
    Width: 3
    ...
    Board:
    *00
    00*
    Events:
    0.000 start
    0.000 lc 2 1 (24 8)
    0.000 lr 2 1 (24 8)

It tells of a board and of mouse buttons over it and never of more: a game is written as if actions
that were taken back had not been done, and without its hints.
"""

from jminesweeper.core.rawvf.reading import Warn, ignore_doubt, parse_rawvf
from jminesweeper.core.rawvf.writing import format_rawvf, without_undone

__all__ = ["Warn", "format_rawvf", "ignore_doubt", "parse_rawvf", "without_undone"]
