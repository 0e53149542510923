"""Boards that need no guess, each proved again by a checker that shares nothing with the solver."""

from random import Random

import pytest

from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Spread
from jminesweeper.solver.errors import never
from jminesweeper.solver.no_guess import Method, generate_no_guess
from tests.unit.solver.board_checker import Checker


@pytest.mark.requirement("E:Generator")
@pytest.mark.parametrize("spread", Spread)
@pytest.mark.parametrize(
    ("size", "mines"),
    [
        (Size(9, 9), 10),
        (Size(16, 16), 40),
        (Size(20, 10), 50),
        (Size(12, 8), 35),
        (Size(30, 16), 99),
    ],
    ids=str,
)
def test_boards_are_finished_by_certain_steps_alone(size: Size, mines: int, spread: Spread) -> None:
    first = Cell(size.columns // 2, size.rows // 2)
    for seed in range(4):
        board = generate_no_guess(size, mines, first, Random(seed).getrandbits, spread=spread)
        assert board is not None
        assert board.mines.bit_count() == mines
        assert not board.mines & ~Grid.of(size).mask
        field = Minefield(size, board.mines)
        assert field.clue(first) == 0
        assert Checker(field, first, spread).needs_no_guess()


def test_the_same_random_bits_make_the_same_board() -> None:
    boards = [
        generate_no_guess(Size(20, 10), 50, Cell(0, 0), Random(7).getrandbits) for _ in range(2)
    ]
    assert boards[0] == boards[1]


def test_thin_boards_are_found_by_rejection_and_thick_ones_by_repair() -> None:
    thin = generate_no_guess(Size(9, 9), 5, Cell(4, 4), Random(1).getrandbits)
    thick = generate_no_guess(Size(30, 16), 160, Cell(4, 4), Random(1).getrandbits)
    assert thin is not None
    assert thick is not None
    assert (thin.method, thick.method) == (Method.REJECTION, Method.REPAIR)


def test_what_cannot_be_had_in_time_is_not_had() -> None:
    answers = iter([False, False, True])
    board = generate_no_guess(
        Size(8, 8), 40, Cell(0, 0), Random(1).getrandbits, lambda: next(answers, True)
    )
    assert board is None
    assert (
        generate_no_guess(Size(30, 16), 95, Cell(0, 0), Random(8).getrandbits, lambda: True) is None
    )


def test_a_board_of_mines_but_one_needs_no_guess() -> None:
    board = generate_no_guess(Size(3, 3), 8, Cell(1, 1), Random(1).getrandbits)
    assert board is not None
    assert board.mines.bit_count() == 8


def test_a_large_board_is_made_as_well() -> None:
    size = Size(100, 100)
    board = generate_no_guess(size, 2_500, Cell(50, 50), Random(3).getrandbits)
    assert board is not None
    assert (board.mines.bit_count(), board.method) == (2_500, Method.REPAIR)


@pytest.mark.parametrize("density", [0.1, 0.2, 0.3, 0.45])
def test_crowded_boards_are_repaired_until_they_need_no_guess(density: float) -> None:
    # The smallest boards have the most walls and coin tosses.
    for seed, size in enumerate([Size(5, 5), Size(7, 4), Size(8, 8), Size(12, 10)]):
        mines = round(density * size.cells)
        first = Cell(seed, 1)
        board = generate_no_guess(size, mines, first, Random(seed).getrandbits, never)
        assert board is not None
        assert board.mines.bit_count() == mines
        assert Checker(Minefield(size, board.mines), first, Spread.EIGHT).needs_no_guess()
