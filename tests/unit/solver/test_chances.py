"""The chance of a mine in every cell, on boards where it can be worked out by other means."""

from fractions import Fraction
from itertools import count as counting_up
from math import comb

import pytest

from jminesweeper.core.errors import CellError
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield, place_mines, seeded_bits
from jminesweeper.core.view import PlayerView, parse_position
from jminesweeper.solver.knowledge import OutOfTimeError
from jminesweeper.solver.position import Position, analyse
from tests.unit.solver.positions import view_of


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


def test_a_position_too_large_to_count_is_estimated_and_says_so() -> None:
    size = Size(14, 14)
    field = Minefield(size, place_mines(size, 50, seeded_bits(3)))
    scattered = [cell for cell in field.grid.cells(field.safe) if (cell.column + cell.row) % 2]
    view = view_of(field, scattered)
    exact, estimated = analyse(view), analyse(view, state_limit=50)
    assert exact.exact
    assert not estimated.exact
    assert estimated.layouts is None
    # What is sure in an estimate is sure in truth.
    assert estimated.safe & ~exact.safe == 0
    assert estimated.mines & ~exact.mines == 0
    errors = [abs(float(estimated.chances[cell] - exact.chances[cell])) for cell in exact.chances]
    assert sum(errors) / len(errors) < 0.1


def islands(count: int) -> PlayerView:
    """A board with so many parts that have nothing to do with each other."""
    island = "? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?\n? ? ? ? ?"
    return parse_position("\n".join([island] * count), 4 * count)


def test_one_budget_is_for_all_parts_of_a_position() -> None:
    assert analyse(islands(2), state_limit=40).exact
    assert not analyse(islands(40), state_limit=40).exact


def by_counting_islands(islands: int, unseen: int, mines: int) -> Fraction:
    """The chance of a mine in a cell that no number sees, from what each island can take.

    An island has its one mine among the three shared cells, and then one of its five others is
    mined; or both numbers have all theirs beyond them.
    """
    ways = [1]
    for _ in range(islands):
        joined = [0] * (len(ways) + 1)
        for extra, count in enumerate(ways):
            joined[extra] += count * 3 * 5
            joined[extra + 1] += count * 5 * 10
        ways = joined
    total = mined = 0
    for extra, count in enumerate(ways):
        left = mines - 2 * islands - extra
        if left >= 0:
            total += count * comb(unseen, left)
            mined += count * comb(unseen - 1, left - 1) if left else 0
    return Fraction(mined, total)


@pytest.mark.parametrize("count", [3, 170, 400])
def test_many_parts_share_the_mines_whether_counted_or_weighed_by_odds(count: int) -> None:
    rows = 51
    columns = -(-count // rows)
    island = ["? ? ? ? ? ", "? 1 ? 2 ? ", "? ? ? ? ? ", "? ? ? ? ? ", "? ? ? ? ? "]
    nothing = ["? ? ? ? ? "] * 5
    lines = []
    for row in range(rows):
        shown = [row * columns + column < count for column in range(columns)]
        parts = [island if each else nothing for each in shown]
        lines += ["".join(line) for line in zip(*parts, strict=True)]
    unseen = 25 * rows * columns - 15 * count
    mines = 3 * count + unseen // 5
    analysis = analyse(parse_position("\n".join(lines), mines))
    expected = by_counting_islands(count, unseen, mines)
    # Beyond so many totals, layouts are weighed and no longer counted.
    assert analysis.exact == (count <= 160)
    assert float(analysis.chance(Cell(0, 4))) == pytest.approx(float(expected), abs=1e-4)
    assert float(sum(analysis.chances.values())) == pytest.approx(mines)


def test_the_mine_count_proves_nothing_where_it_is_weighed_by_odds() -> None:
    # Every island takes as few mines as it can, so nothing is left for the other cells.
    rows = ["? ? ? ? ?" * 4, "? 1 ? 2 ?" * 4, "? ? ? ? ?" * 4, "? ? ? ? ?" * 4]
    analysis = analyse(parse_position("\n".join(rows * 51), 4 * 51 * 2))
    assert 0 < analysis.chance(Cell(0, 3)) < 0.01


def test_a_part_that_is_estimated_leaves_its_neighbours_uncertain() -> None:
    text = "\n".join(["? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?\n? ? ? ? ?"] * 3)
    estimated = analyse(parse_position(text, 12), state_limit=0)
    exact = analyse(parse_position(text, 12))
    assert (estimated.exact, estimated.layouts, estimated.safe) == (False, None, 0)
    errors = [abs(float(estimated.chances[cell] - exact.chances[cell])) for cell in exact.chances]
    assert sum(errors) / len(errors) < 0.1


def test_an_analysis_ends_when_time_is_up() -> None:
    asked = counting_up()
    with pytest.raises(OutOfTimeError):
        analyse(islands(2), deadline=lambda: next(asked) > 1)


def test_a_second_look_at_a_position_counts_it_as_the_first_one_did() -> None:
    position = Position.of(parse_position("? ? ? ? ?\n? ? ? ? ?\n? ? 3 ? ?\n? ? ? ? ?", 7))
    first, second = position.assess(), position.assess()
    assert second.chance == first.chance
    assert len(set(first.chance.values())) > 1
    assert position.within(position.knowledge.visible).assess().chance == first.chance
