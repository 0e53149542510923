import pytest

from jminesweeper.core.grid import Grid, Size, indices
from jminesweeper.solver.endgame import Endgame, TooManyNodesError, all_layouts
from jminesweeper.solver.knowledge import neighbour_table
from tests.unit.solver.positions import component_of, known


def search(text: str, mines: int) -> Endgame:
    knowledge, component = known(text, mines), component_of(text, mines)
    layouts = all_layouts([component], (), mines)
    return Endgame(layouts, component.cells, knowledge.neighbours, 10_000)


def test_an_unreachable_cell_is_only_safe_or_not() -> None:
    neighbours = neighbour_table(Grid.of(Size(2, 1)))
    assert Endgame([(0,), (1,)], [0, 1], neighbours, 100).best().wins == 1


def one_mine(nodes: int) -> Endgame:
    """A wide board with one mine and nothing shown."""
    grid = Grid.of(Size(30, 30))
    cells = indices(grid.mask)
    return Endgame([(cell,) for cell in cells], cells, neighbour_table(grid), nodes)


def test_a_long_row_of_free_reveals_is_followed_to_its_end() -> None:
    # Whatever is opened frees its neighbours, and so on over the board.
    assert one_mine(10_000).best() == (0, 30 * 30 - 1)


def test_a_search_that_grows_too_large_is_given_up() -> None:
    with pytest.raises(TooManyNodesError):
        one_mine(100).best()


def test_a_long_row_of_guesses_is_given_up() -> None:
    # Cells that tell nothing of each other are guessed one by one.
    cells = range(300)
    search = Endgame([(cell,) for cell in cells], cells, [()] * 300, 10_000)
    with pytest.raises(TooManyNodesError):
        search.best()
