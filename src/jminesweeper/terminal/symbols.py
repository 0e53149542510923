"""Signs of cells, and the styles of everything on a screen.

A style is a meaning, in one byte, so that the styles of a line are bytes. Signs on covered cells
have two close tones, so that each is seen as a tile; and any style can have a mark on top:
selected, one of the reasons of a hint, or its target.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto
from typing import Final, NamedTuple

from jminesweeper.core.view import CLUE, COVERED, EXPLODED, FLAGGED, MINED, QUESTIONED


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
    """The inside of a panel: rows of menus, lines of pages."""
    HEADING = 51
    LEFT = 52
    """The part left to do of a block of cells in the overview."""
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
"""Styles that stand out without a colour."""
HEAT: Final = (Style.HEAT_LOW, Style.HEAT_SOME, Style.HEAT_HALF, Style.HEAT_HIGH)
"""The chance of a mine, in steps; what is certain has styles of its own."""


def style_of_seat(colour: int) -> int:
    """Return the style of somebody's initial."""
    return SEATS[colour % len(SEATS)]


def in_other_tone(style: int) -> int:
    """Return a style for the second tone of tiles."""
    return style | _TONED if style in ON_TILES else style


COVERED_TONES: Final = (Style.COVERED, in_other_tone(Style.COVERED))


def without_mark(style: int) -> int:
    """Return a style in its tone, without a mark on top."""
    return style & _LOOK


def base_of(style: int) -> int:
    """Return the meaning alone."""
    look = style & _LOOK
    return look & ~_TONED if look & ~_TONED in ON_TILES else look


def mark_of(style: int) -> int:
    """Return the mark on top, or 0."""
    return style & _MARKS


_MINE, _FLAGGED_MINE, _FATAL, _QUESTION = "B@*?"
_DIGITS: Final = ".12345678"
_UNDER_WRONG_FLAGS: Final = "oabcdefgh"


class Symbols(NamedTuple):
    """One set of characters."""

    covered: str
    zero: str
    flag: str
    horizontal: str
    vertical: str
    corners: str
    """Top left, top right, bottom left, bottom right."""
    done: str
    """The horizontal line of the frame where the board is solved."""
    here: str
    """The place of a replay on its line."""
    up: str
    down: str
    left: str
    right: str
    shades: str
    """Of a block of cells in the overview, the more the more is left to do."""
    has_tiles: bool = False


UNICODE: Final = Symbols(*("░", "·", "⚑", "─", "│", "╭╮╰╯", "━", "┃", "▴", "▾", "◂", "▸", "·░▒▓█"))
TILES: Final = UNICODE._replace(covered=" ", has_tiles=True)
ASCII: Final = Symbols("#", ".", "F", "-", "|", "++++", "=", "|", "^", "v", "<", ">", ".:+%#")


class BoardStage(Enum):
    """The stages of a game in which its cells look different."""

    PLAYING = auto()
    WON = auto()
    ENDED = auto()


class CellLook(NamedTuple):
    """The look of a cell: in two columns, in one, and its style."""

    first: str
    second: str
    narrow: str
    style: Style


def look_of(face: int, symbols: Symbols, stage: BoardStage) -> CellLook:
    """Say what a face looks like."""
    if stage is BoardStage.PLAYING:
        return _look_before(face, symbols)
    if stage is BoardStage.WON and face & FLAGGED:
        # No flag is wrong when a game is won, so none needs an explanation.
        return CellLook(symbols.flag, " ", symbols.flag, Style.FLAG)
    return _look_after(face, symbols)


def opened_look(clue: int, symbols: Symbols) -> CellLook:
    """Say what an opened cell looks like; no cell has the faces of more mines than it touches."""
    if not 1 <= clue < len(_DIGITS):
        return CellLook(symbols.zero, " ", symbols.zero, Style.ZERO)
    return CellLook(_DIGITS[clue], " ", _DIGITS[clue], Style(clue))


def _look_before(face: int, symbols: Symbols) -> CellLook:
    is_mined = bool(face & MINED)
    if not face & COVERED:
        # A mine in the open was hit, and did not end the game.
        hit = CellLook(_FATAL, " ", _FATAL, Style.FATAL)
        return hit if is_mined else opened_look(face & CLUE, symbols)
    if face & FLAGGED:
        beside, narrow = (_MINE, _FLAGGED_MINE) if is_mined else (" ", symbols.flag)
        return CellLook(symbols.flag, beside, narrow, Style.FLAG)
    if is_mined:
        # Not beside the sign: the cursor's mark would hide it there.
        return CellLook(_MINE, " ", _MINE, Style.MINE)
    if face & CLUE == QUESTIONED:
        return CellLook(_QUESTION, " ", _QUESTION, Style.FLAG)
    return CellLook(symbols.covered, " ", symbols.covered, Style.COVERED)


def _look_after(face: int, symbols: Symbols) -> CellLook:
    clue = face & CLUE
    match bool(face & FLAGGED), bool(face & MINED):
        case _ if face & EXPLODED:
            return CellLook(_MINE, "*", _FATAL, Style.FATAL)
        case True, True:
            return CellLook(_MINE, symbols.flag, _FLAGGED_MINE, Style.FLAG)
        case False, True:
            return CellLook(_MINE, " ", _MINE, Style.MINE)
        case True, False:
            digit = opened_look(clue, symbols).first
            narrow = _UNDER_WRONG_FLAGS[clue if clue < len(_DIGITS) else 0]
            return CellLook(digit, symbols.flag, narrow, Style.WRONG_FLAG)
        case _:
            opened = opened_look(clue, symbols)
            return opened._replace(style=Style.UNOPENED) if face & COVERED else opened


def legend_of(symbols: Symbols, *, is_wide: bool) -> list[tuple[str, str, Style]]:
    """Explain the signs of a lost field: each with its name and its style."""
    looks = [(look_of(face, symbols, BoardStage.ENDED), name) for face, name in _LEGEND]
    if is_wide:
        return [((look.first + look.second).strip(), name, look.style) for look, name in looks]
    return [
        _NARROW_LEGEND if look.style is Style.WRONG_FLAG else (look.narrow, name, look.style)
        for look, name in looks
    ]


_LEGEND: Final = (
    (MINED, "mine"),
    (FLAGGED | MINED, "flagged mine"),
    (FLAGGED | 2, "wrong flag"),
    (MINED | EXPLODED, "stepped on"),
)
_NARROW_LEGEND: Final = ("a-h", "wrong flag on 1-8", Style.WRONG_FLAG)
