"""One key press, click or paste."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from jminesweeper.terminal.keys import Action


class Press(Enum):
    """What a mouse or a finger does."""

    OPEN = auto()
    FLAG = auto()
    CHORD = auto()
    WHEEL_UP = auto()
    WHEEL_DOWN = auto()


class Click(NamedTuple):
    """A press or a turn of the wheel at a place of the screen, from 0."""

    row: int
    column: int
    press: Press


class Keystroke(NamedTuple):
    """Its text where something is typed, its action anywhere else."""

    text: str = ""
    action: Action | None = None
    click: Click | None = None
