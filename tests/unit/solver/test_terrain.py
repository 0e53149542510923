from jminesweeper.core import Cell, Grid, Size
from jminesweeper.solver.terrain import Terrain, indices


def test_neighbours_are_those_of_the_grid() -> None:
    size = Size(4, 3)
    terrain, grid = Terrain.of(size), Grid.of(size)
    for cell in grid.cells(grid.mask):
        near = terrain.neighbours[grid.index(cell)]
        assert set(near) == set(indices(grid.neighbours(grid.bit(cell)) & ~grid.bit(cell)))


def test_a_corner_has_three_neighbours_and_padding_has_none() -> None:
    terrain = Terrain.of(Size(3, 3))
    assert terrain.neighbours[0] == (1, 4, 5)
    assert terrain.neighbours[3] == ()


def test_cells_and_indices_are_two_names_for_one_thing() -> None:
    terrain = Terrain.of(Size(5, 2))
    assert terrain.cell(terrain.index(Cell(3, 1))) == Cell(3, 1)


def test_terrain_is_made_once_per_size() -> None:
    assert Terrain.of(Size(6, 6)) is Terrain.of(Size(6, 6))


def test_indices_are_the_set_bits_in_order() -> None:
    assert indices(0) == []
    assert indices(1 << 700) == [700]
    assert indices(0b1011 << 5) == [5, 6, 8]
