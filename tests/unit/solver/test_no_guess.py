"""Boards that need no guess, each proved again by a checker that shares nothing with the solver."""

import pytest

from jminesweeper.core.errors import NoBoardError, SetupError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import Rules, Spread
from jminesweeper.core.seedcode import format_seed_code, parse_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.solver.knowledge import OutOfTimeError
from jminesweeper.solver.no_guess import Method, generate_no_guess
from tests.unit.solver.board_checker import Checker


def laid(size: Size, mines: int, first: Cell, seed: int, spread: Spread = Spread.EIGHT) -> Setup:
    rules = Rules("own", spread=spread)
    return generate_no_guess(Setup.of(size, mines, rules, seed=seed, first=first)).setup


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
        field = laid(size, mines, first, seed, spread).minefield()
        assert field.mine_count == mines
        assert field.clue(first) == 0
        assert Checker(field, first, spread).needs_no_guess()


def test_the_same_seed_makes_the_same_board_and_another_one_another() -> None:
    one, same, other = (laid(Size(20, 10), 50, Cell(0, 0), seed) for seed in (7, 7, 8))
    assert one == same
    assert one.layout != other.layout


def test_a_board_is_ready_to_be_played_and_shared() -> None:
    setup = laid(Size(9, 9), 10, Cell(4, 4), 1)
    game = Game(setup)
    game.reveal((0, 0))
    assert game.view[4, 4] == 0
    read = parse_seed_code(format_seed_code(game.shared_setup))
    assert read.needs_layout
    assert generate_no_guess(read).setup == setup


def test_thin_boards_are_found_by_rejection_and_thick_ones_by_repair() -> None:
    thin = generate_no_guess(Setup.of(Size(9, 9), 5, seed=1, first=(4, 4)))
    thick = generate_no_guess(Setup.of(Size(30, 16), 160, seed=1, first=(4, 4)))
    assert (thin.method, thick.method) == (Method.REJECTION, Method.REPAIR)


@pytest.mark.parametrize("polls", range(4))
def test_what_cannot_be_had_in_time_is_an_error(polls: int) -> None:
    answers = iter([False] * polls)
    with pytest.raises(OutOfTimeError):
        generate_no_guess(
            Setup.of(Size(30, 16), 170, seed=1, first=(0, 0)), lambda: next(answers, True)
        )


def test_what_cannot_be_had_at_all_is_an_error() -> None:
    with pytest.raises(NoBoardError, match="try fewer mines"):
        generate_no_guess(Setup.of(Size(4, 2), 3, seed=1, first=(0, 0)))


@pytest.mark.parametrize("first", [None, (0, 0)])
def test_it_takes_a_seed_and_a_first_cell(first: tuple[int, int] | None) -> None:
    layout = 0b100 if first else None
    setup = Setup.of(Size(3, 1), 1, seed=None if layout else 1, layout=layout, first=first)
    with pytest.raises(SetupError, match="from a seed, around a first cell"):
        generate_no_guess(setup)


def test_a_board_of_mines_but_one_needs_no_guess() -> None:
    assert laid(Size(3, 3), 8, Cell(1, 1), 1).minefield().mine_count == 8


def test_a_large_board_is_made_as_well() -> None:
    board = generate_no_guess(Setup.of(Size(100, 100), 2_500, seed=3, first=(50, 50)))
    assert board.method == Method.REPAIR


@pytest.mark.parametrize("density", [0.1, 0.2, 0.3, 0.45])
def test_crowded_boards_are_repaired_until_they_need_no_guess(density: float) -> None:
    # The smallest boards have the most walls and coin tosses.
    for seed, size in enumerate([Size(5, 5), Size(7, 4), Size(8, 8), Size(12, 10)]):
        mines = round(density * size.cells)
        first = Cell(seed, 1)
        field = laid(size, mines, first, seed).minefield()
        assert field.mine_count == mines
        assert Checker(field, first, Spread.EIGHT).needs_no_guess()
