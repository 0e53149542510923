"""How every style looks on one kind of terminal: the sequences that switch to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from jminesweeper.core.frozen import frozen
from jminesweeper.screen.ansi import select_style
from jminesweeper.screen.models import ColourDepth, Palette
from jminesweeper.screen.palettes import COLOURINGS, Colour, Colouring
from jminesweeper.screen.styles import BASE, HINTED, REVERSED, SELECTED, TONED, UNDER_MARKS, Style

_ON_TOP: Final[Mapping[int, str]] = {SELECTED: "7", HINTED: "1;4"}
_BOLD: Final = frozenset(
    {
        *(Style(number) for number in range(1, 9)),
        *(Style.FLAG, Style.MINE, Style.FATAL, Style.TITLE, Style.DONE, Style.KEY),
        *(Style.GOOD, Style.BAD, Style.WARNING),
    }
)
_SPARE: Final[Mapping[int, str]] = {
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
}
"""Attributes without colours."""
# Bright black is the background of some themes and bright white that of others, so what recedes
# is faint and the eight is bold. Yellow vanishes on white.
_SIXTEEN: Final[Mapping[int, str]] = {
    **_SPARE,
    **dict(enumerate(("94", "32", "31", "35", "91", "36", "95", "1"), Style.CLUE_1)),
    Style.FLAG: "1;31",
    Style.MINE: "31",
    Style.FATAL: "1;7;31",
    Style.WRONG_FLAG: "7;31",
    Style.DONE: "36",
}


@frozen(eq=False)
class Theme:
    """How every style looks on one kind of terminal, with and without marks on top."""

    sequences: tuple[bytes, ...]
    """By style, the sequence that switches to it from any other."""
    plain_on_blanks: frozenset[int]
    """The styles in which a blank looks like a plain one."""
    ground_line: bytes = b""
    """The backgrounds of tiles, as sent to a client; empty without tiles."""
    grounds: bytes = bytes(256)
    """By style, the place of its background in that line, from 1; 0 without one."""


@cache
def theme(palette: Palette, depth: ColourDepth) -> Theme:
    """Make the sequences of all styles."""
    colouring = COLOURINGS.get((palette, depth))
    if colouring is not None:
        return _on_tiles(colouring)
    has_colours = depth is not ColourDepth.NONE and palette is not Palette.MONOCHROME
    return _spare(_SIXTEEN if has_colours else _SPARE)


def _spare(looks: Mapping[int, str]) -> Theme:
    numbers = range(256)
    parameters = (_joined(_on_top(number), looks.get(number & BASE, "")) for number in numbers)
    showing = {*REVERSED, *(number for number in numbers if number & (SELECTED | HINTED))}
    plain = frozenset(number for number in numbers if number not in showing)
    return Theme(tuple(map(select_style, parameters)), plain)


def _on_tiles(colouring: Colouring) -> Theme:
    pairs = [colouring.get(number & (BASE | TONED)) for number in range(256)]
    backs = [None if pair is None else pair.back for pair in pairs]
    parameters = (_coloured(number, colouring) for number in range(256))
    plain = frozenset(
        number
        for number, back in enumerate(backs)
        if back is None and not number & (SELECTED | HINTED) and number & BASE != Style.CHOSEN
    )
    listed = list(dict.fromkeys(colouring[style].back or 0 for style in UNDER_MARKS))
    return Theme(
        tuple(map(select_style, parameters)),
        plain,
        " ".join(map(_told, listed)).encode() + b"\n",
        bytes(listed.index(back) + 1 if back in listed else 0 for back in backs),
    )


def _coloured(number: int, colouring: Colouring) -> str:
    base = number & BASE
    attributes = "7" if base == Style.CHOSEN else "1" if base in _BOLD else ""
    pair = colouring.get(HINTED if number & HINTED else number & (BASE | TONED))
    if pair is None:
        return _joined(_on_top(number), attributes)
    fore, back = pair
    ground = "" if back is None else f"48;{_told(back)}"
    return _joined(_on_top(number), attributes, f"38;{_told(fore)}", ground)


def _on_top(number: int) -> str:
    return _joined(*(parameters for bit, parameters in _ON_TOP.items() if number & bit))


def _joined(*parameters: str) -> str:
    return ";".join(filter(None, parameters))


def _told(colour: Colour) -> str:
    if colour < 256:
        return f"5;{colour}"
    return f"2;{colour >> 16};{colour >> 8 & 255};{colour & 255}"
