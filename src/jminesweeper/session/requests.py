"""What a session needs from outside before it can answer: values for `Ask`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jminesweeper.core import Cell, PlayerView, Setup
from jminesweeper.store.ports import Holding, Operation, Player, RunningGame


@dataclass(frozen=True, slots=True)
class Enter:
    """Greet a player and take the running game over; answered with an Entrance or a StoreError."""

    player: str
    name: str
    owner: str


@dataclass(frozen=True, slots=True)
class Entrance:
    """A player who was let in, and the right to write the running game."""

    player: Player
    holding: Holding


@dataclass(frozen=True, slots=True)
class Consult:
    """Ask the store; answered with the operation's answer or a StoreError."""

    operation: Operation[Any]


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Play the log of a long game again, by `rebuild`; answered with what that returns."""

    kept: RunningGame


@dataclass(frozen=True, slots=True)
class FindHint:
    """Answered with a Tip, or None when it took too long."""

    view: PlayerView


@dataclass(frozen=True, slots=True)
class Tip:
    """A hint as it is shown: a sentence, the cell meant, and the cells it speaks of."""

    text: str
    cell: Cell
    cells: int


@dataclass(frozen=True, slots=True)
class LayBoard:
    """Lay a board that needs no guess from this cell on; answered with a Laid, or None."""

    setup: Setup
    first: Cell


@dataclass(frozen=True, slots=True)
class Laid:
    """A board that needs no guess; a repaired one is not as likely as any other."""

    mines: int
    is_uniform: bool


@dataclass(frozen=True, slots=True)
class Review:
    """Look back at a finished game; answered with lines to show, or None."""

    setup: Setup
    entries: Sequence[int]
    is_no_guess: bool
