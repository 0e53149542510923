"""What a terminal writes with: the ink of every style, and the shortest way from one to another.

Only what differs is switched, or everything anew where that is shorter: over a slow line these
bytes travel, too. Of a blank nothing but the background is seen, so it keeps whatever else is on.
Covered tiles alternate between two backgrounds: once one of them is the background and the other
the colour of the text, reversing is all it takes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import cycle
from typing import Final, NamedTuple

from jminesweeper.terminal.looks import Canvas, ColourDepth, Palette
from jminesweeper.terminal.palettes import COLOURINGS, Colour, Colouring
from jminesweeper.terminal.styles import (
    CLUES,
    COVERED_TONES,
    REASON,
    SEATS,
    SELECTED,
    TARGET,
    Style,
    base_of,
    look_of,
    mark_of,
)


class Ink(NamedTuple):
    """The parts of an ink by the parameters that select them; empty for the terminal's own."""

    weight: str = ""
    line: str = ""
    reverse: str = ""
    fore: str = ""
    back: str = ""

    @property
    def ground(self) -> str:
        """What a blank shows, as the parameters of a background."""
        if not self.reverse:
            return self.back
        return _BACK + self.fore[len(_FORE) :] if self.fore.startswith(_FORE) else self.reverse


_FORE, _BACK = "38;", "48;"
PLAIN: Final = Ink()
_OFF: Final = Ink("22", "24", "27", "39", "49")
_BOLD, _FAINT, _UNDERLINED, _REVERSED = "1", "2", "4", "7"
_ANY: Final = "any"
"""The colour of the text while blanks are written, which does not show."""


# From one ink to another


class Inks:
    """The inks of all styles on one terminal, and the ways between them."""

    def __init__(self, canvas: Canvas) -> None:
        self._inks = inks_of(canvas)
        self._tiles = {self._inks[style].back for style in COVERED_TONES} - {""}
        self._ways: dict[tuple[Ink, int, bool], tuple[str, Ink]] = {}
        """Those taken before: with them a scrolled field takes 6 ms, without them 26."""

    def switch(self, before: Ink, style: int, *, is_blank: bool) -> tuple[str, Ink]:
        """Return the sequence after which text, or a blank, has a style, and the ink then on."""
        way = self._ways.get((before, style, is_blank))
        if way is None:
            wanted = self._inks[style]
            after = ink_for_blank(before, wanted, self._tiles) if is_blank else wanted
            way = self._ways[before, style, is_blank] = sequence_between(before, after), after
        return way


def sequence_between(before: Ink, after: Ink) -> str:
    """Return the shortest sequence from one ink to another."""
    if before == after:
        return ""
    anew = ";".join(part for part in after if part not in {"", _ANY})
    changes = [
        new or off
        for old, new, off in zip(before, after, _OFF, strict=True)
        if new not in {old, _ANY}
    ]
    if before.weight and after.weight not in {before.weight, ""}:
        # Bold and faint do not end each other.
        changes.insert(0, _OFF.weight)
    return min(f"\x1b[;{anew}m" if anew else "\x1b[m", f"\x1b[{';'.join(changes)}m", key=len)


def ink_for_blank(before: Ink, wanted: Ink, tiles: Collection[str]) -> Ink:
    """Choose the ink in which a blank looks as wanted; `tiles` are the grounds that alternate."""
    if wanted.reverse or wanted.line:
        return wanted  # A line under a blank has the colour of the text.
    ground = wanted.ground
    turned = before._replace(weight="", reverse="" if before.reverse else _REVERSED)
    for ink in (before, turned):
        if not ink.line and ink.ground == ground:
            return ink
    if before.back in tiles and before.ground in tiles and ground in tiles:
        return Ink(reverse=_REVERSED, fore=_FORE + ground[len(_BACK) :], back=before.back)
    on_ground = Ink(before.weight, fore=_ANY if before.fore else "", back=ground)
    return min(wanted, on_ground, key=lambda ink: len(sequence_between(before, ink)))


# The ink of every style

_IN_BOLD: Final = frozenset(
    {
        *CLUES,
        *(Style.FLAG, Style.MINE, Style.FATAL, Style.TITLE, Style.DONE, Style.KEY, Style.MARK),
        *(Style.GOOD, Style.BAD, Style.WARNING, Style.HEADING),
    }
)
_SPARE: Final[Mapping[int, Ink]] = {
    **dict.fromkeys(
        (Style.ZERO, Style.COVERED, Style.UNOPENED, Style.FRAME, Style.WAITING_FLAG),
        Ink(_FAINT),
    ),
    **dict.fromkeys((Style.DISABLED, Style.HEAT_LOW, Style.LEFT), Ink(_FAINT)),
    **dict.fromkeys((Style.FLAG, Style.MINE, Style.TITLE, Style.DONE, Style.KEY), Ink(_BOLD)),
    **dict.fromkeys((Style.GOOD, Style.BAD, Style.WARNING, Style.HEADING), Ink(_BOLD)),
    **dict.fromkeys((Style.HEAT_SAFE, Style.HEAT_HIGH, Style.HERE), Ink(_BOLD)),
    **dict.fromkeys((Style.WRONG_FLAG, Style.CHOSEN), Ink(reverse=_REVERSED)),
    **dict.fromkeys((Style.FATAL, Style.MARK, Style.HEAT_MINE), Ink(_BOLD, reverse=_REVERSED)),
    **dict.fromkeys(SEATS, Ink(_BOLD, reverse=_REVERSED)),
}
"""Attributes without colours."""
_SEAT_FORES: Final = ("31", "32", "34", "35", "36", "91", "92", "94", "95", "96")
# Bright black is the background of some themes and bright white that of others, so what recedes
# is faint and the eight is bold. Yellow vanishes on white.
_SIXTEEN: Final[Mapping[int, Ink]] = {
    **_SPARE,
    **{
        style: Ink(fore=fore)
        for style, fore in zip(CLUES, ("94", "32", "31", "35", "91", "36", "95"), strict=False)
    },
    Style.CLUE_8: Ink(_BOLD),
    **{
        style: Ink(reverse=_REVERSED, fore=fore)
        for style, fore in zip(SEATS, cycle(_SEAT_FORES), strict=False)
    },
    Style.FLAG: Ink(_BOLD, fore="31"),
    Style.WAITING_FLAG: Ink(_FAINT, fore="31"),
    Style.MINE: Ink(fore="31"),
    Style.FATAL: Ink(_BOLD, reverse=_REVERSED, fore="31"),
    Style.WRONG_FLAG: Ink(reverse=_REVERSED, fore="31"),
    Style.DONE: Ink(fore="36"),
    Style.GOOD: Ink(_BOLD, fore="32"),
    Style.BAD: Ink(_BOLD, fore="31"),
    Style.HEAT_SAFE: Ink(_BOLD, fore="32"),
    Style.HEAT_HALF: Ink(fore="31"),
    Style.HEAT_HIGH: Ink(_BOLD, fore="31"),
    Style.HEAT_MINE: Ink(_BOLD, reverse=_REVERSED, fore="31"),
}


def inks_of(canvas: Canvas) -> list[Ink]:
    """Make the inks of all styles on a terminal.

    Without tiles they are in the terminal's own shades, which fit its background.
    """
    palette, colours = canvas.looks.palette, canvas.colours
    colouring = COLOURINGS.get((palette, canvas.looks.ground, colours))
    if canvas.has_tiles and colouring is not None:
        return [_on_tiles(style, colouring) for style in range(256)]
    is_coloured = colours is not ColourDepth.NONE and palette is not Palette.MONOCHROME
    spare = _SIXTEEN if is_coloured else _SPARE
    return [_marked(style, spare.get(base_of(style), PLAIN)) for style in range(256)]


def _on_tiles(style: int, colouring: Colouring) -> Ink:
    mark, base = mark_of(style), base_of(style)
    pair = colouring.get(mark if mark in {REASON, TARGET} else look_of(style))
    ink = Ink(
        weight=_BOLD if base in _IN_BOLD else "",
        fore="" if pair is None else _FORE + _told(pair.fore),
        back="" if pair is None or pair.back is None else _BACK + _told(pair.back),
    )
    return _marked(style, ink)


def _marked(style: int, ink: Ink) -> Ink:
    """Lay the mark of a style over its ink, so that it is seen without colours, too."""
    match mark_of(style):
        case 0:
            return ink
        case mark if mark == SELECTED:
            return ink._replace(reverse=_REVERSED)
        case mark:
            reverse = _REVERSED if mark == TARGET and not ink.back else ink.reverse
            return ink._replace(weight=_BOLD, line=_UNDERLINED, reverse=reverse)


def _told(colour: Colour) -> str:
    if colour < 256:
        return f"5;{colour}"
    return f"2;{colour >> 16};{colour >> 8 & 255};{colour & 255}"
