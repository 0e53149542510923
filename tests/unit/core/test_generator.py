"""Layouts drawn from random bits."""

import zlib
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import place_mines, protect, seeded_bits
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.view import parse_board
from tests.unit.core.chi_square import is_uniform


@pytest.mark.parametrize("count", [-1, 10])
def test_a_board_has_no_room_for_other_counts(count: int) -> None:
    with pytest.raises(SetupError, match="room for 0 to 9 mines"):
        place_mines(Size(3, 3), count, seeded_bits(1))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_every_layout_of_a_small_board_is_equally_likely(count: int) -> None:
    random_bits = seeded_bits(20 + count)
    size = Size(3, 2)
    draws = 400 * comb(6, count)
    drawn = Counter(place_mines(size, count, random_bits) for _ in range(draws))
    assert is_uniform(drawn, comb(6, count))


@pytest.mark.parametrize(("size", "count"), [(Size(16, 4), 10), (Size(16, 4), 40), (Size(9, 9), 3)])
def test_every_cell_of_a_larger_board_is_mined_equally_often(size: Size, count: int) -> None:
    random_bits = seeded_bits(7)
    grid = Grid.of(size)
    mined = Counter(
        cell for _ in range(2000) for cell in grid.cells(place_mines(size, count, random_bits))
    )
    assert is_uniform(mined, size.cells)


@pytest.mark.requirement("C:First-Click Safety")
@pytest.mark.parametrize("first", [Cell(0, 0), Cell(1, 0), Cell(1, 1)])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_every_layout_that_is_safe_at_the_first_cell_is_equally_likely(
    first: Cell, count: int
) -> None:
    size = Size(3, 2)
    layouts = layouts_without(size, count, {first})
    assert is_uniform(protected(size, count, first, FirstReveal.SAFE, 300 * layouts), layouts)


@pytest.mark.requirement("C:First-Click Safety")
@pytest.mark.parametrize(("first", "count"), [(Cell(0, 0), 2), (Cell(0, 1), 3), (Cell(1, 0), 1)])
def test_every_layout_with_a_zero_at_the_first_cell_is_equally_likely(
    first: Cell, count: int
) -> None:
    size = Size(4, 3)
    grid = Grid.of(size)
    zone = {first, *grid.cells(grid.neighbours(grid.bit(first)))}
    layouts = layouts_without(size, count, zone)
    drawn = protected(size, count, first, FirstReveal.ZERO, 300 * layouts)
    assert is_uniform(drawn, layouts)


def test_mines_that_find_no_room_outside_are_spread_over_the_neighbours_of_the_first() -> None:
    size = Size(3, 3)
    drawn = protected(size, 6, Cell(0, 0), FirstReveal.ZERO, 900)
    outside = {Cell(2, 0), Cell(2, 1), Cell(0, 2), Cell(1, 2), Cell(2, 2)}
    grid = Grid.of(size)
    assert all(outside <= set(grid.cells(mines)) for mines in drawn)
    assert not any(mines & 1 for mines in drawn)
    assert is_uniform(drawn, 3)


def test_a_nearly_full_board_is_drawn_without_delay() -> None:
    size = Size(255, 255)
    mines = place_mines(size, size.cells - 1, seeded_bits(2))
    grid = Grid.of(size)
    (hole,) = grid.cells(grid.mask ^ mines)
    assert protect(grid, mines, Cell(0, 0), FirstReveal.ZERO, seeded_bits(3)) == grid.mask ^ 1
    assert size.has(hole)


@pytest.mark.requirement("E:Generator")
@pytest.mark.parametrize(
    ("size", "count", "drawn", "protected"),
    [
        (Size(9, 9), 10, 0xAFEDFE77, 0xA868C64F),
        (Size(16, 16), 40, 0xA040C649, 0x1C6D6399),
        (Size(30, 16), 99, 0x10444974, 0x48720105),
        (Size(20, 10), 90, 0xFE86DBDB, 0x0E049C0F),
        (Size(1, 255), 128, 0x0495FB1E, 0x21D85383),
        (Size(255, 255), 16256, 0x5BDBB1EB, 0x2AE16DF4),
    ],
)
def test_the_layout_of_a_seed_is_the_same_on_every_machine(
    size: Size, count: int, drawn: int, protected: int
) -> None:
    """Pinned: another layout here is another board behind every seed that was ever shared."""
    random_bits = seeded_bits(count)
    mines = place_mines(size, count, random_bits)
    first = next(Grid.of(size).cells(mines))
    moved = protect(Grid.of(size), mines, first, FirstReveal.ZERO, random_bits)
    assert (digest(mines), digest(moved)) == (drawn, protected)


@pytest.mark.requirement("E:Generator")
def test_the_beginner_board_of_seed_1_is_this_one() -> None:
    size = Size(9, 9)
    board = """
        ........*
        ......*.*
        ........*
        .....*...
        .........
        ...*.....
        ...*..*..
        *........
        *........
    """
    assert place_mines(size, 10, seeded_bits(1)) == parse_board(board).mines


def digest(mines: int) -> int:
    return zlib.crc32(mines.to_bytes(8192, "little"))


def layouts_without(size: Size, count: int, zone: set[Cell]) -> int:
    grid = Grid.of(size)
    allowed = [cell for cell in grid.cells(grid.mask) if cell not in zone]
    return len(list(combinations(allowed, count)))


def protected(size: Size, count: int, first: Cell, kind: FirstReveal, draws: int) -> Counter[int]:
    grid = Grid.of(size)
    random_bits = seeded_bits(count)
    return Counter(
        protect(grid, place_mines(size, count, random_bits), first, kind, random_bits)
        for _ in range(draws)
    )
