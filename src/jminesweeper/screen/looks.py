"""How faces look on version 1 of the wire: characters, and colours in several depths.

Every face has characters of its own, so colour never carries meaning alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

from jminesweeper.screen.ansi import RESET, select_style
from jminesweeper.screen.faces import CLUE, COVERED, EXPLODED, FLAGGED, MINED, digit_of

HIDDEN, FLAG, BOMB, FLAGGED_BOMB, STEPPED_ON = "?", "F", "B", "#", "*"


class Depth(IntEnum):
    """How much colour a frame spends its bytes on, richest first."""

    INDEXED = 0
    SIXTEEN = 1
    ACCENTS = 2
    NONE = 3


class Look(NamedTuple):
    """One face: its character, the one in the second column, its style's name."""

    narrow: str
    first: str
    second: str
    style: str


_LOOKS: Mapping[int, Look] = {
    COVERED: Look(HIDDEN, HIDDEN, " ", "covered"),
    COVERED | FLAGGED: Look(FLAG, FLAG, " ", "flag"),
    COVERED | MINED: Look(BOMB, HIDDEN, BOMB, "bomb"),
    COVERED | FLAGGED | MINED: Look(FLAGGED_BOMB, FLAG, BOMB, "flag"),
    MINED: Look(BOMB, BOMB, " ", "bomb"),
    FLAGGED | MINED: Look(FLAGGED_BOMB, BOMB, FLAG, "flag"),
}


def look_of(face: int) -> Look:
    """Say what a face looks like."""
    layers = face & ~CLUE
    if layers & EXPLODED:
        return Look(STEPPED_ON, BOMB, STEPPED_ON, "stepped on")
    if layers in _LOOKS:
        return _LOOKS[layers]
    digit = digit_of(face)
    if layers:
        return Look(FLAG, digit, FLAG, "wrong flag")
    return Look(digit, digit, " ", f"clue {face & CLUE}")


_INDEXED: Mapping[str, str] = {
    "clue 1": "38;5;39",
    "clue 2": "38;5;36",
    "clue 3": "38;5;208",
    "clue 4": "38;5;175",
    "clue 5": "38;5;228",
    "clue 6": "38;5;33",
    "clue 7": "38;5;166",
    "clue 8": "38;5;255",
    "covered": "38;5;245",
    "flag": "1;38;5;220",
    "bomb": "38;5;203",
    "stepped on": "1;7;38;5;203",
    "wrong flag": "7;38;5;203",
}
_SIXTEEN: Mapping[str, str] = {
    "clue 1": "94",
    "clue 2": "32",
    "clue 3": "33",
    "clue 4": "35",
    "clue 5": "93",
    "clue 6": "36",
    "clue 7": "91",
    "clue 8": "97",
    "flag": "1;33",
    "bomb": "31",
    "stepped on": "1;7;31",
    "wrong flag": "7;31",
}
_ACCENTS: Mapping[str, str] = {
    "flag": "1",
    "stepped on": "1;7",
    "wrong flag": "7",
}
_STYLES: Mapping[Depth, Mapping[str, str]] = {
    Depth.INDEXED: _INDEXED,
    Depth.SIXTEEN: _SIXTEEN,
    Depth.ACCENTS: _ACCENTS,
    Depth.NONE: {},
}


class Dress(NamedTuple):
    """Ready tables, indexed by face, for one depth of colour and one width of cells."""

    texts: Sequence[bytes]
    styles: Sequence[bytes]


@cache
def dress(depth: Depth, *, wide: bool) -> Dress:
    """Make the tables of a depth, for cells of two columns or one."""
    looks = [look_of(face) for face in range(256)]
    sequences = _STYLES[depth]
    return Dress(
        [(look.first + look.second if wide else look.narrow).encode() for look in looks],
        [select_style(sequences.get(look.style, "")) for look in looks],
    )


@lru_cache(maxsize=16_384)
def paint_cells(faces: bytes, depth: Depth, is_wide: bool) -> bytes:
    """Return the characters of a row of faces, in colour, ending in the terminal's own style."""
    texts, styles = dress(depth, wide=is_wide)
    painted = []
    style = RESET
    for style, run in groupby(faces, styles.__getitem__):
        painted.append(style)
        painted += [texts[face] for face in run]
    if painted and painted[0] == RESET:
        del painted[0]
    if style != RESET:
        painted.append(RESET)
    return b"".join(painted)
