from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core import Cell, parse_position
from jminesweeper.screen.faces import (
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    board_faces,
    digit_of,
    layers_of,
    layers_with_unopened,
    row_faces,
    window_faces,
)
from tests.unit.core.boards import play


def test_a_face_tells_all_that_a_cell_shows() -> None:
    view = parse_position("? F 1\n. 8 ?", 1)
    faces = board_faces(view.grid, layers_of(view))
    assert bytes(faces) == bytes((COVERED, COVERED | FLAGGED, 1, 0, 0, 8, COVERED, 0))


def test_debug_mode_adds_the_mines_to_covered_cells() -> None:
    view = parse_position("? F 1", 1)
    mines = view.grid.bit(Cell(0, 0)) | view.grid.bit(Cell(1, 0))
    faces = row_faces(view.grid, layers_of(view, mines), 0)
    assert faces == bytes((COVERED | MINED, COVERED | FLAGGED | MINED, 1))


def test_when_a_game_is_over_every_cell_shows_everything() -> None:
    game = play("* * . .\n. . . .", "classic", "flag 1 0", "flag 3 0", "reveal 0 0")
    view = game.view()
    assert row_faces(view.grid, layers_of(view), 0) == bytes(
        (MINED | EXPLODED, MINED | FLAGGED, 1, FLAGGED)
    )
    assert row_faces(view.grid, layers_of(view), 1) == bytes((2, 2, 1, 0))


def test_cells_that_were_never_opened_can_be_told_from_those_that_were() -> None:
    view = play("* * . .\n. . . .", "classic", "flag 1 0", "reveal 3 0", "reveal 0 0").view()
    layers = layers_with_unopened(view)
    assert layers.covered == view.grid.mask & ~view.visible
    assert layers._replace(covered=0) == layers_of(view)


def test_while_a_game_runs_what_is_unopened_is_covered() -> None:
    view = parse_position("? F 1", 1)
    mines = view.grid.bit(Cell(0, 0))
    assert layers_with_unopened(view, mines) == layers_of(view, mines)


def test_clues_have_digits_and_zero_has_a_point() -> None:
    assert "".join(map(digit_of, range(9))) == ".12345678"
    assert digit_of(FLAGGED | 3) == "3"


@given(data=st.data())
def test_rows_and_windows_are_parts_of_the_board(data: st.DataObject) -> None:
    symbols = data.draw(st.lists(st.sampled_from("?F.12345678"), min_size=12, max_size=12))
    view = parse_position("\n".join("".join(symbols[row : row + 4]) for row in (0, 4, 8)), 1)
    layers, grid = layers_of(view), view.grid
    faces = bytes(board_faces(grid, layers))
    rows = [faces[start : start + 4] for start in (0, 5, 10)]
    assert [row_faces(grid, layers, row) for row in range(3)] == rows
    assert window_faces(grid, layers, 1, 2) == faces[5:15]
