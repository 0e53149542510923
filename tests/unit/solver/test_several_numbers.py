import pytest

from jminesweeper.core.grid import Cell, Size, indices
from jminesweeper.core.notation import parse_position
from jminesweeper.core.view import PlayerView
from jminesweeper.solver.analysis import analyse
from jminesweeper.solver.arguments import Argument, Clash, LastMines, ShownNumber
from jminesweeper.solver.knowledge import Terrain
from jminesweeper.solver.reasoning import Edge
from jminesweeper.solver.several_numbers import find_clash, find_last_mines
from tests.unit.solver.hint_checker import Checker

CORNERED = "? ? ?\n? 3 1\n? 1 ?"
CORNERED_BY_FOUR = "1 ? ? 2\n? ? 3 ?\n1 ? ? ?"


def clash(view: PlayerView) -> tuple[Cell, Clash] | None:
    found = find_clash(Edge.of(view, 0), (), indices(analyse(view).safe))
    return found and (view.grid.cell(found[0]), found[1])


def last_mines(view: PlayerView, left: int) -> tuple[Cell, LastMines] | None:
    found = find_last_mines(Edge.of(view, 0), left, (), indices(analyse(view).safe))
    return found and (view.grid.cell(found[0]), found[1])


def holds(view: PlayerView, found: tuple[Cell, Argument]) -> bool:
    return Checker(view, set()).frees(*found)


@pytest.mark.parametrize(("text", "mines", "numbers"), [(CORNERED, 3, 3), (CORNERED_BY_FOUR, 4, 4)])
def test_numbers_that_could_not_all_be_right_are_found(text: str, mines: int, numbers: int) -> None:
    view = parse_position(text, mines)
    found = clash(view)
    assert found is not None
    assert len(found[1].numbers) == numbers
    assert holds(view, found)


def test_what_only_the_mine_count_shows_is_no_clash() -> None:
    view = parse_position("1 ? ?\n? ? 1", 2)
    assert analyse(view).safe
    assert clash(view) is None


def test_cells_that_no_number_touches_cannot_clash() -> None:
    assert clash(parse_position("? ? 1 ? ?", 1)) is None


def test_a_number_that_needs_all_mines_frees_the_rest() -> None:
    view = parse_position("? ? 1 ? ?", 1)
    assert last_mines(view, 1) == (Cell(0, 0), LastMines((ShownNumber(Cell(2, 0), 1),), 1))


@pytest.mark.parametrize(
    ("text", "mines", "numbers"),
    [
        ("? ? ?\n1 2 ?\n. 1 ?", 2, 2),
        (". 1 ? ? ?\n1 2 ? 2 1\n? ? ? ? ?", 3, 3),
        ("? ? ? 1 .\n? ? ? 3 1\n1 2 ? ? ?\n. 1 ? ? 2", 5, 4),
    ],
)
def test_so_do_numbers_that_share_no_cell(text: str, mines: int, numbers: int) -> None:
    view = parse_position(text, mines)
    found = last_mines(view, mines)
    assert found is not None
    assert len(found[1].numbers) == numbers
    assert holds(view, found)


def test_numbers_that_share_cells_are_not_added_up() -> None:
    assert last_mines(parse_position("1 ? ?\n? ? 1", 2), 2) is None
    assert last_mines(parse_position("? 1 ?\n1 1 ?", 1), 5) is None


def test_more_numbers_than_a_sentence_can_name_are_none() -> None:
    assert last_mines(parse_position("? 1 ? " * 4 + "?", 4), 4) is not None
    assert last_mines(parse_position("? 1 ? " * 5 + "?", 5), 5) is None


def test_a_number_that_needs_more_than_is_left_is_passed_over() -> None:
    edge = Edge.of(parse_position("? 2 ? ? 2 ? ? 1 ?", 5), 0)
    numbers = ShownNumber(Cell(1, 0), 2), ShownNumber(Cell(7, 0), 1)
    assert find_last_mines(edge, 3, (), [3]) == (3, LastMines(numbers, 3))


@pytest.mark.parametrize(("count", "is_found"), [(6, True), (60, False)])
def test_the_search_for_all_mines_is_bounded(count: int, *, is_found: bool) -> None:
    # All choices with the first number come before those without it, which leave its cell out.
    edge = Edge.of(parse_position("? 1 ? " * count, count), 0)
    assert (find_last_mines(edge, 4, (), [0]) is not None) == is_found


def clash_behind(*numbers: tuple[range, int]) -> bool:
    """Whether three numbers are found that cannot all be right, behind some that can."""
    cell = max(cells.stop for cells, _ in numbers) - 1
    behind = [(cell, cell + 1), (cell + 1, cell + 2), (cell, cell + 2)]
    touched = [*(frozenset(cells) for cells, _ in numbers), *map(frozenset, behind)]
    around = dict(enumerate(touched, 100))
    needs = dict(enumerate([*(need for _, need in numbers), 1, 1, 1], 100))
    edge = Edge(Terrain.of(Size(30, 8)), frozenset(), needs, around, needs)
    return find_clash(edge, (), [0]) is not None


@pytest.mark.parametrize(("count", "is_found"), [(30, True), (50, False)])
def test_numbers_far_away_are_not_looked_at(count: int, *, is_found: bool) -> None:
    chain = [(range(cell, cell + 2), 1) for cell in range(count)]
    assert clash_behind(*chain) == is_found


@pytest.mark.parametrize(("width", "is_found"), [(2, True), (12, False)])
def test_the_search_for_a_clash_is_bounded(width: int, *, is_found: bool) -> None:
    ways = range(width + 1), range(width, 2 * width + 1)
    assert clash_behind(*[(cells, width // 2) for cells in ways]) == is_found
