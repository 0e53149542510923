"""Filling what is connected."""

import pytest

from jminesweeper.core import Grid, Size, Spread, parse_board
from jminesweeper.core.flood import flood

DIAGONAL_CHAIN = """
* . . .
. * . .
. . * .
. . . *
"""


def cells(board: str) -> tuple[Grid, int]:
    field = parse_board(board)
    return Grid.of(field.size), field.mines


def test_nothing_is_reached_from_outside() -> None:
    grid, within = cells("* * .")
    assert flood(grid, 0b100, within, Spread.EIGHT) == 0


@pytest.mark.requirement("J:flood fill")
def test_a_spread_to_four_does_not_pass_diagonally() -> None:
    grid, within = cells(DIAGONAL_CHAIN)
    assert flood(grid, 1, within, Spread.FOUR) == 1


@pytest.mark.requirement("E:b9c080c6")
def test_a_spread_to_eight_passes_diagonally() -> None:
    grid, within = cells(DIAGONAL_CHAIN)
    assert flood(grid, 1, within, Spread.EIGHT) == within


def test_a_row_does_not_run_on_into_the_next() -> None:
    grid, within = cells(". . *\n. . .\n* . .")
    assert flood(grid, 0b100, within, Spread.EIGHT) == 0b100


def test_separate_seeds_fill_separate_parts() -> None:
    grid, within = cells("* * . * *\n. . . . .\n* . * . *")
    assert flood(grid, 0b10001, within, Spread.FOUR) == 0b11011


def snake(side: int) -> str:
    """Draw rows of cells joined at alternate ends, for as long a way as a board can hold."""
    full, left, right = "*" * side, "*" + "." * (side - 1), "." * (side - 1) + "*"
    return "\n".join((full, right, full, left)[row % 4] for row in range(side))


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("side", [3, 17, 64, 255])
def test_the_longest_way_on_a_board_is_walked_to_its_end(side: int, spread: Spread) -> None:
    grid, within = cells(snake(side))
    assert flood(grid, 1, within, spread) == within


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("size", [Size(1, 1), Size(255, 1), Size(1, 255), Size(255, 255)])
def test_an_open_board_fills_from_either_end(size: Size, spread: Spread) -> None:
    grid = Grid.of(size)
    assert flood(grid, 1, grid.mask, spread) == grid.mask
    assert flood(grid, 1 << grid.mask.bit_length() - 1, grid.mask, spread) == grid.mask
