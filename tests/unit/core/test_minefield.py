"""Mines, clues and zeros."""

import pytest

from jminesweeper.core.errors import CellError, SetupError
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import parse_board


@pytest.mark.requirement("E:bab9887f", "E:544f0ab3", "F:mines")
def test_a_minefield_knows_its_mines_and_their_number() -> None:
    field = parse_board("* . .\n. . *")
    assert list(field.grid.cells(field.mines)) == [Cell(0, 0), Cell(2, 1)]
    assert field.mine_count == 2
    assert (field.is_mine(Cell(0, 0)), field.is_mine(Cell(1, 0))) == (True, False)


def test_a_mine_outside_the_board_is_an_error() -> None:
    with pytest.raises(SetupError, match="outside"):
        Minefield(Size(2, 2), 0b100)


def test_a_clue_off_the_board_is_an_error() -> None:
    with pytest.raises(CellError):
        parse_board("* .").clue(Cell(2, 0))


def test_minefields_with_the_same_mines_are_equal() -> None:
    assert parse_board("* .") == Minefield(Size(2, 1), 1)
    assert Grid.of(Size(2, 1)) is parse_board("* .").grid
