"""The colours of the palettes, for cells that have a background of their own.

A background under every cell makes the contrast independent of the terminal: at least 4.5 for
everything read on it, which a test computes from these tables. Text outside the field has the
terminal's own colours or, if it is emphasised, a background of its own as well. With 16 colours,
which every terminal shows in shades of its own, and without colours cells have no background.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.terminal.looks import ColourDepth, Ground, Palette
from jminesweeper.terminal.styles import CLUES, HEAT, REASON, SEATS, TARGET, Style, in_other_tone

Colour: TypeAlias = int
"""Up to 255 one of the 256 colours, but for the first 16, which differ; beyond that 0xRRGGBB."""


class Pair(NamedTuple):
    """The colours of text and background; without a background only lines are drawn."""

    fore: Colour
    back: Colour | None


Colouring: TypeAlias = Mapping[int, Pair]
"""By style, or by mark; what is missing has the terminal's own colours."""

_BLACK, _WHITE = 16, 231


def _opened(back: Colour, zero: Colour, clues: Iterable[Colour]) -> Colouring:
    fores = {Style.ZERO: zero, **dict(zip(CLUES, clues, strict=True))}
    return {style: Pair(fore, back) for style, fore in fores.items()}


def _covered(backs: Sequence[Colour], *, flag: Colour, mine: Colour, dim: Colour) -> Colouring:
    """Colour the signs on tiles, in both tones."""
    fores = {
        Style.FLAG: flag,
        Style.MINE: mine,
        **dict.fromkeys((Style.WAITING_FLAG, Style.UNOPENED, Style.COVERED), dim),
    }
    even = {int(style): Pair(fore, backs[0]) for style, fore in fores.items()}
    return {**even, **{in_other_tone(style): Pair(even[style].fore, backs[1]) for style in even}}


def _heated(safe: Pair, backs: Sequence[Colour], mine: Pair, figure: Colour) -> Colouring:
    """Colour the chances of a mine: dim figures on a background that gets hotter."""
    heat = {int(style): Pair(figure, back) for style, back in zip(HEAT, backs, strict=True)}
    return {Style.HEAT_SAFE: safe, Style.HEAT_MINE: mine, **heat}


_LINES: Final[Colouring] = {
    Style.FRAME: Pair(244, None),
    Style.DONE: Pair(30, None),
    # Visible on cells of any colour.
    Style.MARK: Pair(_BLACK, 220),
    Style.CHOSEN: Pair(_BLACK, 220),
    **{
        style: Pair(_BLACK, back)
        for style, back in zip(
            SEATS,
            (117, 215, 120, 213, 222, 147, 203, 80, 184, 181, 111, 150, 208, 177, 250),
            strict=True,
        )
    },
}
_STANDING_OUT: Final[Colouring] = {
    Style.FATAL: Pair(_WHITE, 160),
    Style.WRONG_FLAG: Pair(217, 52),
    Style.GOOD: Pair(_WHITE, 22),
    Style.BAD: Pair(_WHITE, 88),
    REASON: Pair(_WHITE, 24),
    TARGET: Pair(_BLACK, 51),
}
_DARK_HEAT: Final = _heated(Pair(_WHITE, 22), (58, 94, 130, 124), Pair(_WHITE, 160), _WHITE)
_LIGHT_HEAT: Final = _heated(Pair(_WHITE, 22), (229, 222, 215, 210), Pair(_WHITE, 124), 236)
_ON_DARK: Final = _opened(233, 240, (75, 77, 203, 105, 168, 44, 252, 246))
_ON_LIGHT: Final = _opened(255, 249, (21, 22, 124, 18, 88, 23, _BLACK, 240))
# Okabe and Ito's eight colours; their blue is too dark on black, so it is lighter there.
_OKABE_ITO_ON_DARK: Final = _opened(233, 240, (74, 36, 208, 175, 227, 33, 214, 255))
_OKABE_ITO_ON_LIGHT: Final = _opened(255, 249, (25, 23, 88, 90, 58, 19, 94, _BLACK))
_OKABE_ITO_STANDING_OUT: Final[Colouring] = {
    Style.FATAL: Pair(_BLACK, 202),
    Style.WRONG_FLAG: Pair(_BLACK, 175),
    Style.GOOD: Pair(_BLACK, 36),
    Style.BAD: Pair(_BLACK, 202),
}
_SLATE: Final = (0x2F3B4D, 0x293445)
_SLATE_256: Final = (60, 59)
# No red of the 256 colours can be read on that slate, so a flag has a red tile.
_RED_FLAGS: Final[Colouring] = {
    **dict.fromkeys((Style.FLAG, in_other_tone(Style.FLAG)), Pair(_WHITE, 88)),
    Style.WRONG_FLAG: Pair(_BLACK, 217),
    Style.FATAL: Pair(_BLACK, 196),
}
_LIGHT_SLATE: Final = (0xB4C0D2, 0xA9B6CA)
_LIGHT_SLATE_256: Final = (146, 145)
_GREY: Final = (250, 249)


def _shades(back: Colour, left: Colour, here: Colour) -> Colouring:
    """Colour the blocks of the overview: tiles that rise from the ground of opened cells."""
    return {Style.LEFT: Pair(left, back), Style.HERE: Pair(here, back)}


def _panels(back: Colour, text: Colour, faint: Colour, heading: Colour) -> Colouring:
    """Colour what is inside a panel like the ground of opened cells."""
    return {
        Style.ITEM: Pair(text, back),
        Style.DISABLED: Pair(faint, back),
        Style.HEADING: Pair(heading, back),
    }


def _dark(slate: Sequence[Colour], flag: Colour, dim: Colour) -> Colouring:
    covered = _covered(slate, flag=flag, mine=_WHITE, dim=dim)
    around = {**_panels(233, 252, 245, 75), **_shades(233, 67, 195)}
    return {**_LINES, **_STANDING_OUT, **_DARK_HEAT, **_ON_DARK, **covered, **around}


def _light(slate: Sequence[Colour], flag: Colour = 88) -> Colouring:
    covered = _covered(slate, flag=flag, mine=_BLACK, dim=237)
    fatal: Colouring = {Style.FATAL: Pair(_BLACK, 196)}
    around = {**_panels(255, 235, 242, 21), **_shades(255, 67, 18)}
    return {**_LINES, **_STANDING_OUT, **_LIGHT_HEAT, **_ON_LIGHT, **covered, **around, **fatal}


def _okabe_ito(slate: Sequence[Colour], dim: Colour) -> Colouring:
    return {**_dark(slate, 227, dim), **_OKABE_ITO_ON_DARK, **_OKABE_ITO_STANDING_OUT}


def _light_okabe_ito(slate: Sequence[Colour]) -> Colouring:
    return {**_light(slate), **_OKABE_ITO_ON_LIGHT, **_OKABE_ITO_STANDING_OUT}


COLOURINGS: Final[Mapping[tuple[Palette, Ground, ColourDepth], Colouring]] = {
    # What changes often keeps its number among the 256 colours, which takes fewer bytes.
    (Palette.TILES, Ground.DARK, ColourDepth.INDEXED): {
        **_dark(_SLATE_256, 231, 254),
        **_RED_FLAGS,
    },
    (Palette.TILES, Ground.DARK, ColourDepth.TRUE): _dark(_SLATE, 0xFF7E7E, 250),
    (Palette.TILES, Ground.LIGHT, ColourDepth.INDEXED): _light(_LIGHT_SLATE_256),
    (Palette.TILES, Ground.LIGHT, ColourDepth.TRUE): _light(_LIGHT_SLATE, 0x8A0000),
    (Palette.OKABE_ITO, Ground.DARK, ColourDepth.INDEXED): _okabe_ito(_SLATE_256, 254),
    (Palette.OKABE_ITO, Ground.DARK, ColourDepth.TRUE): _okabe_ito(_SLATE, 250),
    (Palette.OKABE_ITO, Ground.LIGHT, ColourDepth.INDEXED): _light_okabe_ito(_LIGHT_SLATE_256),
    (Palette.OKABE_ITO, Ground.LIGHT, ColourDepth.TRUE): _light_okabe_ito(_LIGHT_SLATE),
    **{
        (Palette.CLASSIC, ground, depth): _light(_GREY)
        for ground in Ground
        for depth in (ColourDepth.INDEXED, ColourDepth.TRUE)
    },
}
"""Every palette with tiles, at the depths that have the colours for it."""
