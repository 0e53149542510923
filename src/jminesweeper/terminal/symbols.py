"""The characters and styles of cells and frames.

All terminals agree that these characters are one column wide, except the dot and those of the
frame, which some terminals can be set to show wide: the ASCII set is for them. On tiles a
background shows what is covered. Where a cell has one column for everything, a letter replaces
the number under a wrong flag: a for 1, b for 2.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from jminesweeper.core.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED, QUESTIONED
from jminesweeper.terminal.styles import Style

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


class Stage(Enum):
    """The stages of a game in which its cells look different."""

    PLAYING = auto()
    WON = auto()
    ENDED = auto()


class CellLook(NamedTuple):
    """How a cell looks: in two columns, in one, and its style."""

    first: str
    second: str
    narrow: str
    style: Style


def look_of(face: int, symbols: Symbols, stage: Stage) -> CellLook:
    """Say what a face looks like."""
    if stage is Stage.PLAYING:
        return _look_before(face, symbols)
    if stage is Stage.WON and face & FLAGGED:
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
        return CellLook(symbols.covered, _MINE, _MINE, Style.MINE)
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
