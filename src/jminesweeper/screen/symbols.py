"""The characters and styles of version 2's cells and frames, with Unicode and without.

All terminals agree that these characters are one column wide, except those of the frame, which some
terminals can be set to show wide: the ASCII set is for them.
"""

from __future__ import annotations

from codecs import charmap_decode
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from jminesweeper.core import Status
from jminesweeper.screen.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED, QUESTIONED
from jminesweeper.screen.styles import Style, shows_on_blanks

_MINE, _FLAGGED_MINE, _FATAL, _WRONG_FLAG = "B#*X"
_QUESTION = "?"
_HIGHEST_CLUE: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class Symbols:
    """One set of characters."""

    covered: str
    zero: str
    flag: str
    horizontal: str
    vertical: str
    corners: tuple[str, str, str, str]
    """Top left, top right, bottom left, bottom right."""
    done: str
    """The horizontal line of the frame where the board is solved."""
    up: str
    down: str
    left: str
    right: str


UNICODE: Final = Symbols("░", "∙", "⚑", "─", "│", ("╭", "╮", "╰", "╯"), "━", "▴", "▾", "◂", "▸")
ASCII: Final = Symbols("?", ".", "F", "-", "|", ("+", "+", "+", "+"), "=", "^", "v", "<", ">")


class CellLook(NamedTuple):
    """How a face looks: in two columns, in one, and its style."""

    first: str
    second: str
    narrow: str
    style: Style


class Stage(Enum):
    """The stages of a game in which its cells look different."""

    PLAYING = "playing"
    WON = "won"
    ENDED = "ended"

    __hash__ = object.__hash__

    @staticmethod
    def of(status: Status) -> Stage:
        return _STAGES.get(status, Stage.ENDED)


_STAGES: Final = {Status.ONGOING: Stage.PLAYING, Status.WON: Stage.WON}


def look_of(face: int, symbols: Symbols, stage: Stage) -> CellLook:
    """Say what a face looks like."""
    if stage is Stage.PLAYING:
        return _look_before(face, symbols)
    if stage is Stage.WON and face & FLAGGED:
        # No flag is wrong when a game is won, so none needs an explanation.
        return CellLook(symbols.flag, " ", symbols.flag, Style.FLAG)
    return _look_after(face, symbols)


def _look_before(face: int, symbols: Symbols) -> CellLook:
    match bool(face & COVERED), bool(face & FLAGGED), bool(face & MINED):
        case True, True, True:
            return CellLook(symbols.flag, _MINE, _FLAGGED_MINE, Style.FLAG)
        case True, True, False:
            return CellLook(symbols.flag, " ", symbols.flag, Style.FLAG)
        case True, False, True:
            return CellLook(symbols.covered, _MINE, _MINE, Style.MINE)
        case True, False, False if face & CLUE == QUESTIONED:
            return CellLook(_QUESTION, " ", _QUESTION, Style.FLAG)
        case True, False, False:
            return CellLook(symbols.covered, " ", symbols.covered, Style.COVERED)
        case _:
            return _opened(face, symbols)


def _look_after(face: int, symbols: Symbols) -> CellLook:
    match bool(face & FLAGGED), bool(face & MINED):
        case _ if face & EXPLODED:
            return CellLook(_MINE, "*", _FATAL, Style.FATAL)
        case True, True:
            return CellLook(_MINE, symbols.flag, _FLAGGED_MINE, Style.FLAG)
        case False, True:
            return CellLook(_MINE, " ", _MINE, Style.MINE)
        case True, False:
            digit = _opened(face, symbols).first
            return CellLook(digit, symbols.flag, _WRONG_FLAG, Style.WRONG_FLAG)
        case _:
            opened = _opened(face, symbols)
            return opened._replace(style=Style.UNOPENED) if face & COVERED else opened


def _opened(face: int, symbols: Symbols) -> CellLook:
    clue = face & CLUE
    if not 1 <= clue <= _HIGHEST_CLUE:
        return CellLook(symbols.zero, " ", symbols.zero, Style.ZERO)
    return CellLook(str(clue), " ", str(clue), Style(clue))


@dataclass(frozen=True, slots=True, eq=False)
class CellTables:
    """The looks of all faces, ready to translate rows of faces by.

    A code stands for a character and its style. The code of a cell's only or first column is the
    cell's face; the codes of second columns are numbers that no face has.
    """

    is_wide: bool
    characters: str
    """By code."""
    styles: bytes
    """By code."""
    seconds: bytes
    """The codes of second columns, by face."""

    def row(self, faces: bytes) -> tuple[str, bytes]:
        """Write a row of cells: characters and styles, two columns each after a blank, or one."""
        if not self.is_wide:
            codes = faces
        else:
            both = bytearray((_BLANK_CODE,)) * (2 * len(faces) + 1)
            both[1::2] = faces
            both[2::2] = faces.translate(self.seconds)
            codes = bytes(both)
        return charmap_decode(codes, "strict", self.characters)[0], codes.translate(self.styles)


_SPARE_CODES: Final = tuple(code for code in range(256) if _HIGHEST_CLUE < code & CLUE < QUESTIONED)
_BLANK_CODE: Final = _SPARE_CODES[0]


@cache
def cell_tables(symbols: Symbols, stage: Stage, *, is_wide: bool) -> CellTables:
    """Make the tables of a set of characters, for cells of two columns or one."""
    looks = [look_of(face, symbols, stage) for face in range(256)]
    characters = [look.first if is_wide else look.narrow for look in looks]
    styles = bytearray(look.style for look in looks)
    seconds = [(look.second, _second_style(look)) for look in looks]
    blank = (" ", int(Style.PLAIN))
    codes = dict(zip(dict.fromkeys((blank, *seconds)), _SPARE_CODES, strict=False))
    for (character, style), code in codes.items():
        characters[code], styles[code] = character, style
    second_codes = bytes(codes[second] for second in seconds)
    return CellTables(is_wide, "".join(characters), bytes(styles), second_codes)


def _second_style(look: CellLook) -> int:
    """Continue a cell's style on its blank, so that a row has few changes of style."""
    return Style.PLAIN if look.second == " " and shows_on_blanks(look.style) else look.style


def legend_of(symbols: Symbols, *, is_wide: bool) -> list[tuple[str, str, Style]]:
    """Explain the signs of a lost field: each with its name and its style."""
    looks = ((look_of(face, symbols, Stage.ENDED), name) for face, name in _LEGEND)
    return [
        ((look.first + look.second).strip() if is_wide else look.narrow, name, look.style)
        for look, name in looks
    ]


_LEGEND: Final = (
    (MINED, "mine"),
    (FLAGGED | MINED, "flagged mine"),
    (FLAGGED | 2, "wrong flag"),
    (MINED | EXPLODED, "stepped on"),
)
