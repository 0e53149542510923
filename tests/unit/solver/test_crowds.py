import pytest

from jminesweeper.core import Cell, PlayerView, parse_position
from jminesweeper.solver import Argument, Clash, LastMines, Number, analyse
from jminesweeper.solver.crowds import find_clash, find_last_mines
from jminesweeper.solver.edge import Edge
from jminesweeper.solver.terrain import indices
from tests.unit.solver.hint_checker import Checker

CORNERED = "? ? ?\n? 3 1\n? 1 ?"
CORNERED_BY_FOUR = "1 ? ? 2\n? ? 3 ?\n1 ? ? ?"


def clash(view: PlayerView) -> tuple[Cell, Clash] | None:
    found = find_clash(Edge.of(view, 0), indices(analyse(view).safe))
    return found and (view.grid.cell(found[0]), found[1])


def last_mines(view: PlayerView, left: int) -> tuple[Cell, LastMines] | None:
    found = find_last_mines(Edge.of(view, 0), left, indices(analyse(view).safe))
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
    assert last_mines(view, 1) == (Cell(0, 0), LastMines((Number(Cell(2, 0), 1),), 1))


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


def test_the_search_is_bounded() -> None:
    rows = ["? " * 40, "1 " * 40, "? " * 40]
    view = parse_position("\n".join(row.strip() for row in rows), 26)
    edge = Edge.of(view, 0)
    assert find_last_mines(edge, 25, [0]) is None
    assert find_clash(edge, [0]) is None
