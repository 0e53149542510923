"""The chances of a position, on boards where they can be worked out by hand."""

from fractions import Fraction

import pytest

from jminesweeper.core import (
    Cell,
    CellError,
    Minefield,
    Size,
    parse_position,
    place_mines,
    seeded_bits,
)
from jminesweeper.solver import Counter, ImpossiblePositionError, analyse
from jminesweeper.solver.analysis import assess, unseen_cells
from jminesweeper.solver.frontier import Frontier
from tests.unit.solver.positions import known, view_of


@pytest.mark.requirement("E:Algorithm")
def test_a_board_with_nothing_shown_has_the_same_chance_everywhere() -> None:
    analysis = analyse(parse_position("? ? ?\n? ? ?", 2))
    assert set(analysis.chances.values()) == {Fraction(1, 3)}
    assert analysis.layouts == 15


@pytest.mark.requirement("E:Algorithm")
def test_the_mine_count_weighs_what_the_numbers_leave_open() -> None:
    # One mine beside the 1, and the other among the four cells beyond.
    analysis = analyse(parse_position("? 1 ? ? ?\n1 1 ? ? ?", 2))
    chances = analysis.chances
    assert chances[Cell(0, 0)] == 1
    assert analysis.mines == 1
    assert analysis.exact


def test_cells_that_are_safe_and_mines_for_sure_are_sets() -> None:
    view = parse_position("? ? ? ?\n1 2 2 1", 2)
    analysis = analyse(view)
    grid = view.grid
    assert analysis.safe == grid.bit(Cell(0, 0)) | grid.bit(Cell(3, 0))
    assert analysis.mines == grid.bit(Cell(1, 0)) | grid.bit(Cell(2, 0))


def test_the_chance_of_a_visible_cell_is_none_and_off_the_board_there_is_no_chance() -> None:
    analysis = analyse(parse_position("? 1", 1))
    assert analysis.chance(Cell(1, 0)) == 0
    assert analysis.chance(Cell(0, 0)) == 1
    with pytest.raises(CellError):
        analysis.chance(Cell(2, 0))


@pytest.mark.parametrize(
    ("text", "mines"),
    [
        ("1 ?\n? ?", 4),
        ("2 2\n? .", 1),
        ("? ? ?\n? 8 ?\n? ? ?", 3),
        ("? 2 ?", 1),
        ("1 1\n1 1", 1),
    ],
)
def test_an_impossible_position_is_recognised(text: str, mines: int) -> None:
    with pytest.raises(ImpossiblePositionError):
        analyse(parse_position(text, mines))


def test_a_position_too_large_to_count_is_estimated_and_says_so() -> None:
    size = Size(14, 14)
    field = Minefield(size, place_mines(size, 50, seeded_bits(3)))
    scattered = [cell for cell in field.grid.cells(field.safe) if (cell.column + cell.row) % 2]
    view = view_of(field, scattered)
    exact, estimated = analyse(view), analyse(view, Counter(state_limit=50))
    assert exact.exact
    assert not estimated.exact
    assert estimated.layouts is None
    # What is sure in an estimate is sure in truth.
    assert estimated.safe & ~exact.safe == 0
    assert estimated.mines & ~exact.mines == 0
    errors = [abs(float(estimated.chances[cell] - exact.chances[cell])) for cell in exact.chances]
    assert sum(errors) / len(errors) < 0.1


def test_floats_are_used_where_many_components_share_the_mines() -> None:
    text = "\n".join(["? ? ? ? ? ? " * 20, "? 1 ? 2 ? ? " * 20, "? ? ? ? ? ? " * 20] * 9)
    view = parse_position(text, 600)
    analysis = analyse(view)
    assert analysis.exact
    expected = sum(float(chance) for chance in analysis.chances.values())
    assert expected == pytest.approx(600, abs=1e-6)


def test_the_cells_no_number_sees_are_found() -> None:
    knowledge = known("? ? ? ?\n? 1 ? ?\n? ? ? ?", 2)
    assessment = assess(knowledge, Frontier(knowledge), Counter())
    assert unseen_cells(knowledge, assessment) == [3, 8, 13]
    assert assessment.unseen == 3
