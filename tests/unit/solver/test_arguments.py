from fractions import Fraction

from jminesweeper.core.grid import Cell
from jminesweeper.solver.arguments import (
    AllKnown,
    EveryLayout,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    ShownNumber,
    cells_of,
    premises,
    steps_of,
)
from jminesweeper.solver.strategy import Reason

ONE, TWO = ShownNumber(Cell(1, 0), 1), ShownNumber(Cell(2, 1), 2)
FULL = NumberFull(ONE, (Cell(0, 0),))
OVERLAP = Overlap(TWO, 1, ONE, 1, (), (Cell(1, 0),), (Cell(3, 0),), (FULL,))
DONE = NumberDone(ShownNumber(Cell(2, 0), 1), (Cell(0, 0),), (Cell(3, 0),), (FULL, OVERLAP))


def test_the_numbers_of_an_argument_are_what_is_highlighted() -> None:
    assert cells_of(FULL) == (Cell(1, 0),)
    for whole in (AllKnown(3), OnlyMines(3), EveryLayout(3)):
        assert cells_of(whole) == ()
    assert cells_of(NothingSure(Fraction(1, 2), Fraction(1, 2), Reason.LOWEST_RISK)) == ()


def test_so_are_those_that_it_rests_on() -> None:
    assert cells_of(DONE) == (Cell(2, 0), Cell(2, 1), Cell(1, 0))


def test_an_argument_names_what_it_rests_on() -> None:
    assert premises(DONE) == (FULL, OVERLAP)
    assert premises(FULL) == ()
    assert premises(EveryLayout(1)) == ()


def test_each_step_comes_once_and_before_what_it_rests_on() -> None:
    assert steps_of(DONE) == (DONE, OVERLAP, FULL)
