"""Squares, named from the bottom-left, and moves as text."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.kata import SANDBOX, KataError, Move, MoveKind, Square, parse_moves

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


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        ("step 2;1", MoveKind.STEP, "Step on 2;1"),
        ("mark 2;1", MoveKind.MARK, "Mark 2;1"),
        ("unmark 2;1", MoveKind.UNMARK, "Unmark 2;1"),
    ],
)
def test_a_move_is_read_and_told(text: str, kind: MoveKind, title: str) -> None:
    move = Move.parse(text)
    assert move == Move(kind, Square(2, 1))
    assert str(move) == title


def test_a_script_holds_moves_between_commas() -> None:
    assert parse_moves("step 0;0, mark 1;0") == (Move.parse("step 0;0"), Move.parse("mark 1;0"))


@pytest.mark.parametrize("text", ["dig 1;1", "1;1", "step"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(KataError, match="is not a"):
        Move.parse(text)
