"""Checks a hint's argument by itself: it believes the clues and trusted flags, nothing else."""

from __future__ import annotations

from jminesweeper.core import Cell, PlayerView
from jminesweeper.solver.arguments import (
    Argument,
    EveryLayout,
    MinesFound,
    NothingSure,
    NumberDone,
    NumberFull,
    Overlap,
)


class FallacyError(AssertionError):
    """The argument does not hold."""


class Checker:
    """What an argument and its premises prove about one position."""

    def __init__(self, view: PlayerView, trusted: set[Cell]) -> None:
        self._view = view
        self._trusted = trusted

    def proves(self, argument: Argument) -> tuple[set[Cell], set[Cell]]:
        """The cells an argument proves safe, and mines; premises are checked first."""
        safe: set[Cell] = set()
        mines = set(self._trusted)
        if isinstance(argument, NumberDone | NumberFull | Overlap | MinesFound):
            for premise in argument.because:
                more_safe, more_mines = self.proves(premise)
                safe |= more_safe
                mines |= more_mines
        match argument:
            case NumberDone():
                return self._number_done(argument, safe, mines)
            case NumberFull():
                return self._number_full(argument, safe, mines)
            case Overlap():
                return self._overlap(argument, safe, mines)
            case MinesFound() | EveryLayout() | NothingSure():
                raise FallacyError("this one needs counting, not a few steps")

    def _number_done(
        self, argument: NumberDone, safe: set[Cell], mines: set[Cell]
    ) -> tuple[set[Cell], set[Cell]]:
        around = self._covered(argument.number)
        self._require(self._view.clue(argument.number) == argument.clue)
        self._require(set(argument.mines) <= mines & around)
        self._require(len(argument.mines) == argument.clue)
        self._require(set(argument.safe) <= around - set(argument.mines))
        return safe | set(argument.safe), mines

    def _number_full(
        self, argument: NumberFull, safe: set[Cell], mines: set[Cell]
    ) -> tuple[set[Cell], set[Cell]]:
        around = self._covered(argument.number)
        self._require(self._view.clue(argument.number) == argument.clue)
        self._require(around - safe == set(argument.mines))
        self._require(len(argument.mines) == argument.clue)
        return safe, mines | set(argument.mines)

    def _overlap(
        self, argument: Overlap, safe: set[Cell], mines: set[Cell]
    ) -> tuple[set[Cell], set[Cell]]:
        here = self._covered(argument.fuller) - safe - mines
        there = self._covered(argument.other) - safe - mines
        needs = [
            self._view.clue(number) - len(self._covered(number) & mines)
            for number in (argument.fuller, argument.other)
        ]
        self._require(needs == [argument.fuller_need, argument.other_need])
        self._require(set(argument.mines) == here - there)
        self._require(set(argument.shared) == here & there)
        self._require(set(argument.safe) == there - here)
        # The shared cells hold at most what the other number needs, so the rest is filled.
        self._require(needs[0] - needs[1] == len(argument.mines))
        return safe | set(argument.safe), mines | set(argument.mines)

    def _covered(self, number: Cell) -> set[Cell]:
        grid = self._view.grid
        near = grid.neighbours(grid.bit(number)) & ~grid.bit(number)
        return set(grid.cells(near & ~self._view.visible))

    @staticmethod
    def _require(holds: bool) -> None:
        if not holds:
            raise FallacyError("a step of the argument does not hold")
