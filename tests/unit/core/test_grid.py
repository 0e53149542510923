"""Cells as bits."""

import pickle

import pytest

from jminesweeper.core.errors import CellError, SizeError
from jminesweeper.core.grid import Cell, Grid, Size, indices, is_adjacent, lowest


@pytest.mark.requirement("J:field size", "E:e93d531d")
@pytest.mark.parametrize("sides", [(1, 1), (255, 255), (1, 255), (255, 1), (30, 16)])
def test_a_board_has_1_to_255_columns_and_rows(sides: tuple[int, int]) -> None:
    size = Size(*sides)
    assert (size.columns, size.rows) == sides
    assert size.cells == sides[0] * sides[1]


@pytest.mark.requirement("J:field size")
@pytest.mark.parametrize("sides", [(0, 1), (1, 0), (256, 1), (1, 256), (-1, 5)])
def test_other_sizes_are_an_error_that_says_what_is_right(sides: tuple[int, int]) -> None:
    with pytest.raises(SizeError, match="must be 1 to 255, not"):
        Size(*sides)


def test_a_size_reads_as_columns_times_rows() -> None:
    assert str(Size(30, 16)) == "30x16"


def test_a_size_contains_its_cells_and_no_others() -> None:
    size = Size(2, 3)
    assert [size.has(cell) for cell in (Cell(1, 2), Cell(2, 0), Cell(0, 3), Cell(-1, 0))] == [
        True,
        False,
        False,
        False,
    ]


def test_the_grid_of_a_size_is_made_once() -> None:
    assert Grid.of(Size(7, 5)) is Grid.of(Size(7, 5))


def test_a_grid_that_comes_from_another_process_is_the_one_that_is_shared_here() -> None:
    grid = Grid.of(Size(30, 16))
    assert pickle.loads(pickle.dumps(grid)) is grid


def test_every_row_ends_in_a_padding_column_that_is_no_cell() -> None:
    grid = Grid.of(Size(3, 2))
    assert grid.stride == 4
    assert grid.mask == 0b0111_0111


@pytest.mark.parametrize("cell", [Cell(3, 0), Cell(0, 2), Cell(-1, 0), Cell(0, -1)])
def test_a_cell_that_is_not_on_the_board_is_an_error(cell: Cell) -> None:
    with pytest.raises(CellError, match="not on a board of 3x2"):
        Grid.of(Size(3, 2)).index(cell)


def test_the_lowest_cell_of_a_set_is_its_first_in_reading_order() -> None:
    assert lowest(0b10100) == 0b100
    assert lowest(0) == 0


@pytest.mark.parametrize(("size", "most"), [(Size(1, 1), 1), (Size(2, 1), 1), (Size(30, 16), 479)])
def test_a_chosen_board_keeps_a_safe_cell_where_it_has_two(size: Size, most: int) -> None:
    assert size.most_mines == most


def test_the_bits_of_a_set_are_listed_lowest_first() -> None:
    assert indices(0) == []
    assert indices(1 << 5000) == [5000]
    assert indices(0b1011 << 70) == [70, 71, 73]


def test_a_set_without_cells_spans_no_rows() -> None:
    assert not Grid.of(Size(3, 4)).rows_spanned(0)


@pytest.mark.requirement("F:is_adjacent")
@pytest.mark.parametrize("size", [Size(1, 1), Size(1, 4), Size(4, 3)])
def test_the_neighbours_of_a_cell_are_listed_and_are_those_adjacent_to_it(size: Size) -> None:
    grid = Grid.of(size)
    cells = list(grid.cells(grid.mask))
    for cell in cells:
        assert grid.neighbours_of(cell) == [other for other in cells if is_adjacent(cell, other)]
