"""The characters of version 2 screens, with Unicode and without.

All of them are one column wide in every terminal's tables but those of the frame, which are
ambiguous there and narrow wherever a player has not chosen otherwise; the ASCII set is for those.
"""

from __future__ import annotations

from codecs import charmap_decode
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from jminesweeper.core import Status
from jminesweeper.screen.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.screen.lines import Line
from jminesweeper.screen.styles import Style, shows_on_blanks

_MINE, _FLAGGED_MINE, _FATAL, _WRONG_FLAG = "B#*X"


@dataclass(frozen=True, slots=True)
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
    """One face: its character, the one in the second column, the one where there is no second."""

    first: str
    second: str
    narrow: str
    style: Style


class Stage(Enum):
    """How far a game has come, as far as its cells look different then."""

    PLAYING = "playing"
    WON = "won"
    ENDED = "ended"

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
    if not 1 <= clue <= 8:
        return CellLook(symbols.zero, " ", symbols.zero, Style.ZERO)
    return CellLook(str(clue), " ", str(clue), Style(clue))


class CellTables(NamedTuple):
    """The looks of all faces, ready to translate rows of faces by."""

    firsts: str
    seconds: str
    narrows: str
    styles: bytes
    second_styles: bytes

    def wide_row(self, faces: bytes) -> Line:
        """Write a row of cells, two columns each, after a blank column."""
        text = [" "] * (2 * len(faces) + 1)
        text[1::2] = charmap_decode(faces, "strict", self.firsts)[0]
        text[2::2] = charmap_decode(faces, "strict", self.seconds)[0]
        styles = bytearray(len(text))
        styles[1::2] = faces.translate(self.styles)
        styles[2::2] = faces.translate(self.second_styles)
        return Line("".join(text), bytes(styles))

    def narrow_row(self, faces: bytes) -> Line:
        """Write a row of cells, one column each."""
        text = charmap_decode(faces, "strict", self.narrows)[0]
        return Line(text, faces.translate(self.styles))


@cache
def cell_tables(symbols: Symbols, stage: Stage) -> CellTables:
    """Make the tables of a set of characters."""
    looks = [look_of(face, symbols, stage) for face in range(256)]
    return CellTables(
        "".join(look.first for look in looks),
        "".join(look.second for look in looks),
        "".join(look.narrow for look in looks),
        bytes(look.style for look in looks),
        bytes(map(_second_style, looks)),
    )


def _second_style(look: CellLook) -> int:
    """Let a blank go on in the style of its cell, so that a row has few changes of style."""
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
