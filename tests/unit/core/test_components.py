"""Counting connected parts."""

import pytest

from jminesweeper.core import (
    Grid,
    Level,
    Minefield,
    Size,
    Spread,
    parse_board,
    place_mines,
    seeded_bits,
)
from jminesweeper.core.components import count_components

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
    assert count_components(field.grid, field.mines, Spread.FOUR) == by_four
    assert count_components(field.grid, field.mines, Spread.EIGHT) == by_eight


@pytest.mark.parametrize("spread", Spread)
def test_parts_do_not_join_round_the_edges(spread: Spread) -> None:
    field = parse_board("*.*\n...\n*.*")
    assert count_components(field.grid, field.mines, spread) == 4


@pytest.mark.parametrize("spread", Spread)
def test_the_largest_board_is_one_part(spread: Spread) -> None:
    grid = Grid.of(Size(255, 255))
    assert count_components(grid, grid.mask, spread) == 1


@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize("level", Level)
def test_all_the_openings_of_a_large_board_are_counted(level: Level, spread: Spread) -> None:
    size = Size(120, 90)
    field = Minefield(size, place_mines(size, level.mines(size), seeded_bits(4)))
    left, count = field.zeros, 0
    while left:
        left &= ~field.flood(left & -left, 0, spread)
        count += 1
    assert count_components(field.grid, field.zeros, spread) == count
