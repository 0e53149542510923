"""The looks of everything on a screen: styles, the signs of cells, and the choices of a player.

A style is a meaning, in one byte, so that the styles of a line are bytes. Signs on covered cells
have two close tones, so that each is seen as a tile; and any style can have a mark on top:
selected, one of the reasons of a hint, or its target.

A `Canvas` is the terminal that a screen is composed for, with the `Looks` that its player has
chosen; from both follow the `Symbols` to draw with.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum, auto
from typing import Any, Final, NamedTuple

from jminesweeper.core.view import CLUE, COVERED, EXPLODED, FLAGGED, MINED, QUESTIONED
from jminesweeper.protocol.packets import Pick
from jminesweeper.protocol.view import RowKind
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.view import RowView


class Style(IntEnum):
    """The meaning of a character on the screen, which a palette gives a look."""

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


class ColourDepth(IntEnum):
    """Numbers of colours that terminals show."""

    NONE = 0
    SIXTEEN = 1
    INDEXED = 2
    TRUE = 3


class Palette(Enum):
    """Sets of colours to choose from."""

    TILES = "tiles"
    CLASSIC = "classic"
    OKABE_ITO = "okabe-ito"
    MONOCHROME = "monochrome"


class Ground(Enum):
    """Dark cells or light ones, or what suits the terminal's background."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


class Covers(Enum):
    """Covered cells with a background, or with a sign in the terminal's own shades."""

    TILES = "tiles"
    SIGNS = "signs"


class Motion(Enum):
    """Movement on the screen that nothing depends on."""

    FULL = "full"
    LESS = "less"


class FlagOnNumber(Enum):
    """Effects of the key or the press that flags, on a number."""

    NOTHING = "nothing"
    AROUND = "what follows"


class Characters(Enum):
    """Characters of frames and flags."""

    UNICODE = "unicode"
    ASCII = "ascii"


class Looks(NamedTuple):
    """A player's choice of looks."""

    palette: Palette = Palette.TILES
    ground: Ground = Ground.AUTO
    cells: CellSize = CellSize.AUTO
    covers: Covers = Covers.TILES
    characters: Characters = Characters.UNICODE
    numbers: FlagOnNumber = FlagOnNumber.NOTHING
    motion: Motion = Motion.FULL


LOOKS: Final[Mapping[str, type[Enum]]] = {
    "palette": Palette,
    "ground": Ground,
    "cells": CellSize,
    "covers": Covers,
    "characters": Characters,
    "numbers": FlagOnNumber,
    "motion": Motion,
}
"""The values of each look, by the names of `Looks`."""


class Canvas(NamedTuple):
    """A terminal, and how its player wants things to look there."""

    columns: int = 80
    rows: int = 24
    colours: ColourDepth = ColourDepth.NONE
    has_unicode: bool = False
    """The terminal shows more than ASCII."""
    looks: Looks = Looks()
    background: Ground = Ground.DARK
    """The terminal's own background, if known."""

    @property
    def ground(self) -> Ground:
        """Dark cells or light ones."""
        return self.background if self.looks.ground is Ground.AUTO else self.looks.ground

    @property
    def symbols(self) -> Symbols:
        """Choose the characters: tiles where the colours suffice and a frame can be drawn."""
        if not (self.has_unicode and self.looks.characters is Characters.UNICODE):
            return ASCII
        has_colours = self.colours >= ColourDepth.INDEXED
        is_coloured = has_colours and self.looks.palette is not Palette.MONOCHROME
        return TILES if is_coloured and self.looks.covers is Covers.TILES else UNICODE

    @property
    def has_tiles(self) -> bool:
        return self.symbols.has_tiles


_PREFIX: Final = "looks."
_LABELS: Final = {
    "palette": ("Colours", "The colours of cells, flags and numbers."),
    "ground": ("Cells", "Dark or light cells; auto: as the terminal's background."),
    "cells": ("Cell size", "Columns and rows of a cell; auto: as many as fit."),
    "covers": ("Covered cells", "Coloured tiles, or signs in the terminal's own colours."),
    "characters": ("Characters", "ASCII helps where frames or flags look wrong."),
    "motion": ("Motion", "Less: a win is told without a second of light on the board."),
    "numbers": ("Flag on a number", "Flags all around it that must be mines, by key and mouse."),
}


def look_rows(looks: Looks) -> list[RowView]:
    """Return the rows, under a heading of their own."""
    rows = [RowView("looks", kind=RowKind.HEADING, label="This terminal")]
    for name, values in LOOKS.items():
        label, explanation = _LABELS[name]
        choices = tuple(value.value for value in values)
        now = getattr(looks, name).value
        rows.append(RowView(_PREFIX + name, RowKind.CHOICE, label, now, choices, help=explanation))
    return rows


def is_look(pick: Pick) -> bool:
    """Return True if a choice is nobody else's business."""
    return pick.row.startswith(_PREFIX)


def with_look(looks: Looks, pick: Pick) -> Looks:
    """Return looks with one of them as it was chosen."""
    name = pick.row.removeprefix(_PREFIX)
    chosen: dict[str, Any] = {name: LOOKS[name](pick.value)}
    return looks._replace(**chosen)
