"""Boards and positions as text."""

import pytest

from jminesweeper.core.errors import NotationError, SizeError
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.view import PlayerView, Status, parse_board, parse_position

BOARD = "*..\n..*"


def test_a_board_is_rows_of_mines_and_of_cells_without() -> None:
    field = parse_board(BOARD)
    assert field.size == Size(3, 2)
    assert list(field.grid.cells(field.mines)) == [Cell(0, 0), Cell(2, 1)]


def test_blanks_between_cells_and_lines_around_the_board_do_not_count() -> None:
    assert parse_board("\n   * . .\n\t. .  *  \n\n") == parse_board(BOARD)


@pytest.mark.parametrize("text", ["", "  \n ", "*.\n*", "*\n\n*"])
def test_rows_of_different_length_are_an_error(text: str) -> None:
    with pytest.raises((NotationError, SizeError)):
        parse_board(text)


@pytest.mark.parametrize("text", ["*x", ".*\n.?", "1", "*\x00"])
def test_a_board_has_no_other_symbols(text: str) -> None:
    with pytest.raises(NotationError, match="is no cell"):
        parse_board(text)


def test_an_unknown_symbol_is_named_with_its_place() -> None:
    with pytest.raises(NotationError, match="'#' at column 2, row 1 is no cell"):
        parse_board("....\n..#?")


def test_a_board_too_large_to_play_is_an_error() -> None:
    with pytest.raises(SizeError):
        parse_board("." * 256)


def test_every_number_is_read_and_written() -> None:
    text = "?.1\n234\n567\n8F?"
    view = parse_position(text, 5)
    assert [view.clue(Cell(n % 3, n // 3)) for n in range(1, 10)] == list(range(9))
    assert str(view) == text
    assert view.mine_count == 5


@pytest.mark.parametrize(
    ("text", "status"),
    [("?F1", Status.ONGOING), ("?!1", Status.WON), ("B1F", Status.WON), ("X1F", Status.LOST)],
)
def test_a_position_that_shows_mines_is_over(text: str, status: Status) -> None:
    view = parse_position(text, 2)
    assert view.status is status
    assert (view.shown_mines is not None) is status.is_over


def test_only_one_mine_can_have_gone_off() -> None:
    with pytest.raises(NotationError, match="only one mine"):
        parse_position("XX", 2)


def test_a_position_of_the_largest_board_is_read_back() -> None:
    text = "\n".join("?F.12345678"[row % 11] * 255 for row in range(255))
    view = parse_position(text, 3251)
    assert isinstance(view, PlayerView)
    assert str(view) == text
