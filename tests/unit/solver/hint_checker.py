"""Checks a hint's argument by itself: it believes the clues and trusted flags, nothing else."""

from __future__ import annotations

import re
from textwrap import wrap

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.hints import ROOM, Advice
from jminesweeper.solver.reasoning import (
    Argument,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    ShownNumber,
    premises,
)


class FallacyError(AssertionError):
    """The argument does not hold."""


class Checker:
    """The proof of one position by an argument and its premises."""

    def __init__(self, view: PlayerView, trusted: set[Cell]) -> None:
        self._view = view
        self._trusted = trusted

    def proves(self, argument: Argument) -> tuple[set[Cell], set[Cell]]:
        """The cells an argument proves safe, and mines; premises are checked first."""
        mines = set(self._trusted)
        for premise in premises(argument):
            mines |= self.proves(premise)[1]
        match argument:
            case NumberDone():
                return self._number_done(argument, mines), mines
            case NumberFull():
                return set(), mines | self._number_full(argument)
            case Overlap():
                return self._overlap(argument, mines)
            case _:
                raise FallacyError("this one needs counting, not a few steps")

    def all_are_mines(self, argument: OnlyMines) -> bool:
        view = self._view
        covered = view.grid.mask & ~view.visible
        return argument.mine_count == view.mine_count == covered.bit_count()

    def _number_done(self, argument: NumberDone, mines: set[Cell]) -> set[Cell]:
        around = self._covered(argument.number)
        self._require(set(argument.mines) <= mines & around)
        self._require(len(argument.mines) == argument.number.clue)
        self._require(set(argument.safe) <= around - set(argument.mines))
        return set(argument.safe)

    def _number_full(self, argument: NumberFull) -> set[Cell]:
        self._require(self._covered(argument.number) == set(argument.mines))
        self._require(len(argument.mines) == argument.number.clue)
        return set(argument.mines)

    def _overlap(self, argument: Overlap, mines: set[Cell]) -> tuple[set[Cell], set[Cell]]:
        shared = set(argument.shared)
        here, there = shared | set(argument.mines), shared | set(argument.safe)
        for number, cells, need in (
            (argument.fuller, here, argument.fuller_need),
            (argument.other, there, argument.other_need),
        ):
            around = self._covered(number)
            self._require(cells <= around)
            # What is not weighed is known to be mines, and they are what is not needed any more.
            self._require(around - cells <= mines)
            self._require(number.clue - len(around - cells) == need)
        self._require(here & there == shared)
        # The shared cells hold at most what the other number needs, so the rest is filled.
        self._require(argument.fuller_need - argument.other_need == len(argument.mines))
        return set(argument.safe), mines | set(argument.mines)

    def _covered(self, number: ShownNumber) -> set[Cell]:
        self._require(self._view.clue(number.cell) == number.clue)
        grid = self._view.grid
        near = grid.neighbours(grid.bit(number.cell)) & ~grid.bit(number.cell)
        return set(grid.cells(near & ~self._view.visible))

    @staticmethod
    def _require(holds: bool) -> None:
        if not holds:
            raise FallacyError("a step of the argument does not hold")


def fits_the_screen(text: str) -> bool:
    return all(len(wrap(text, columns)) <= lines for columns, lines in ROOM)


_NUMBER = re.compile(r"the (\d) at \((\d+),(\d+)\)")
_FULL = re.compile(r"(?:the (\d) at \((\d+),(\d+)\)) (?:touches )?only \1\b")
_MINES = re.compile(
    r"(?:its mines?|a mine|has mines) at ((?:\(\d+,\d+\)(?:, | and )?)+)"
    r"|as ((?:\(\d+,\d+\)(?:, | and )?)+) (?:is a mine|are mines)"
)
_PLACE = re.compile(r"\((\d+),(\d+)\)")
_SLIPS = (
    re.compile(r"\b1 (?:\w+ )?(?:mines|cells|neighbours)\b"),
    re.compile(r"\b[02-9] (?:\w+ )?(?:mine|cell|neighbour)\b"),
    re.compile(r"\) and \(\d+,\d+\) and \("),
    re.compile(r"\), \(\d+,\d+\)(?! and|,)"),
    re.compile(r"column \d|row \d|\( | \)|  | ,| \.|\d%|with \d"),
)


class Reader:
    """The meaning of a hint's words, taken literally."""

    def __init__(self, view: PlayerView, mines: set[Cell]) -> None:
        self._view = view
        self._mines = mines

    def check(self, hint: Advice) -> None:
        """See that every number is where it is said to be, and every mine one for sure."""
        text = hint.text
        assert f"({hint.cell.column},{hint.cell.row})" in text
        assert text.endswith(".")
        assert fits_the_screen(text), text
        for slip in _SLIPS:
            assert not slip.search(text), text
        for clue, column, row in _NUMBER.findall(text):
            assert self._view.clue(Cell(int(column), int(row))) == int(clue), text
        for _, column, row in _FULL.findall(text):
            cell = Cell(int(column), int(row))
            assert self._covered_around(cell) == self._view.clue(cell), text
        for found in _MINES.finditer(text):
            for column, row in _PLACE.findall(found[0]):
                assert Cell(int(column), int(row)) in self._mines, text

    def _covered_around(self, cell: Cell) -> int:
        grid = self._view.grid
        return (grid.neighbours(grid.bit(cell)) & ~self._view.visible).bit_count()
