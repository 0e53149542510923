from jminesweeper.core import Cell, parse_position
from jminesweeper.solver import Number
from jminesweeper.solver.edge import Edge

# The zero at the end touches no covered cell.
VIEW = parse_position("F ? ? 1 .\n2 2 1 1 .", 2)
INDEX = VIEW.grid.index


def test_numbers_that_touch_no_undecided_cell_are_left_out() -> None:
    edge = Edge.of(VIEW, VIEW.flagged)
    assert set(edge.clues) == {INDEX(Cell(column, 1)) for column in range(4)} | {INDEX(Cell(3, 0))}
    assert edge.number(INDEX(Cell(1, 1))) == Number(Cell(1, 1), 2)


def test_a_trusted_flag_is_a_mine_that_is_found() -> None:
    edge = Edge.of(VIEW, VIEW.flagged)
    number = INDEX(Cell(1, 1))
    assert edge.needs[number] == 1
    assert edge.cells(edge.open[number]) == (Cell(1, 0), Cell(2, 0))
    assert edge.cells(edge.flags_around(number)) == (Cell(0, 0),)


def test_any_other_flag_is_a_covered_cell() -> None:
    edge = Edge.of(VIEW, 0)
    number = INDEX(Cell(1, 1))
    assert edge.needs[number] == 2
    assert len(edge.open[number]) == 3
    assert not edge.flags_around(number)


def test_a_cell_knows_the_numbers_around_it() -> None:
    edge = Edge.of(VIEW, 0)
    assert set(edge.viewers[INDEX(Cell(0, 0))]) == {INDEX(Cell(0, 1)), INDEX(Cell(1, 1))}
