"""The kinds of arguments a hint may give, as data: which numbers, which cells, and what follows.

An argument may rest on others: those that proved the mines it takes as known. What no few steps
prove is shown by counting: no layout that agrees with the numbers has a mine there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.solver.strategy import Reason

Cells = tuple[Cell, ...]


class ShownNumber(NamedTuple):
    """A cell that is shown, and the number on it."""

    cell: Cell
    clue: int


@dataclass(frozen=True, slots=True)
class NumberDone:
    """A number has all its mines, so its other covered neighbours are safe."""

    number: ShownNumber
    mines: Cells
    safe: Cells
    because: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class NumberFull:
    """A number touches no more covered cells than mines, so all of them are mines."""

    number: ShownNumber
    mines: Cells


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two numbers share cells; one needs so many more mines that they fill what only it sees."""

    fuller: ShownNumber
    fuller_need: int
    other: ShownNumber
    other_need: int
    mines: Cells
    """Seen by the fuller number only: all of them are mines."""
    shared: Cells
    safe: Cells
    """Seen by the other number only: none of them is a mine."""
    because: tuple[Premise, ...] = ()


@dataclass(frozen=True, slots=True)
class AllKnown:
    """Every mine of the board is certain, so all else is safe."""

    mine_count: int
    unflagged: int = 0
    """Mines that are certain but have no flag."""


@dataclass(frozen=True, slots=True)
class OnlyMines:
    """No more cells are covered than there are mines, so each of them is one."""

    mine_count: int


@dataclass(frozen=True, slots=True)
class EveryLayout:
    """No layout that agrees with all the numbers and the mine count has a mine there."""

    left: int
    """Mines that are not certain yet."""


@dataclass(frozen=True, slots=True)
class NothingSure:
    """Every covered cell may be a mine."""

    chance: Fraction
    lowest: Fraction
    """The lowest chance of a mine; the hint may prefer a cell that promises more."""
    reason: Reason
    exact: bool = True
    """Whether the chances are counted rather than estimated."""
    is_local: bool = False
    """Whether only a part of the board was considered."""


Premise = NumberFull | Overlap
"""What proves mines, on which another argument may rest."""

Certain = NumberDone | Premise | AllKnown | OnlyMines | EveryLayout
"""An argument that leaves no doubt."""

Argument = Certain | NothingSure


def premises(argument: Argument) -> tuple[Premise, ...]:
    return argument.because if isinstance(argument, NumberDone | Overlap) else ()


def steps_of(argument: Argument) -> tuple[Argument, ...]:
    """Return an argument and all that it rests on, each once and before what it rests on."""
    steps: dict[Argument, None] = {argument: None}
    for premise in premises(argument):
        for step in steps_of(premise):
            # Move it behind the others: another argument may rest on it as well.
            steps.pop(step, None)
            steps[step] = None
    return tuple(steps)


def cells_of(argument: Argument) -> Cells:
    """Return the numbers to look at for an argument and for all that it rests on."""
    cells = [number.cell for step in steps_of(argument) for number in _numbers(step)]
    return tuple(dict.fromkeys(cells))


def _numbers(argument: Argument) -> tuple[ShownNumber, ...]:
    match argument:
        case NumberDone() | NumberFull():
            return (argument.number,)
        case Overlap():
            return argument.fuller, argument.other
        case AllKnown() | OnlyMines() | EveryLayout() | NothingSure():
            return ()
