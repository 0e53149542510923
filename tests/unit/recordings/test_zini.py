"""ZiNi: on boards that are worked out by hand, and beside a player who counts everything anew."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from jminesweeper.core.game import Game
from jminesweeper.core.generator import place_mines, seeded_bits
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.figures import measure_board
from jminesweeper.recordings.zini import zini, zini_results
from tests.property.core_strategies import setups

CLASSIC = PRESETS["classic"]


@pytest.mark.parametrize(
    ("board", "clicks"),
    [
        (". . .\n. . .", 1),
        ("*.", 1),
        (". * .", 2),
        # Open the middle of a side, flag, chord; two more chords around the mine.
        (". . .\n. * .\n. . .", 5),
        # Open an end, flag, chord; the cell that is left is a click.
        (". . .\n* . *", 4),
        # Two openings, and a 1 between them that a chord with one flag opens as well.
        (". . . . .\n. . * . .", 3),
    ],
)
def test_boards_that_are_worked_out_by_hand(board: str, clicks: int) -> None:
    assert zini(parse_board(board.replace(" ", "")), CLASSIC) == clicks


def test_the_best_of_eight_orders_counts() -> None:
    random_bits = seeded_bits(4)
    field = Minefield(Size(9, 9), place_mines(Size(9, 9), 20, random_bits))
    results = list(zini_results(field, CLASSIC))
    assert len(results) == 8
    assert len(set(results)) > 1
    assert zini(field, CLASSIC) == min(results)


def test_a_turned_board_has_the_same_result() -> None:
    rows = ["..*.*", ".....", "*..*.", "....*"]
    turned = ["".join(row[column] for row in reversed(rows)) for column in range(5)]
    assert zini(parse_board("\n".join(rows)), CLASSIC) == zini(
        parse_board("\n".join(turned)), CLASSIC
    )


def test_the_mean_of_expert_boards_is_two_thirds_of_their_3bv() -> None:
    size, random_bits = Size(30, 16), seeded_bits(1)
    fields = [Minefield(size, place_mines(size, 99, random_bits)) for _ in range(40)]
    clicks = sum(zini(field, CLASSIC) for field in fields)
    bbbv = sum(measure_board(field, CLASSIC).bbbv for field in fields)
    assert clicks / bbbv == pytest.approx(0.68, abs=0.02)


@given(setups(6))
def test_the_result_by_rows_is_that_of_a_player_who_counts_everything_anew(setup: Setup) -> None:
    field, rules = setup.minefield(), setup.rules
    first = next(zini_results(field, rules))
    assert first == sum(1 for _ in Naive(field, rules).clicks())
    assert first <= measure_board(field, rules).bbbv


class Naive:
    """The definition to the letter, on a game of its own."""

    def __init__(self, field: Minefield, rules: Rules) -> None:
        plain = Rules("plain", spread=rules.spread, auto_open=rules.auto_open, chording=True)
        self.field = field
        self.game = Game(Setup.of(field.size, rules=plain, layout=field.mines))
        self.safe = list(field.grid.cells(field.safe))
        self.rules = rules

    def clicks(self) -> Iterator[Cell]:
        while covered := [cell for cell in self.safe if not self.is_visible(cell)]:
            best = max(self.safe, key=self.premium)
            if self.premium(best) < 0:
                yield self.open(next(cell for cell in covered if self.is_opener(cell)))
                continue
            if best in covered:
                yield self.open(best)
            for mine in field_cells(self.field, best):
                if self.field.mines & self.bit(mine) and not self.game.flagged & self.bit(mine):
                    self.game.flag(mine, 0)
                    yield mine
            yield best
            for cell in field_cells(self.field, best):
                if not (self.field.mines & self.bit(cell) or self.is_visible(cell)):
                    self.open(cell)

    def premium(self, cell: Cell) -> int:
        near = field_cells(self.field, cell)
        mines = [each for each in near if self.field.mines & self.bit(each)]
        unflagged = sum(not self.game.flagged & self.bit(mine) for mine in mines)
        gain = self.gain([each for each in near if each not in mines])
        return gain - unflagged - 1 - (not self.is_visible(cell))

    def gain(self, cells: list[Cell]) -> int:
        """How much 3BV opening these cells solves: openings by their zeros, and lone cells."""
        gained, visible = 0, self.game.visible
        for cell in cells:
            if not visible & self.bit(cell) and self.is_opener(cell):
                visible |= (
                    self.field.flood(self.bit(cell), visible, self.rules.spread)
                    if self.rules.auto_open
                    else self.bit(cell)
                )
                gained += 1
        return gained

    def is_opener(self, cell: Cell) -> bool:
        """Whether a click on the cell counts for the 3BV: a zero, or opened by none."""
        if not self.rules.auto_open or self.field.zeros & self.bit(cell):
            return True
        zeros = self.field.zeros
        opened = self.field.flood(zeros, 0, self.rules.spread)
        return not opened & self.bit(cell)

    def open(self, cell: Cell) -> Cell:
        self.game.reveal(cell, 0)
        return cell

    def is_visible(self, cell: Cell) -> bool:
        return bool(self.game.visible & self.bit(cell))

    def bit(self, cell: Cell) -> int:
        return self.field.grid.bit(cell)


def field_cells(field: Minefield, cell: Cell) -> list[Cell]:
    """List a cell and its neighbours."""
    bit = field.grid.bit(cell)
    return list(field.grid.cells(bit | field.grid.neighbours(bit)))
