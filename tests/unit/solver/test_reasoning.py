from fractions import Fraction

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView, parse_position
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.reasoning import (
    Argument,
    Edge,
    EveryLayout,
    NothingSure,
    NumberDone,
    NumberFull,
    OnlyMines,
    Overlap,
    Reasoning,
    ShownNumber,
    cells_of,
    premises,
    steps_of,
)


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


ONE, TWO = ShownNumber(Cell(1, 0), 1), ShownNumber(Cell(2, 1), 2)
FULL = NumberFull(ONE, (Cell(0, 0),))
OVERLAP = Overlap(TWO, 1, ONE, 1, (), (Cell(1, 0),), (Cell(3, 0),), (FULL,))
DONE = NumberDone(ShownNumber(Cell(2, 0), 1), (Cell(0, 0),), (Cell(3, 0),), (FULL, OVERLAP))


def test_the_numbers_of_an_argument_and_of_what_it_rests_on_are_highlighted() -> None:
    assert cells_of(FULL) == (Cell(1, 0),)
    assert cells_of(DONE) == (Cell(2, 0), Cell(2, 1), Cell(1, 0))
    for whole in (OnlyMines(3), EveryLayout(3, 1)):
        assert cells_of(whole) == ()
    assert cells_of(NothingSure(Fraction(1, 2), Fraction(1, 2), Reason.LOWEST_RISK)) == ()


def test_each_step_of_an_argument_comes_once_and_before_what_it_rests_on() -> None:
    assert steps_of(DONE) == (DONE, OVERLAP, FULL)
    assert premises(DONE) == (FULL, OVERLAP)
    assert premises(FULL) == premises(EveryLayout(1, 1)) == ()
