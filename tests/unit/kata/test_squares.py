"""Squares named from the bottom-left."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.kata.sandbox import SANDBOX, KataError, Square

ALL = [Square(x, y) for x in range(3) for y in range(3)]


@pytest.mark.parametrize(
    ("text", "cell"),
    [("0;0", Cell(0, 2)), ("2;1", Cell(2, 1)), ("0;2", Cell(0, 0)), ("2;0", Cell(2, 2))],
)
def test_a_square_counts_from_the_bottom_left(text: str, cell: Cell) -> None:
    assert Square.parse(text).cell == cell


@pytest.mark.requirement("K:UAT 1.1")
def test_a_board_has_nine_squares() -> None:
    assert SANDBOX.cells == 9
    assert len({square.cell for square in ALL}) == 9


@pytest.mark.parametrize("square", ALL)
def test_a_square_survives_its_text_and_its_cell(square: Square) -> None:
    assert Square.parse(str(square)) == square
    assert Square.of(square.cell) == square


@pytest.mark.parametrize("text", ["3;0", "0;3", "9;9"])
def test_a_square_off_the_board_is_refused(text: str) -> None:
    with pytest.raises(KataError, match=f"there is no square {text} on a board of 3x3"):
        Square.parse(text)


@pytest.mark.parametrize("text", ["", "1", "1,1", "-1;0", "a;b", "1;1;1", "\u0661;\u0661"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(KataError, match="is not a square: write x;y"):
        Square.parse(text)
