from fractions import Fraction

from jminesweeper.core import Cell
from jminesweeper.solver import (
    EveryLayout,
    MinesFound,
    NothingSure,
    NumberDone,
    NumberFull,
    Overlap,
    cells_of,
    premises,
)

FULL = NumberFull(Cell(1, 0), 1, (Cell(0, 0),))
DONE = NumberDone(Cell(2, 0), 1, (Cell(0, 0),), (Cell(3, 0),), (FULL,))
OVERLAP = Overlap(Cell(1, 1), 1, Cell(2, 1), 1, (), (Cell(1, 0),), (Cell(3, 0),))


def test_the_numbers_of_an_argument_are_what_is_highlighted() -> None:
    assert cells_of(FULL) == (Cell(1, 0),)
    assert cells_of(DONE) == (Cell(2, 0),)
    assert cells_of(OVERLAP) == (Cell(1, 1), Cell(2, 1))
    assert cells_of(EveryLayout((Cell(4, 4),), 9)) == (Cell(4, 4),)
    assert cells_of(MinesFound((Cell(0, 0),))) == ()
    assert cells_of(NothingSure(Fraction(1, 2), Fraction(1, 2), "why")) == ()


def test_an_argument_names_what_it_rests_on() -> None:
    assert premises(DONE) == (FULL,)
    assert premises(FULL) == ()
    assert premises(EveryLayout((), 1)) == ()
