from jminesweeper.core import Cell, parse_position
from jminesweeper.solver import NumberDone, NumberFull, Overlap, premises
from jminesweeper.solver.reasoning import Reasoning


def test_one_number_is_enough_where_one_number_is_enough() -> None:
    view = parse_position("F 1 ?\n1 1 ?", 1)
    found = Reasoning(view, view.flagged).first_safe()
    assert found is not None
    index, argument = found
    assert view.grid.cell(index) == Cell(2, 0)
    assert argument == NumberDone(Cell(1, 0), 1, (Cell(0, 0),), (Cell(2, 0), Cell(2, 1)))


def test_mines_the_player_has_not_flagged_are_proved_first() -> None:
    view = parse_position("? 1 ?\n1 1 ?", 1)
    found = Reasoning(view, 0).first_safe()
    assert found is not None
    (premise,) = premises(found[1])
    assert isinstance(premise, NumberFull)
    assert premise.mines == (Cell(0, 0),)


def test_two_numbers_are_compared_when_none_is_enough_alone() -> None:
    found = Reasoning(parse_position("1 1 ?\n? ? ?", 1), 0).first_safe()
    assert found is not None
    assert isinstance(found[1], Overlap)
    assert found[1].safe == (Cell(2, 0), Cell(2, 1))


def test_a_flag_that_is_not_trusted_is_an_ordinary_cell() -> None:
    view = parse_position("? 1 F\n1 1 ?", 1)
    found = Reasoning(view, 0).first_safe()
    assert found is not None
    assert view.grid.cell(found[0]) in (Cell(2, 0), Cell(2, 1))
    assert premises(found[1])


def test_where_no_argument_is_simple_there_is_none() -> None:
    assert Reasoning(parse_position("? 1\n? 1", 1), 0).first_safe() is None
