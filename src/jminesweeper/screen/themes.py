"""How every style looks on one kind of terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from jminesweeper.screen.inks import Ink, ink_for_blank, sequence_between
from jminesweeper.screen.models import ColourDepth, Palette
from jminesweeper.screen.palettes import COLOURINGS, Colour, Colouring
from jminesweeper.screen.styles import (
    BASE,
    HINTED,
    SELECTED,
    TONED,
    UNDER_MARKS,
    Style,
    in_other_tone,
)

_WEIGHTS: Final = ("1", "2")
"""Bold and faint."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """How every style looks on one kind of terminal, with and without marks on top."""

    inks: tuple[Ink, ...]
    """By style."""
    plain_on_blanks: frozenset[int]
    """The styles in which a blank looks like a plain one."""
    tiles: frozenset[str] = frozenset()
    """The backgrounds of covered tiles, as the parameters that select them."""
    ground_line: bytes = b""
    """The backgrounds of tiles, as sent to a client; empty without tiles."""
    grounds: bytes = bytes(256)
    """By style, the place of its background in that line, from 1; 0 without one."""


@lru_cache(maxsize=16_384)
def switch(theme: Theme, ink: Ink, style: int, *, is_blank: bool) -> tuple[bytes, Ink]:
    """Return the sequence after which text, or a blank, looks like a style, and the ink then on."""
    wanted = theme.inks[style]
    after = ink_for_blank(ink, wanted, theme.tiles) if is_blank else wanted
    return sequence_between(ink, after), after


@cache
def theme(palette: Palette, depth: ColourDepth) -> Theme:
    """Make the inks of all styles."""
    colouring = COLOURINGS.get((palette, depth))
    if colouring is not None:
        return _on_tiles(colouring)
    has_colours = depth is not ColourDepth.NONE and palette is not Palette.MONOCHROME
    looks = _SIXTEEN if has_colours else _SPARE
    inks = tuple(_spare_ink(number, looks.get(number & BASE, "")) for number in range(256))
    return Theme(inks, _plain_on_blanks(inks))


def _plain_on_blanks(inks: Sequence[Ink]) -> frozenset[int]:
    return frozenset(style for style, ink in enumerate(inks) if not (ink.ground or ink.line))


def _spare_ink(number: int, parameters: str) -> Ink:
    codes = parameters.split(";")
    return _with_marks(
        number,
        Ink(
            weight=codes[0] if codes[0] in _WEIGHTS else "",
            reverse="7" if "7" in codes else "",
            fore="" if codes[-1] in {*_WEIGHTS, "7"} else codes[-1],
        ),
    )


def _on_tiles(colouring: Colouring) -> Theme:
    inks = tuple(_coloured_ink(number, colouring) for number in range(256))
    pairs = [colouring.get(number & (BASE | TONED)) for number in range(256)]
    backs = [None if pair is None else pair.back for pair in pairs]
    listed = list(dict.fromkeys(colouring[style].back or 0 for style in UNDER_MARKS))
    covered = (colouring[style].back for style in (Style.COVERED, in_other_tone(Style.COVERED)))
    return Theme(
        inks,
        _plain_on_blanks(inks),
        frozenset(map(_as_back, covered)),
        " ".join(map(_told, listed)).encode() + b"\n",
        bytes(listed.index(back) + 1 if back in listed else 0 for back in backs),
    )


def _coloured_ink(number: int, colouring: Colouring) -> Ink:
    base = number & BASE
    style = HINTED if number & HINTED else number & (BASE | TONED)
    pair = colouring.get(style)
    return _with_marks(
        number,
        Ink(
            weight="1" if base in _BOLD else "",
            reverse="7" if base == Style.CHOSEN else "",
            fore="" if pair is None else f"38;{_told(pair.fore)}",
            back="" if pair is None else _as_back(pair.back),
        ),
    )


def _with_marks(number: int, ink: Ink) -> Ink:
    """Lay the marks of a style over its ink."""
    if number & HINTED:
        ink = ink._replace(weight="1;2" if ink.weight == "2" else "1", line="4")
    return ink._replace(reverse="7") if number & SELECTED else ink


def _as_back(colour: Colour | None) -> str:
    return "" if colour is None else f"48;{_told(colour)}"


def _told(colour: Colour) -> str:
    if colour < 256:
        return f"5;{colour}"
    return f"2;{colour >> 16};{colour >> 8 & 255};{colour & 255}"
