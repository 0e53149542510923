"""The meanings of the parts of a screen.

A style is a small number, so that the styles of a line are bytes. Any style can have two marks on
top: selected, and hinted at. Covered cells have two close tones, so that each is seen as a tile.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

TONED: Final = 0x20
SELECTED: Final = 0x40
HINTED: Final = 0x80
BASE: Final = 0x1F
"""What is left of a style without its tone and the marks on top."""


class Style(IntEnum):
    """The meanings."""

    PLAIN = 0
    CLUE_1 = 1
    CLUE_2 = 2
    CLUE_3 = 3
    CLUE_4 = 4
    CLUE_5 = 5
    CLUE_6 = 6
    CLUE_7 = 7
    CLUE_8 = 8
    ZERO = 9
    COVERED = 10
    UNOPENED = 11
    """A safe cell that the player had not opened when the game ended."""
    FLAG = 12
    MINE = 13
    FATAL = 14
    WRONG_FLAG = 15
    TITLE = 16
    FRAME = 17
    DONE = 18
    """The part of the frame that shows how much of the board is solved."""
    KEY = 19
    ASIDE = 20
    """Text that is read only once: what a key does, a note."""
    GOOD = 21
    BAD = 22
    WARNING = 23
    CHOSEN = 24
    DISABLED = 25


CLUES: Final = tuple(Style(number) for number in range(1, 9))
OPENED: Final = (*CLUES, Style.ZERO)
ON_TILES: Final = frozenset({Style.COVERED, Style.UNOPENED, Style.FLAG, Style.MINE})
"""The styles of covered cells, which have two tones."""
REVERSED: Final = frozenset({Style.FATAL, Style.WRONG_FLAG, Style.CHOSEN})
"""What stands out without a colour."""


def in_other_tone(style: int) -> int:
    """Return a style for the second tone of tiles."""
    return style | TONED if style in ON_TILES else style


UNDER_MARKS: Final = (Style.ZERO, Style.COVERED, in_other_tone(Style.COVERED))
"""Where the client's marks may be painted: every background of a running game's field."""
