"""Moves as text."""

import pytest

from jminesweeper.kata.sandbox import KataError, Move, MoveKind, Square, parse_moves


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


def test_an_empty_script_has_no_moves() -> None:
    assert parse_moves("") == ()


@pytest.mark.parametrize("text", ["dig 1;1", "1;1"])
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(KataError, match="is not a move"):
        Move.parse(text)


def test_a_move_needs_a_square() -> None:
    with pytest.raises(KataError):
        Move.parse("step")
