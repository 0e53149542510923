"""The kinds of arguments a hint may give, as data: which number, which cells, and what follows.

An argument may rest on others: those that proved the mines or safe cells it takes as known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from jminesweeper.core import Cell

Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class NumberDone:
    """A number has all its mines, so its other covered neighbours are safe."""

    number: Cell
    clue: int
    mines: Cells
    safe: Cells
    because: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberFull:
    """A number needs every neighbour that may be a mine, so all of them are."""

    number: Cell
    clue: int
    mines: Cells
    because: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two numbers share cells; one needs so many more mines that it fills what only it sees."""

    fuller: Cell
    fuller_need: int
    other: Cell
    other_need: int
    mines: Cells
    """Seen by the fuller number only: all of them are mines."""
    shared: Cells
    safe: Cells
    """Seen by the other number only: none of them is a mine."""
    because: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class MinesFound:
    """Every mine of the board is known, so all else is safe."""

    mines: Cells
    because: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class EveryLayout:
    """No layout that agrees with these numbers and the mine count has it otherwise."""

    numbers: Cells
    mine_count: int


@dataclass(frozen=True, slots=True)
class NothingSure:
    """Every covered cell may be a mine."""

    chance: Fraction
    lowest: Fraction
    """The chance in the least likely mine; the hint may prefer a cell that leads on better."""
    reason: str


Argument = NumberDone | NumberFull | Overlap | MinesFound | EveryLayout | NothingSure


def premises(argument: Argument) -> tuple[Argument, ...]:
    """Return the arguments that this one rests on directly."""
    return () if isinstance(argument, EveryLayout | NothingSure) else argument.because


def cells_of(argument: Argument) -> Cells:
    """Return the numbers an argument itself looks at, to be highlighted."""
    match argument:
        case NumberDone() | NumberFull():
            return (argument.number,)
        case Overlap():
            return argument.fuller, argument.other
        case EveryLayout():
            return argument.numbers
        case MinesFound() | NothingSure():
            return ()
