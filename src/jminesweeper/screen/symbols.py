"""The characters and styles of version 2's cells and frames.

All terminals agree that these characters are one column wide, except the dot and those of the
frame, which some terminals can be set to show wide: the ASCII set is for them. On tiles a
background shows what is covered. Where a cell has one column for everything, a letter replaces
the number under a wrong flag: a for 1, b for 2.
"""

from __future__ import annotations

from codecs import charmap_decode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from jminesweeper.core.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED, QUESTIONED
from jminesweeper.core.view import Status
from jminesweeper.frames.frame import wrong_flag_of
from jminesweeper.screen.shapes import CellShape
from jminesweeper.screen.styles import REVERSED, Style, in_other_tone

_MINE, _FLAGGED_MINE, _FATAL, _QUESTION = "B@*?"
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

    @property
    def margin_style(self) -> Style:
        """Of the columns beside the cells: among tiles they are opened ground."""
        return Style.ZERO if self is TILES else Style.PLAIN


UNICODE: Final = Symbols("░", "·", "⚑", "─", "│", ("╭", "╮", "╰", "╯"), "━", "▴", "▾", "◂", "▸")
TILES: Final = replace(UNICODE, covered=" ")
ASCII: Final = Symbols("#", ".", "F", "-", "|", ("+", "+", "+", "+"), "=", "^", "v", "<", ">")


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
            return CellLook(digit, symbols.flag, wrong_flag_of(face), Style.WRONG_FLAG)
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

    A code means a character and its style. The code of the first character of a sign is the
    cell's face; all other codes are numbers that no face has.
    """

    shape: CellShape
    characters: str
    """By code."""
    styles: bytes
    """By code."""
    columns: Sequence[bytes | None]
    """For each column of a cell its codes by face, or None where they are the faces."""
    margin_style: int
    is_toned: bool
    """Whether every other cell has the second tone."""

    def cells(self, faces: bytes, tone: int = 0) -> tuple[str, bytes]:
        """Write cells side by side: characters and styles.

        The tone is that of the first cell, 0 or 1.
        """
        width = self.shape.columns
        codes = bytearray(width * len(faces))
        for column, table in enumerate(self.columns):
            codes[column::width] = faces if table is None else faces.translate(table)
        styles = codes.translate(self.styles)
        if self.is_toned:
            for column in range(width * (1 - tone), width * (2 - tone)):
                places = slice(column, None, 2 * width)
                styles[places] = styles[places].translate(_OTHER_TONE)
        return charmap_decode(codes, "strict", self.characters)[0], bytes(styles)

    def row(self, faces: bytes, tone: int = 0) -> tuple[str, bytes]:
        """Write a line of cells with its margins."""
        text, styles = self.cells(faces, tone)
        left, right = self.shape.left_margin, self.shape.right_margin
        margin = bytes((self.margin_style,))
        return " " * left + text + " " * right, margin * left + styles + margin * right

    def cell(self, face: int, tone: int) -> tuple[str, bytes]:
        """Write a single cell."""
        return self.cells(bytes((face,)), tone)


_SPARE_CODES: Final = tuple(code for code in range(256) if _HIGHEST_CLUE < code & CLUE < QUESTIONED)
_OTHER_TONE: Final = bytes(map(in_other_tone, range(256)))


@cache
def cell_tables(
    symbols: Symbols, stage: Stage, shape: CellShape, *, has_signs: bool = True
) -> CellTables:
    """Make the tables for one line of cells: the one with the signs, or another."""
    has_tiles = symbols is TILES
    looks = [look_of(face, symbols, stage) for face in range(256)]
    characters = [look.first if shape.is_wide else look.narrow for look in looks]
    styles = bytearray(look.style for look in looks)
    seconds = [(look.second, _style_beside(look, look.second, symbols)) for look in looks]
    blanks = [(" ", _style_beside(look, " ", symbols)) for look in looks]
    codes = dict(zip(dict.fromkeys((*seconds, *blanks)), _SPARE_CODES, strict=False))
    for (character, style), code in codes.items():
        characters[code], styles[code] = character, style
    columns: list[bytes | None] = [bytes(codes[blank] for blank in blanks)] * shape.columns
    if has_signs:
        columns[shape.sign_column] = None
        if shape.is_wide:
            columns[shape.sign_column + 1] = bytes(codes[second] for second in seconds)
    return CellTables(
        shape,
        "".join(characters),
        bytes(styles),
        columns,
        symbols.margin_style,
        is_toned=has_tiles,
    )


def _style_beside(look: CellLook, character: str, symbols: Symbols) -> int:
    """Continue a cell's style on its blanks: tiles have no holes, and styles change seldom."""
    is_hole = character == " " and look.style in REVERSED and symbols is not TILES
    return Style.PLAIN if is_hole else look.style


def legend_of(symbols: Symbols, *, is_wide: bool) -> list[tuple[str, str, Style]]:
    """Explain the signs of a lost field: each with its name and its style."""
    looks = [(look_of(face, symbols, Stage.ENDED), name) for face, name in _LEGEND]
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
