"""The looks that a player has chosen, and the terminal that a screen is composed for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum
from typing import Any, Final, NamedTuple

from jminesweeper.protocol.packets import Pick
from jminesweeper.protocol.view import RowKind
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.symbols import ASCII, TILES, UNICODE, Symbols
from jminesweeper.terminal.view import RowView


class ColourDepth(IntEnum):
    """Numbers of colours that terminals show."""

    NONE = 0
    SIXTEEN = 1
    INDEXED = 2
    TRUE = 3


class Palette(Enum):
    """Sets of colours to choose from."""

    TILES = "tiles"
    CLASSIC = "classic"
    OKABE_ITO = "okabe-ito"
    MONOCHROME = "monochrome"


class Ground(Enum):
    """Dark cells or light ones, or what suits the terminal's background."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


class Covers(Enum):
    """Covered cells with a background, or with a sign in the terminal's own shades."""

    TILES = "tiles"
    SIGNS = "signs"


class Motion(Enum):
    """Movement on the screen that nothing depends on."""

    FULL = "full"
    LESS = "less"


class FlagOnNumber(Enum):
    """Effects of the key or the press that flags, on a number."""

    NOTHING = "nothing"
    AROUND = "what follows"


class Characters(Enum):
    """Characters of frames and flags."""

    UNICODE = "unicode"
    ASCII = "ascii"


class Looks(NamedTuple):
    """A player's choice of looks."""

    palette: Palette = Palette.TILES
    ground: Ground = Ground.AUTO
    cells: CellSize = CellSize.AUTO
    covers: Covers = Covers.TILES
    characters: Characters = Characters.UNICODE
    numbers: FlagOnNumber = FlagOnNumber.NOTHING
    motion: Motion = Motion.FULL


LOOKS: Final[Mapping[str, type[Enum]]] = {
    "palette": Palette,
    "ground": Ground,
    "cells": CellSize,
    "covers": Covers,
    "characters": Characters,
    "numbers": FlagOnNumber,
    "motion": Motion,
}
"""The values of each look, by the names of `Looks`."""


class Canvas(NamedTuple):
    """A terminal, and how its player wants things to look there."""

    columns: int = 80
    rows: int = 24
    colours: ColourDepth = ColourDepth.NONE
    has_unicode: bool = False
    """The terminal shows more than ASCII."""
    looks: Looks = Looks()
    background: Ground = Ground.DARK
    """The terminal's own background, if known."""

    @property
    def ground(self) -> Ground:
        """Dark cells or light ones."""
        return self.background if self.looks.ground is Ground.AUTO else self.looks.ground

    @property
    def symbols(self) -> Symbols:
        """Choose the characters: tiles where the colours suffice and a frame can be drawn."""
        if not (self.has_unicode and self.looks.characters is Characters.UNICODE):
            return ASCII
        has_colours = self.colours >= ColourDepth.INDEXED
        is_coloured = has_colours and self.looks.palette is not Palette.MONOCHROME
        return TILES if is_coloured and self.looks.covers is Covers.TILES else UNICODE

    @property
    def has_tiles(self) -> bool:
        return self.symbols.has_tiles


_PREFIX: Final = "looks."
_LABELS: Final = {
    "palette": ("Colours", "The colours of cells, flags and numbers."),
    "ground": ("Cells", "Dark or light cells; auto: as the terminal's background."),
    "cells": ("Cell size", "Columns and rows of a cell; auto: as many as fit."),
    "covers": ("Covered cells", "Coloured tiles, or signs in the terminal's own colours."),
    "characters": ("Characters", "ASCII helps where frames or flags look wrong."),
    "motion": ("Motion", "Less: a win is told without a second of light on the board."),
    "numbers": ("Flag on a number", "Flags all around it that must be mines, by key and mouse."),
}


def look_rows(looks: Looks) -> list[RowView]:
    """Return the rows, under a heading of their own."""
    rows = [RowView("looks", kind=RowKind.HEADING, label="This terminal")]
    for name, values in LOOKS.items():
        label, explanation = _LABELS[name]
        choices = tuple(value.value for value in values)
        now = getattr(looks, name).value
        rows.append(RowView(_PREFIX + name, RowKind.CHOICE, label, now, choices, help=explanation))
    return rows


def is_look(pick: Pick) -> bool:
    """Return True if a choice is nobody else's business."""
    return pick.row.startswith(_PREFIX)


def with_look(looks: Looks, pick: Pick) -> Looks:
    """Return looks with one of them as it was chosen."""
    name = pick.row.removeprefix(_PREFIX)
    chosen: dict[str, Any] = {name: LOOKS[name](pick.value)}
    return looks._replace(**chosen)
