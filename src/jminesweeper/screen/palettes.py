"""The colours of the palettes, for cells that have a background of their own.

A background under every cell makes the contrast independent of the terminal: at least 4.5 for
everything read on it, which a test computes from these tables. Text outside the field has the
terminal's own colours or, if it is emphasised, a background of its own as well. With 16 colours,
which every terminal shows in shades of its own, and without colours cells have no background.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.screen.models import ColourDepth, Palette
from jminesweeper.screen.styles import CLUES, HINTED, Style, in_other_tone

Colour: TypeAlias = int
"""Up to 255 one of the 256 colours, but for the first 16, which differ; beyond that 0xRRGGBB."""


class Pair(NamedTuple):
    """The colours of text and background; without a background only lines are drawn."""

    fore: Colour
    back: Colour | None


Colouring: TypeAlias = Mapping[int, Pair]
"""By style; what is missing has the terminal's own colours."""

_BLACK, _WHITE = 16, 231


def _opened(back: Colour, zero: Colour, clues: Iterable[Colour]) -> Colouring:
    fores = {Style.ZERO: zero, **dict(zip(CLUES, clues, strict=True))}
    return {style: Pair(fore, back) for style, fore in fores.items()}


def _covered(backs: Sequence[Colour], flag: Colour, mine: Colour, unopened: Colour) -> Colouring:
    """Colour the signs on tiles, in both tones."""
    fores = {Style.FLAG: flag, Style.MINE: mine, Style.UNOPENED: unopened, Style.COVERED: unopened}
    even = {int(style): Pair(fore, backs[0]) for style, fore in fores.items()}
    return {**even, **{in_other_tone(style): Pair(even[style].fore, backs[1]) for style in even}}


_LINES: Final[Colouring] = {Style.FRAME: Pair(244, None), Style.DONE: Pair(30, None)}
_STANDING_OUT: Final[Colouring] = {
    Style.FATAL: Pair(_WHITE, 160),
    Style.WRONG_FLAG: Pair(217, 52),
    Style.GOOD: Pair(_WHITE, 22),
    Style.BAD: Pair(_WHITE, 88),
    HINTED: Pair(_WHITE, 24),
}
_TILES: Final[Colouring] = {
    **_LINES,
    **_STANDING_OUT,
    **_opened(233, 240, (75, 77, 203, 105, 168, 44, 252, 246)),
    **_covered((237, 236), flag=210, mine=_WHITE, unopened=250),
}
_CLASSIC: Final[Colouring] = {
    **_LINES,
    **_STANDING_OUT,
    **_opened(255, 249, (21, 22, 124, 18, 88, 23, _BLACK, 240)),
    **_covered((250, 249), flag=88, mine=_BLACK, unopened=238),
    Style.FATAL: Pair(_BLACK, 196),
}
# Okabe and Ito's eight colours; their blue is too dark here, so it is lighter.
_OKABE_ITO: Final[Colouring] = {
    **_LINES,
    **_STANDING_OUT,
    **_opened(233, 240, (74, 36, 208, 175, 227, 33, 214, 255)),
    **_covered((237, 236), flag=227, mine=_WHITE, unopened=250),
    Style.FATAL: Pair(_BLACK, 202),
    Style.WRONG_FLAG: Pair(_BLACK, 175),
    Style.GOOD: Pair(_BLACK, 36),
    Style.BAD: Pair(_BLACK, 202),
}
_SLATE: Final = (0x2F3B4D, 0x293445)

COLOURINGS: Final[Mapping[tuple[Palette, ColourDepth], Colouring]] = {
    (Palette.TILES, ColourDepth.INDEXED): _TILES,
    (Palette.CLASSIC, ColourDepth.INDEXED): _CLASSIC,
    (Palette.OKABE_ITO, ColourDepth.INDEXED): _OKABE_ITO,
    # What changes often keeps its number among the 256 colours, which takes fewer bytes.
    (Palette.TILES, ColourDepth.TRUE): {
        **_TILES,
        **_covered(_SLATE, flag=0xFF7E7E, mine=_WHITE, unopened=250),
    },
    (Palette.CLASSIC, ColourDepth.TRUE): _CLASSIC,
    (Palette.OKABE_ITO, ColourDepth.TRUE): {
        **_OKABE_ITO,
        **_covered(_SLATE, flag=227, mine=_WHITE, unopened=250),
    },
}
"""Every palette with tiles, at the depths that have the colours for it."""
