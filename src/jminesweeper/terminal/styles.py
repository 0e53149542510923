"""The meanings of the parts of a screen.

A style is a byte, so that the styles of a line are bytes. What is on a covered cell has two close
tones, so that each is seen as a tile; and any style can have a mark on top: selected, one of the
reasons of a hint, or its target.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


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
    WAITING_FLAG = 14
    """A flag that the server has not confirmed."""
    FATAL = 15
    WRONG_FLAG = 16
    TITLE = 17
    FRAME = 18
    DONE = 19
    """The part of the frame that shows how much of the board is solved."""
    KEY = 20
    ASIDE = 21
    """Text that is read only once: what a key does, a note."""
    GOOD = 22
    BAD = 23
    WARNING = 24
    CHOSEN = 25
    DISABLED = 26
    MARK = 27
    """The marks around the cursor."""
    HEAT_SAFE = 28
    HEAT_LOW = 29
    HEAT_SOME = 30
    HEAT_HALF = 31
    # From here on numbers that no second tone has.
    HEAT_HIGH = 48
    HEAT_MINE = 49
    ITEM = 50
    """What is inside a panel: rows of menus, lines of pages."""
    HEADING = 51
    LEFT = 52
    """What is left to do of a block of cells in the overview."""
    HERE = 53
    """The same, in the part that the window shows."""


SEATS: Final[tuple[int, ...]] = (*range(54, 64), *range(33, 38))
"""The styles of people's initials, by the colour of their seat."""
_TONED: Final = 0x20
_LOOK: Final = 0x3F
_MARKS: Final = 0xC0
SELECTED: Final = 0x40
REASON: Final = 0x80
TARGET: Final = 0xC0
"""The marks on top: at most one of them."""

CLUES: Final = tuple(Style(number) for number in range(1, 9))
OPENED: Final = (*CLUES, Style.ZERO)
ON_TILES: Final = frozenset(
    {Style.COVERED, Style.UNOPENED, Style.FLAG, Style.MINE, Style.WAITING_FLAG}
)
"""The styles of covered cells, which have two tones."""
REVERSED: Final = frozenset({Style.FATAL, Style.WRONG_FLAG, Style.CHOSEN})
"""What stands out without a colour."""
HEAT: Final = (Style.HEAT_LOW, Style.HEAT_SOME, Style.HEAT_HALF, Style.HEAT_HIGH)
"""The chance of a mine, in steps; what is certain has styles of its own."""


def style_of_seat(colour: int) -> int:
    """Return the style of somebody's initial."""
    return SEATS[colour % len(SEATS)]


def in_other_tone(style: int) -> int:
    """Return a style for the second tone of tiles."""
    return style | _TONED if style in ON_TILES else style


COVERED_TONES: Final = (Style.COVERED, in_other_tone(Style.COVERED))


def look_of(style: int) -> int:
    """Return a style in its tone, without a mark on top."""
    return style & _LOOK


def base_of(style: int) -> int:
    """Return the meaning alone."""
    look = style & _LOOK
    return look & ~_TONED if look & ~_TONED in ON_TILES else look


def mark_of(style: int) -> int:
    """Return the mark on top, or 0."""
    return style & _MARKS
