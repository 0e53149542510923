from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.grid import MAX_SIDE, Cell, Size
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS, CellSize, Layout, Window
from jminesweeper.terminal.layout import arrange as arrange_on

sides = st.integers(1, MAX_SIDE)
sizes = st.builds(Size, sides, sides)
widths = st.sampled_from(CellSize)
START = Window(0, 0)


def arrange(columns: int, rows: int, size: Size, cells: CellSize) -> Layout:
    return arrange_on(columns, rows, size, cells, has_tiles=False)


def test_cells_take_one_column_where_that_shows_whole_rows() -> None:
    assert not arrange(80, 24, Size(60, 16), CellSize.AUTO).shape.is_wide
    assert arrange(80, 24, Size(255, 255), CellSize.AUTO).shape.is_wide
    assert arrange(80, 24, Size(60, 16), CellSize.TWO).shape.is_wide
    assert not arrange(80, 24, Size(9, 9), CellSize.ONE).shape.is_wide


@pytest.mark.parametrize(
    ("columns", "rows", "size", "cell"),
    [
        (200, 60, Size(30, 16), (5, 3)),
        (200, 60, Size(9, 9), (5, 3)),
        (100, 30, Size(9, 9), (3, 1)),
        (100, 30, Size(16, 16), (3, 1)),
        (100, 30, Size(32, 24), (2, 1)),
        (80, 24, Size(9, 9), (2, 1)),
        (255, 24, Size(100, 16), (2, 1)),
    ],
)
def test_on_a_wide_terminal_a_board_that_would_fill_little_has_larger_cells(
    columns: int, rows: int, size: Size, cell: tuple[int, int]
) -> None:
    layout = arrange(columns, rows, size, CellSize.AUTO)
    assert (layout.shape.columns, layout.shape.rows) == cell
    assert not layout.is_windowed


def test_cells_of_a_chosen_size_may_need_a_window() -> None:
    layout = arrange(80, 24, Size(30, 16), CellSize.FIVE)
    assert (layout.window_columns, layout.window_rows) == (15, 6)
    assert layout.is_windowed


@given(
    columns=st.integers(FEWEST_COLUMNS, 255),
    rows=st.integers(FEWEST_ROWS, 255),
    size=sizes,
    width=widths,
)
def test_everything_has_its_place_on_the_screen(
    columns: int, rows: int, size: Size, width: CellSize
) -> None:
    layout = arrange(columns, rows, size, width)
    assert 0 <= layout.header_row < layout.frame_row
    assert layout.frame_row + layout.field_rows + 2 == layout.foot_row
    assert layout.foot_rows >= 1
    assert layout.foot_row + layout.foot_rows == layout.keys_row < rows
    assert layout.frame_left >= 0
    assert layout.frame_left + layout.frame_width <= columns
    assert layout.left + layout.width <= columns
    assert layout.window_columns >= 1
    assert layout.window_rows >= 1


@given(data=st.data(), size=sizes, width=widths)
def test_the_window_follows_the_cursor_with_something_around_it(
    data: st.DataObject, size: Size, width: CellSize
) -> None:
    layout = arrange(60, 20, size, width)
    window = START
    for _ in range(8):
        cursor = Cell(
            data.draw(st.integers(0, size.columns - 1)), data.draw(st.integers(0, size.rows - 1))
        )
        window = layout.follow(window, cursor)
        for first, shown, total, place in (
            (window.column, layout.window_columns, size.columns, cursor.column),
            (window.row, layout.window_rows, size.rows, cursor.row),
        ):
            margin = min(3, (shown - 1) // 2)
            assert 0 <= first <= total - shown
            assert place - first >= min(margin, place)
            assert first + shown - 1 - place >= min(margin, total - 1 - place)


def test_a_window_stays_while_the_cursor_is_well_inside() -> None:
    size = Size(255, 255)
    layout = arrange(80, 24, size, CellSize.AUTO)
    window = layout.follow(START, Cell(100, 100))
    assert layout.follow(window, Cell(101, 100)) == window


def test_a_window_that_must_move_moves_a_good_piece() -> None:
    size = Size(255, 255)
    layout = arrange(80, 24, size, CellSize.AUTO)
    window, moves = layout.follow(START, Cell(0, 0)), 0
    for column in range(255):
        moved = layout.follow(window, Cell(column, 0))
        moves += moved != window
        window = moved
    assert moves < 25


@given(data=st.data(), size=sizes, width=widths)
def test_a_cell_is_found_where_it_is_painted_and_in_the_gap_behind_it(
    data: st.DataObject, size: Size, width: CellSize
) -> None:
    layout = arrange(80, 24, size, width)
    cell = Cell(
        data.draw(st.integers(0, size.columns - 1)), data.draw(st.integers(0, size.rows - 1))
    )
    window = layout.follow(START, cell)
    row, column = layout.place_of(window, cell)
    assert layout.cell_at(window, row, column) == cell
    if layout.shape.is_wide:
        assert layout.cell_at(window, row, column + 1) == cell


def test_frame_and_surroundings_are_no_cells() -> None:
    layout = arrange(80, 24, Size(9, 9), CellSize.AUTO)
    window = Window(0, 0)
    top, left = layout.frame_row, layout.frame_left
    assert layout.cell_at(window, top + 1, left + 1) == Cell(0, 0)
    assert layout.cell_at(window, top, left + 1) is None
    assert layout.cell_at(window, top + 1, left) is None
    assert layout.cell_at(window, top + 10, left + 1) is None
    assert layout.cell_at(window, top + 1, left + layout.frame_width - 1) is None
