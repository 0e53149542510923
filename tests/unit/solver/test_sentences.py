from fractions import Fraction

import pytest

from jminesweeper.core import ActionKind, Cell
from jminesweeper.solver import (
    Argument,
    EveryLayout,
    MinesFound,
    NothingSure,
    NumberDone,
    NumberFull,
    Overlap,
)
from jminesweeper.solver.sentences import percent, sentence

FULL = NumberFull(Cell(1, 0), 1, (Cell(0, 0),))
PAIR = NumberFull(Cell(5, 5), 2, (Cell(4, 4), Cell(4, 6)))


def told(argument: Argument, chance: Fraction = Fraction(0)) -> str:
    return sentence(Cell(3, 0), ActionKind.REVEAL, chance, argument)


def test_a_number_that_is_done_frees_its_neighbours() -> None:
    done = NumberDone(Cell(2, 0), 2, (Cell(1, 0), Cell(1, 1)), (Cell(3, 0),))
    assert told(done) == (
        "The 2 at column 2, row 0 already has all its 2 mines, so its other neighbours are safe. "
        "Reveal column 3, row 0."
    )


def test_a_zero_has_no_mine_around_it() -> None:
    assert told(NumberDone(Cell(2, 0), 0, (), (Cell(3, 0),))).startswith(
        "The cell at column 2, row 0 has no mine around it."
    )


def test_the_reasons_come_before_what_follows_from_them() -> None:
    done = NumberDone(Cell(2, 0), 1, (Cell(0, 0),), (Cell(3, 0),), (FULL,))
    assert told(done) == (
        "The 1 at column 1, row 0 has only 1 neighbour that can be mines, so (0, 0) must be a "
        "mine. The 1 at column 2, row 0 already has its mine, so its other neighbours are safe. "
        "Reveal column 3, row 0."
    )


def test_a_reason_that_serves_twice_is_told_once() -> None:
    middle = NumberDone(Cell(2, 0), 1, (Cell(0, 0),), (Cell(3, 3),), (FULL,))
    last = NumberFull(Cell(4, 3), 1, (Cell(5, 4),), (middle, FULL))
    assert told(last).count("column 1, row 0") == 1


@pytest.mark.parametrize(
    ("mines", "safe", "said"),
    [
        ((), (Cell(3, 0),), "all touch column 2, row 1 as well, which needs no more"),
        ((Cell(0, 0),), (Cell(3, 0),), "can hold them, so (3, 0) must be safe"),
        ((Cell(0, 0),), (), "only (0, 0) can hold them."),
    ],
)
def test_two_numbers_are_compared(
    mines: tuple[Cell, ...], safe: tuple[Cell, ...], said: str
) -> None:
    overlap = Overlap(Cell(1, 1), 1 + len(mines), Cell(2, 1), 1, mines, (Cell(1, 0),), safe)
    assert said in told(overlap)


def test_counting_mines_and_layouts_is_said_as_it_is() -> None:
    assert told(MinesFound(())).startswith("Every mine is found")
    assert told(EveryLayout((), 10)).startswith("No layout of 10 mines that agrees")


def test_where_nothing_is_sure_the_risk_is_told() -> None:
    least = Fraction(3, 25)
    assert told(NothingSure(least, least, "why"), least).startswith(
        "No cell is sure; the least risky is a mine with 12 %."
    )
    other = Fraction(1, 7)
    assert "14 % (the least risky with 12 %), but why" in told(
        NothingSure(other, least, "why"), other
    )


def test_flags_are_set_and_taken_off() -> None:
    assert sentence(Cell(0, 0), ActionKind.FLAG, Fraction(1), PAIR).endswith(
        "(4, 4) and (4, 6) must be mines. Flag column 0, row 0."
    )
    assert "is wrong: take it off" in sentence(Cell(0, 0), ActionKind.FLAG, Fraction(0), FULL)


def test_a_flag_that_may_be_right_is_not_called_wrong() -> None:
    risk = NothingSure(Fraction(1, 8), Fraction(1, 8), "")
    text = sentence(Cell(0, 0), ActionKind.FLAG, Fraction(1, 8), risk)
    assert text.endswith("Take the flag at column 0, row 0 off and reveal the cell.")
    assert "wrong" not in text


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(1, 8), "12 %"),
        (Fraction(1, 1000), "0.1 %"),
        (Fraction(1, 10**6), "0.1 %"),
        (Fraction(9999, 10_000), "99.9 %"),
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_a_chance_short_of_certain_never_reads_as_certain(chance: Fraction, text: str) -> None:
    assert percent(chance) == text
