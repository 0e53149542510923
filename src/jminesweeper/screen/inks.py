"""What a terminal writes with, and the shortest way from one ink to another.

Only what differs is switched, or everything anew where that is shorter. Of a blank nothing but the
background is seen, so it keeps whatever else is on. Covered tiles alternate between two
backgrounds: once one of them is the background and the other the colour of the text, reversing is
all it takes.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from jminesweeper.frames.ansi import change_style, select_style


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
        return self.fore.replace(_FORE, _BACK, 1) if self.fore.startswith(_FORE) else self.reverse


_FORE, _BACK = "38;", "48;"
PLAIN_INK: Final = Ink()
_OFF: Final = Ink("22", "24", "27", "39", "49")
_REVERSED: Final = "7"
_ANY: Final = "any"
"""The colour of the text after a blank: which one it was matters no more."""


def colour_on(ground: str) -> str:
    """Return the parameters of a text's colour that is a background's."""
    return ground.replace(_BACK, _FORE, 1)


def sequence_between(before: Ink, after: Ink) -> bytes:
    """Return the shortest sequence from one ink to another."""
    if before == after:
        return b""
    anew = select_style(";".join(part for part in after if part not in {"", _ANY}))
    changes = [
        new or off
        for old, new, off in zip(before, after, _OFF, strict=True)
        if new not in {old, _ANY}
    ]
    if before.weight and after.weight not in {before.weight, ""}:
        # Bold and faint do not end each other.
        changes.insert(0, _OFF.weight)
    return min(anew, change_style(";".join(changes)), key=len)


def ink_for_blank(before: Ink, wanted: Ink, tiles: Collection[str]) -> Ink:
    """Choose the ink in which a blank looks as wanted; `tiles` are the grounds that alternate."""
    if wanted.reverse or wanted.line:
        return wanted  # A line under a blank has the colour of the text.
    turned = before._replace(weight="", reverse="" if before.reverse else _REVERSED)
    for ink in (before, turned):
        if not ink.line and ink.ground == wanted.ground:
            return ink
    ground = wanted.ground
    if before.back in tiles and before.ground in tiles and ground in tiles:
        return Ink(reverse=_REVERSED, fore=colour_on(ground), back=before.back)
    on_ground = Ink(before.weight, fore=_ANY if before.fore else "", back=ground)
    return min(wanted, on_ground, key=lambda ink: len(sequence_between(before, ink)))
