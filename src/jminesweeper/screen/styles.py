"""What parts of a screen mean, and how each meaning looks in every palette and depth of colour.

A style is a small number, so that the styles of a line are bytes. Any style can have two marks on
top: selected, and hinted at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from jminesweeper.screen.ansi import select_style
from jminesweeper.screen.models import ColourDepth, Palette

SELECTED: Final = 0x40
HINTED: Final = 0x80
_ON_TOP: Final[Mapping[int, str]] = {SELECTED: "7", HINTED: "1;4"}
_BASE = 0x3F


class Style(IntEnum):
    """The meanings, without the marks on top."""

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
    """What is read only once: what a key does, a note."""
    GOOD = 21
    BAD = 22
    WARNING = 23
    CHOSEN = 24
    DISABLED = 25


_UNCOLOURED: Final[Mapping[Style, str]] = {
    Style.ZERO: "2",
    Style.COVERED: "2",
    Style.UNOPENED: "2",
    Style.FLAG: "1",
    Style.MINE: "1",
    Style.FATAL: "1;7",
    Style.WRONG_FLAG: "7",
    Style.TITLE: "1",
    Style.FRAME: "2",
    Style.DONE: "1",
    Style.KEY: "1",
    Style.GOOD: "1",
    Style.BAD: "1",
    Style.WARNING: "1",
    Style.CHOSEN: "7",
    Style.DISABLED: "2",
}
"""Attributes without colours; a style that has no colour in a palette keeps them."""


def _clues(*colours: str) -> Mapping[Style, str]:
    return {Style(number): colour for number, colour in enumerate(colours, 1)}


def _indexed(number: int) -> str:
    return f"38;5;{number}"


def _true(rgb: int) -> str:
    return f"38;2;{rgb >> 16};{rgb >> 8 & 255};{rgb & 255}"


# Bright black is the background of some themes and bright white that of others, so what recedes
# is faint and the eight is bold.
_SIXTEEN: Final[Mapping[Style, str]] = {
    **_clues("94", "32", "33", "35", "93", "36", "91", "1"),
    Style.FLAG: "1;33",
    Style.MINE: "31",
    Style.FATAL: "1;7;31",
    Style.WRONG_FLAG: "7;31",
    Style.DONE: "36",
    Style.GOOD: "1;32",
    Style.BAD: "1;31",
    Style.WARNING: "33",
}
# Chosen for people with any kind of colour vision, on black; see docs/playing.md.
_INDEXED: Final[Mapping[Style, str]] = {
    **_clues(*map(_indexed, (39, 36, 208, 175, 228, 33, 166, 255))),
    Style.ZERO: _indexed(240),
    Style.COVERED: _indexed(244),
    Style.UNOPENED: _indexed(245),
    Style.FLAG: "1;" + _indexed(220),
    Style.MINE: _indexed(203),
    Style.FATAL: "1;7;" + _indexed(203),
    Style.WRONG_FLAG: "7;" + _indexed(203),
    Style.FRAME: _indexed(240),
    Style.DONE: _indexed(37),
    Style.ASIDE: _indexed(245),
    Style.GOOD: "1;" + _indexed(78),
    Style.BAD: "1;" + _indexed(203),
    Style.WARNING: _indexed(215),
    Style.DISABLED: _indexed(242),
}
# What changes often keeps its number among the 256 colours, which takes fewer bytes.
_TRUE: Final[Mapping[Style, str]] = {
    **_INDEXED,
    **_clues(
        *map(
            _true,
            (0x58B4FF, 0x35B58D, 0xFF8F3F, 0xD78FBB, 0xF5E58C, 0x4A94FF, 0xE2703A, 0xF0F0F0),
        )
    ),
    Style.FLAG: "1;" + _true(0xFFD24A),
    Style.MINE: _true(0xFF6B66),
    Style.FATAL: "1;7;" + _true(0xFF6B66),
    Style.WRONG_FLAG: "7;" + _true(0xFF6B66),
    Style.GOOD: "1;" + _true(0x62D08A),
    Style.BAD: "1;" + _true(0xFF6B66),
    Style.WARNING: _true(0xFFB866),
}
# Okabe and Ito's eight colours; their blue is too dark on black, so it is lighter here.
_OKABE_ITO_INDEXED: Final[Mapping[Style, str]] = {
    **_INDEXED,
    **_clues(*map(_indexed, (74, 36, 208, 175, 227, 33, 214, 255))),
    Style.FLAG: "1;" + _indexed(227),
    Style.MINE: _indexed(208),
    Style.FATAL: "1;7;" + _indexed(208),
    Style.WRONG_FLAG: "7;" + _indexed(208),
    Style.DONE: _indexed(74),
    Style.GOOD: "1;" + _indexed(36),
    Style.BAD: "1;" + _indexed(208),
    Style.WARNING: _indexed(214),
}
_OKABE_ITO_TRUE: Final[Mapping[Style, str]] = {
    **_TRUE,
    **_clues(
        *map(
            _true,
            (0x56B4E9, 0x00A87B, 0xE8701A, 0xCC79A7, 0xF0E442, 0x3A96D8, 0xE69F00, 0xF0F0F0),
        )
    ),
    Style.FLAG: "1;" + _true(0xF0E442),
    Style.MINE: _true(0xE8701A),
    Style.FATAL: "1;7;" + _true(0xE8701A),
    Style.WRONG_FLAG: "7;" + _true(0xE8701A),
    Style.DONE: _indexed(74),
    Style.GOOD: "1;" + _true(0x00A87B),
    Style.BAD: "1;" + _true(0xE8701A),
    Style.WARNING: _true(0xE69F00),
}
_PALETTES: Final[Mapping[tuple[Palette, ColourDepth], Mapping[Style, str]]] = {
    (Palette.DEFAULT, ColourDepth.SIXTEEN): _SIXTEEN,
    (Palette.DEFAULT, ColourDepth.INDEXED): _INDEXED,
    (Palette.DEFAULT, ColourDepth.TRUE): _TRUE,
    (Palette.OKABE_ITO, ColourDepth.SIXTEEN): _SIXTEEN,
    (Palette.OKABE_ITO, ColourDepth.INDEXED): _OKABE_ITO_INDEXED,
    (Palette.OKABE_ITO, ColourDepth.TRUE): _OKABE_ITO_TRUE,
}


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """How every style looks on one kind of terminal."""

    sequences: tuple[bytes, ...]
    """By style, what switches to it whatever was on before."""


@cache
def theme(palette: Palette, depth: ColourDepth) -> Theme:
    """Make the sequences of all styles, with and without marks on top."""
    looks = {**_UNCOLOURED, **_PALETTES.get((palette, depth), {})}
    return Theme(tuple(select_style(_parameters(looks, number)) for number in range(256)))


def shows_on_blanks(style: int) -> bool:
    """Whether a blank in that style looks other than a plain one."""
    return style & ~_BASE != 0 or style in _REVERSED


_REVERSED: Final = frozenset({Style.FATAL, Style.WRONG_FLAG, Style.CHOSEN})


def _parameters(looks: Mapping[Style, str], number: int) -> str:
    base = number & _BASE
    own = looks.get(Style(base), "") if base < len(Style) else ""
    on_top = [parameters for bit, parameters in _ON_TOP.items() if number & bit]
    return ";".join(filter(None, [*on_top, own]))
