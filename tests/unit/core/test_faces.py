from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import (
    COVERED,
    EXPLODED,
    FLAGGED,
    MINED,
    covered_layers,
    digit_of,
    faces_of,
    layers_of,
    parse_position,
)
from tests.property.core_strategies import cells, setups
from tests.unit.core.boards import play


def test_a_face_tells_all_that_a_cell_shows() -> None:
    view = parse_position("? F 1\n. 8 ?", 1)
    faces = faces_of(view.grid, layers_of(view.grid, view), range(2))
    assert faces == bytes((COVERED, COVERED | FLAGGED, 1, 0, 0, 8, COVERED, 0))


def test_debug_mode_adds_the_mines_to_covered_cells() -> None:
    view = parse_position("? F 1", 1)
    mines = view.grid.bit(Cell(0, 0)) | view.grid.bit(Cell(1, 0))
    faces = faces_of(view.grid, layers_of(view.grid, view, mines), range(1))
    assert faces == bytes((COVERED | MINED, COVERED | FLAGGED | MINED, 1, 0))


def test_when_a_game_is_over_every_cell_shows_everything() -> None:
    game = play("* * . .\n. . . .", "classic", "flag 1 0", "flag 3 0", "reveal 0 0")
    view = game.view
    assert faces_of(view.grid, layers_of(view.grid, view)._replace(covered=0), range(2)) == bytes(
        (MINED | EXPLODED, MINED | FLAGGED, 1, FLAGGED, 0, 2, 2, 1, 0, 0)
    )


def test_at_the_end_cells_that_were_never_opened_stay_covered() -> None:
    view = play("* * . .\n. . . .", "classic", "flag 1 0", "reveal 3 0", "reveal 0 0").view
    assert layers_of(view.grid, view).covered == view.grid.mask & ~view.visible


def test_clues_have_digits_and_zero_has_a_point() -> None:
    assert "".join(map(digit_of, range(9))) == ".12345678"
    assert digit_of(FLAGGED | 3) == "3"


@given(data=st.data())
def test_rows_are_parts_of_the_board(data: st.DataObject) -> None:
    symbols = data.draw(st.lists(st.sampled_from("?F.12345678"), min_size=12, max_size=12))
    view = parse_position("\n".join("".join(symbols[row : row + 4]) for row in (0, 4, 8)), 1)
    layers, grid = layers_of(view.grid, view), view.grid
    faces = faces_of(grid, layers, range(3))
    for first in range(3):
        for stop in range(first, 4):
            assert faces_of(grid, layers, range(first, stop)) == faces[first * 5 : stop * 5]


@given(data=st.data(), setup=setups(40))
def test_one_face_and_what_differs_are_those_of_all_cells(
    data: st.DataObject, setup: Setup
) -> None:
    game, grid = Game(setup), Grid.of(setup.size)
    before, rows = covered_layers(grid), range(setup.size.rows)
    for _ in range(data.draw(st.integers(1, 8))):
        seen, mines = data.draw(later_games(game))
        after = layers_of(seen.grid, seen.view, mines)
        old, new = faces_of(grid, before, rows), faces_of(grid, after, rows)
        indices = [grid.index(cell) for cell in grid.cells(grid.mask)]
        if not seen.status.is_over:
            assert all(seen.face(index, mines) == new[index] for index in indices)
        changed = before.differences(after)
        assert all((changed >> index & 1) == (old[index] != new[index]) for index in indices)
        before = after


@st.composite
def later_games(draw: st.DrawFn, game: Game) -> tuple[Game, int]:
    """Act on a game, or on another one of its size, and look at it with debug mode or without."""
    if draw(st.integers(0, 5)) == 0:
        other = Game(replace(game.setup, seed=1, layout=None))
        other.reveal(draw(cells(game.setup.size)), 0)
        return other, 0
    kind = draw(st.sampled_from([ActionKind.REVEAL, ActionKind.FLAG, ActionKind.UNDO]))
    cell = None if kind is ActionKind.UNDO else draw(cells(game.setup.size))
    game.apply(Action(kind, cell), 0)
    return game, game.reveal_truth().mines if draw(st.booleans()) else 0
