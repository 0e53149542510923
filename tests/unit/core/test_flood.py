"""Filling what is connected, and counting connected parts."""

import pytest

from jminesweeper.core.flood import count_components, flood
from jminesweeper.core.generator import place_mines, seeded_bits
from jminesweeper.core.grid import Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import Level, Spread

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
    assert flood(grid, 0b100, within, diagonal=True) == 0


@pytest.mark.requirement("J:flood fill")
def test_a_spread_to_four_does_not_pass_diagonally() -> None:
    grid, within = cells(DIAGONAL_CHAIN)
    assert flood(grid, 1, within, diagonal=False) == 1


@pytest.mark.requirement("E:b9c080c6")
def test_a_spread_to_eight_passes_diagonally() -> None:
    grid, within = cells(DIAGONAL_CHAIN)
    assert flood(grid, 1, within, diagonal=True) == within


def test_a_row_does_not_run_on_into_the_next() -> None:
    grid, within = cells(". . *\n. . .\n* . .")
    assert flood(grid, 0b100, within, diagonal=True) == 0b100


def test_separate_seeds_fill_separate_parts() -> None:
    grid, within = cells("* * . * *\n. . . . .\n* . * . *")
    assert flood(grid, 0b10001, within, diagonal=False) == 0b11011


def snake(side: int) -> str:
    """Draw rows of cells joined at alternate ends, for as long a way as a board can hold."""
    full, left, right = "*" * side, "*" + "." * (side - 1), "." * (side - 1) + "*"
    return "\n".join((full, right, full, left)[row % 4] for row in range(side))


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("side", [3, 17, 64, 255])
def test_the_longest_way_on_a_board_is_walked_to_its_end(side: int, spread: Spread) -> None:
    grid, within = cells(snake(side))
    assert flood(grid, 1, within, diagonal=spread is Spread.EIGHT) == within


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("size", [Size(1, 1), Size(255, 1), Size(1, 255), Size(255, 255)])
def test_an_open_board_fills_from_either_end(size: Size, spread: Spread) -> None:
    grid = Grid.of(size)
    assert flood(grid, 1, grid.mask, diagonal=spread is Spread.EIGHT) == grid.mask
    assert (
        flood(grid, 1 << grid.mask.bit_length() - 1, grid.mask, diagonal=spread is Spread.EIGHT)
        == grid.mask
    )


RING_IN_RING = """
* * * * * * *
* . . . . . *
* . * * * . *
* . * . * . *
* . * * * . *
* . . . . . *
* * * * * * *
"""
PARTS = [
    ("....\n....", 0, 0),
    ("*", 1, 1),
    ("**\n**", 1, 1),
    ("*.\n.*", 2, 1),
    (".*\n*.", 2, 1),
    ("*.*.*\n.....\n*.*.*", 6, 6),
    ("*.*\n.*.\n*.*", 5, 1),
    (RING_IN_RING, 2, 2),
    ("*****\n....*\n***.*\n*.*.*\n*...*\n*****", 1, 1),
]


@pytest.mark.parametrize(("board", "by_four", "by_eight"), PARTS)
def test_parts_are_counted_for_either_spread(board: str, by_four: int, by_eight: int) -> None:
    field = parse_board(board)
    assert count_components(field.grid, field.mines, diagonal=False) == by_four
    assert count_components(field.grid, field.mines, diagonal=True) == by_eight


@pytest.mark.parametrize("spread", Spread)
def test_parts_do_not_join_round_the_edges(spread: Spread) -> None:
    field = parse_board("*.*\n...\n*.*")
    assert count_components(field.grid, field.mines, diagonal=spread is Spread.EIGHT) == 4


@pytest.mark.parametrize("spread", Spread)
def test_the_largest_board_is_one_part(spread: Spread) -> None:
    grid = Grid.of(Size(255, 255))
    assert count_components(grid, grid.mask, diagonal=spread is Spread.EIGHT) == 1


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("level", Level)
def test_all_the_openings_of_a_large_board_are_counted(level: Level, spread: Spread) -> None:
    size = Size(120, 90)
    field = Minefield(size, place_mines(size, level.mines(size), seeded_bits(4)))
    left, count = field.zeros, 0
    while left:
        left &= ~field.flood(left & -left, 0, spread)
        count += 1
    assert count_components(field.grid, field.zeros, diagonal=spread is Spread.EIGHT) == count
