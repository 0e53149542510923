"""Control sequences that turn the screen of a terminal into the next one.

A *palette* gives styles their colours, an *ink* is what a terminal writes with, and the *painter*
remembers what one terminal shows, and writes what differs.

Cells have a background of their own, which makes the contrast independent of the terminal: at least
4.5 for everything read on it, which a test computes from these tables. Text outside the field has
the terminal's own colours or, if it is emphasised, a background as well. With 16 colours, which
every terminal shows in shades of its own, and without colours cells have no background.

Only what differs is switched, or everything anew where that is shorter: over a slow line these
bytes travel, too. Of a blank nothing but the background is seen, so it keeps whatever else is on.
Covered tiles alternate between two backgrounds: once one of them is the background and the other
the colour of the text, reversing is all it takes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Final, NamedTuple, TypeAlias

from jminesweeper.terminal import escapes
from jminesweeper.terminal.lines import Screen, StyledLine, gap
from jminesweeper.terminal.looks import (
    CLUES,
    COVERED_TONES,
    HEAT,
    REASON,
    SEATS,
    SELECTED,
    TARGET,
    Canvas,
    ColourDepth,
    Ground,
    Palette,
    Style,
    base_of,
    in_other_tone,
    mark_of,
    without_mark,
)

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
    # Searched for: the farthest from each other in the eyes of the colour-blind as well, the first
    # few most of all, and none near a flag or the marks of the cursor.
    **{
        style: Pair(_BLACK, back)
        for style, back in zip(
            SEATS,
            (29, 165, 159, 146, 198, 70, 152, 140, 171, 117, 177, 98, 133, 85, 100),
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
# Of the 256 colours no two shades of blue are close; two greys are.
_SLATE_256: Final = (237, 236)
_LIGHT_SLATE: Final = (0xB4C0D2, 0xA9B6CA)
_LIGHT_SLATE_256: Final = (250, 249)
_GREY: Final = (250, 249)


def _shades(back: Colour, left: Colour, here: Colour) -> Colouring:
    """Colour the blocks of the overview: tiles that rise from the ground of opened cells."""
    return {Style.LEFT: Pair(left, back), Style.HERE: Pair(here, back)}


def _panels(back: Colour, text: Colour, faint: Colour, heading: Colour) -> Colouring:
    """Colour the inside of a panel like the ground of opened cells."""
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
    (Palette.TILES, Ground.DARK, ColourDepth.INDEXED): _dark(_SLATE_256, 210, 250),
    (Palette.TILES, Ground.DARK, ColourDepth.TRUE): _dark(_SLATE, 0xFF7E7E, 250),
    (Palette.TILES, Ground.LIGHT, ColourDepth.INDEXED): _light(_LIGHT_SLATE_256),
    (Palette.TILES, Ground.LIGHT, ColourDepth.TRUE): _light(_LIGHT_SLATE, 0x8A0000),
    (Palette.OKABE_ITO, Ground.DARK, ColourDepth.INDEXED): _okabe_ito(_SLATE_256, 254),
    (Palette.OKABE_ITO, Ground.DARK, ColourDepth.TRUE): _okabe_ito(_SLATE, 250),
    (Palette.OKABE_ITO, Ground.LIGHT, ColourDepth.INDEXED): _light_okabe_ito(_LIGHT_SLATE_256),
    (Palette.OKABE_ITO, Ground.LIGHT, ColourDepth.TRUE): _light_okabe_ito(_LIGHT_SLATE),
    **{
        (Palette.CLASSIC, ground, depth): _light(_GREY)
        for ground in (Ground.DARK, Ground.LIGHT)
        for depth in (ColourDepth.INDEXED, ColourDepth.TRUE)
    },
}
"""Every palette with tiles, at the depths that have the colours for it."""


class Ink(NamedTuple):
    """The parts of an ink by the parameters that select them; empty for the terminal's own."""

    weight: str = ""
    line: str = ""
    reverse: str = ""
    fore: str = ""
    back: str = ""

    @property
    def ground(self) -> str:
        """The colour that a blank shows, as the parameters of a background."""
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
    on_ground = before._replace(line="", reverse="", back=ground)
    anew = on_ground._replace(fore=_ANY if before.fore else "")
    return min(on_ground, wanted, anew, key=lambda ink: len(sequence_between(before, ink)))


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
_SEAT_FORES: Final = ("34", "32", "35", "36", "94", "92", "95", "96")
"""None is red, as flags are."""
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
    colouring = COLOURINGS.get((palette, canvas.ground, colours))
    if canvas.has_tiles and colouring is not None:
        inks: list[Ink] = []
        for style in range(256):
            mark, base = mark_of(style), base_of(style)
            pair = colouring.get(mark if mark in {REASON, TARGET} else without_mark(style))
            ink = Ink(
                weight=_BOLD if base in _IN_BOLD else "",
                fore="" if pair is None else _FORE + _parameters_of(pair.fore),
                back="" if pair is None or pair.back is None else _BACK + _parameters_of(pair.back),
            )
            inks.append(_marked(style, ink))
        return inks
    is_coloured = colours is not ColourDepth.NONE and palette is not Palette.MONOCHROME
    spare = _SIXTEEN if is_coloured else _SPARE
    return [_marked(style, spare.get(base_of(style), PLAIN)) for style in range(256)]


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


def _parameters_of(colour: Colour) -> str:
    if colour < 256:
        return f"5;{colour}"
    return f"2;{colour >> 16};{colour >> 8 & 255};{colour & 255}"


_RUN_OF_STYLE: Final = re.compile(rb"(.)\1*", re.DOTALL)
_WORTH_A_JUMP: Final = 8
"""Columns that stay as they are, and take more bytes to write again than to leap over."""
_SHOWN_AT_ONCE: Final = 128
"""Characters that no terminal shows in parts, because they arrive in one packet and are read in
one go: a step of the cursor, a flag. The brackets around a frame would make them a fifth longer."""


class Painter:
    """Remembers what one terminal shows."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._inks = Inks(canvas)
        self._shown: list[StyledLine] = []
        self._cursor: tuple[int, int] | None = None
        self._is_cursor_shown: bool | None = None

    def forget(self) -> None:
        """Paint everything next time: the terminal may show anything."""
        self._shown, self._is_cursor_shown = [], None

    def paint(self, screen: Screen, canvas: Canvas) -> str:
        """Return what turns the terminal's screen into this one; nothing if it shows that."""
        canvas = canvas._replace(rows=len(screen.lines))
        if canvas != self._canvas:
            self._canvas, self._inks = canvas, Inks(canvas)
            self.forget()
        lines = [line.pad(canvas.columns) for line in screen.lines]
        is_anew = len(lines) != len(self._shown)
        shown = [gap(canvas.columns)] * len(lines) if is_anew else self._shown
        text = "".join(self._changes(shown, lines))
        if is_anew:
            text = f"{escapes.NO_WRAP}{escapes.CLEAR}{text}"
        self._shown = lines
        # The terminal's cursor is where the player's is, for magnifiers; it is seen to type.
        if screen.cursor is not None and (text or screen.cursor != self._cursor):
            text += escapes.go_to(*screen.cursor)
        if screen.is_typing is not self._is_cursor_shown:
            text += escapes.CURSOR_SHOWN if screen.is_typing else escapes.CURSOR_HIDDEN
        self._cursor, self._is_cursor_shown = screen.cursor, screen.is_typing
        if len(text) <= _SHOWN_AT_ONCE:
            return text
        return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}"

    def _changes(self, before: list[StyledLine], after: list[StyledLine]) -> Iterator[str]:
        """Write the columns of each line that differ, in the ink that is on where it will do."""
        ink = PLAIN
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == new:
                continue
            for first, end in _differences(old, new):
                yield escapes.go_to(row, first)
                for run in _RUN_OF_STYLE.finditer(new.styles, first, end):
                    text = new.text[run.start() : run.end()]
                    way, ink = self._inks.switch(ink, run[0][0], is_blank=text.isspace())
                    yield way + text
        yield sequence_between(ink, PLAIN)


def format_lines(lines: Iterable[StyledLine], canvas: Canvas) -> str:
    """Write the lines that hold something, to be printed below others."""
    inks, text = Inks(canvas), list[str]()
    for line in (each for each in lines if each.text.strip()):
        ink = PLAIN
        for run in _RUN_OF_STYLE.finditer(line.styles):
            words = line.text[run.start() : run.end()]
            way, ink = inks.switch(ink, run[0][0], is_blank=words.isspace())
            text.append(way + words)
        text.append(f"{sequence_between(ink, PLAIN)}\n")
    return "".join(text)


def _differences(old: StyledLine, new: StyledLine) -> Iterator[tuple[int, int]]:
    """Find the parts of a line that differ; parts that are close are one."""
    first = end = -1
    before, after = zip(old.text, old.styles, strict=True), zip(new.text, new.styles, strict=True)
    for column, (was, is_now) in enumerate(zip(before, after, strict=True)):
        if was == is_now:
            continue
        if first >= 0 and column - end > _WORTH_A_JUMP:
            yield first, end
            first = column
        first, end = (column if first < 0 else first), column + 1
    if first >= 0:
        yield first, end
