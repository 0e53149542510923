from fractions import Fraction

import pytest

from jminesweeper.core import Cell
from jminesweeper.solver.words import (
    counted,
    percent,
    percent_in_tenths,
    place,
    places,
    plural,
    series,
)

CELLS = (Cell(8, 1), Cell(8, 2), Cell(6, 3))


def test_a_cell_is_its_column_and_row() -> None:
    assert place(Cell(254, 0)) == "(254,0)"


@pytest.mark.parametrize(
    ("count", "text"),
    [(1, "(8,1)"), (2, "(8,1) and (8,2)"), (3, "(8,1), (8,2) and (6,3)")],
)
def test_lists_end_in_one_and(count: int, text: str) -> None:
    assert places(CELLS[:count]) == text


def test_a_long_list_has_commas_between_all_but_the_last() -> None:
    assert series("abcd") == "a, b, c and d"


def test_one_thing_is_one_and_more_are_many() -> None:
    assert [counted(count, "mine") for count in (0, 1, 2)] == ["0 mines", "1 mine", "2 mines"]
    assert plural(1, "cell") == "cell"
    assert [counted(count, "guess", "guesses") for count in (1, 2)] == ["1 guess", "2 guesses"]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1, 8), "12 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 10**6), "under 0.1 %"),
        (Fraction(999, 1000), "99.9 %"),
        (Fraction(9999, 10_000), "over 99.9 %"),
        (0.125, "12 %"),
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_short_of_certain_never_reads_as_certain(
    chance: Fraction | float, text: str
) -> None:
    assert percent(chance) == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.125, "12.5 %"), (0.0, "0.0 %"), (1.0, "100.0 %"), (1e-6, "<0.1 %"), (1 - 1e-6, ">99.9 %")],
)
def test_tables_tell_tenths(chance: float, text: str) -> None:
    assert percent_in_tenths(chance) == text
