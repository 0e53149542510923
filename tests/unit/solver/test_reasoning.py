from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.arguments import (
    Argument,
    NumberDone,
    NumberFull,
    Overlap,
    ShownNumber,
    premises,
)
from jminesweeper.solver.reasoning import Edge, Reasoning


def shortest(view: PlayerView, trusted: int = 0) -> tuple[Cell, Argument]:
    found = Reasoning(Edge.of(view, trusted)).first_safe()
    assert found is not None
    return view.grid.cell(found[0]), found[1]


def test_one_number_is_enough_where_one_number_is_enough() -> None:
    view = parse_position("F 1 ?\n1 1 ?", 1)
    cell, argument = shortest(view, view.flagged)
    assert cell == Cell(2, 0)
    one = ShownNumber(Cell(1, 0), 1)
    assert argument == NumberDone(one, (Cell(0, 0),), (Cell(2, 0), Cell(2, 1)))


def test_mines_the_player_has_not_flagged_are_proved_first() -> None:
    _, argument = shortest(parse_position("? 1 ?\n1 1 ?", 1))
    (premise,) = premises(argument)
    assert isinstance(premise, NumberFull)
    assert premise.mines == (Cell(0, 0),)


def test_one_proof_serves_for_all_the_mines_it_shows() -> None:
    # Each 1 at the left shows one of the two mines, the 2 at the top shows both.
    _, argument = shortest(parse_position("1 2 ? ?\n1 ? 2 1", 2))
    assert isinstance(argument, NumberDone)
    assert argument.mines == (Cell(2, 0), Cell(1, 1))
    (premise,) = premises(argument)
    assert premise.mines == argument.mines


def test_two_numbers_are_compared_when_none_is_enough_alone() -> None:
    _, argument = shortest(parse_position("1 1 ?\n? ? ?", 1))
    assert isinstance(argument, Overlap)
    assert argument.safe == (Cell(2, 0), Cell(2, 1))


def test_a_known_mine_that_makes_no_difference_needs_no_proof() -> None:
    # The corner shows that (1,1) is a mine, but both 2s touch it.
    _, argument = shortest(parse_position("1 ? ?\n2 2 ?\n? ? ?", 2))
    assert isinstance(argument, Overlap)
    assert argument.fuller_need == argument.other_need == 2
    assert premises(argument) == ()


def test_a_known_mine_that_makes_one_is_proved() -> None:
    # The 3 has its other mines at the top, as the 2 beside it touches no more than these.
    _, argument = shortest(parse_position("? ? ?\n? 3 2\n? 1 .", 3))
    assert isinstance(argument, Overlap)
    assert (argument.fuller_need, argument.other_need) == (1, 1)
    assert premises(argument) == (NumberFull(ShownNumber(Cell(2, 1), 2), (Cell(1, 0), Cell(2, 0))),)


def test_what_two_numbers_show_can_serve_as_a_proof() -> None:
    _, argument = shortest(parse_position("? 2 ?\n1 ? 1", 2))
    assert isinstance(argument, NumberDone)
    (premise,) = premises(argument)
    assert isinstance(premise, Overlap)
    assert premise.mines == argument.mines == (Cell(0, 0),)


def test_a_flag_that_is_not_trusted_is_an_ordinary_cell() -> None:
    cell, argument = shortest(parse_position("? 1 F\n1 1 ?", 1))
    assert cell in (Cell(2, 0), Cell(2, 1))
    assert premises(argument)


def test_where_no_argument_is_simple_there_is_none() -> None:
    assert Reasoning(Edge.of(parse_position("? 1\n? 1", 1), 0)).first_safe() is None


# The zero at the end touches no covered cell.
VIEW = parse_position("F ? ? 1 .\n2 2 1 1 .", 2)
INDEX = VIEW.grid.index


def test_numbers_that_touch_no_undecided_cell_are_left_out() -> None:
    edge = Edge.of(VIEW, VIEW.flagged)
    assert set(edge.clues) == {INDEX(Cell(column, 1)) for column in range(4)} | {INDEX(Cell(3, 0))}
    assert edge.number(INDEX(Cell(1, 1))) == ShownNumber(Cell(1, 1), 2)


def test_a_known_mine_is_taken_off_the_numbers_around_it() -> None:
    edge = Edge.of(VIEW, VIEW.flagged)
    number = INDEX(Cell(1, 1))
    assert edge.needs[number] == 1
    assert edge.cells(edge.open[number]) == (Cell(1, 0), Cell(2, 0))
    assert edge.cells(edge.known_around(number)) == (Cell(0, 0),)


def test_any_other_flag_is_a_covered_cell() -> None:
    edge = Edge.of(VIEW, 0)
    number = INDEX(Cell(1, 1))
    assert edge.needs[number] == 2
    assert len(edge.open[number]) == 3
    assert not edge.known_around(number)


def test_a_cell_knows_the_numbers_around_it() -> None:
    edge = Edge.of(VIEW, 0)
    assert set(edge.viewers[INDEX(Cell(0, 0))]) == {INDEX(Cell(0, 1)), INDEX(Cell(1, 1))}


def test_only_the_numbers_of_a_window_are_looked_at() -> None:
    left_half = 0b11
    edge = Edge.of(VIEW, 0, left_half | left_half << VIEW.grid.stride)
    assert set(edge.clues) == {INDEX(Cell(0, 1)), INDEX(Cell(1, 1))}
