"""The rules of single numbers and pairs of numbers."""

import pytest

from jminesweeper.core.view import parse_position
from jminesweeper.solver.knowledge import SAFE, ImpossiblePositionError, new_clues
from tests.unit.solver.positions import known, seen, statuses


@pytest.mark.parametrize(
    ("text", "mines", "first_row"),
    [
        # One number has all its mines, or needs all its neighbours.
        ("? 1 .\n1 1 .\n? 2 1\n? ? ?", 3, "m.."),
        ("? ? 2\n3 ? 2", 3, "mm."),
        # Of two, one is within the other, or needs more mines than it.
        ("1 1 ?\n? ? ?", 1, "..s"),
        ("? ? ? ?\n1 2 2 1", 2, "smms"),
        ("? ? ? ? ? ?\n. 1 2 2 1 .\n. . . . . .", 2, "ssmmss"),
        ("? ? ?\n1 2 1\n. . .", 2, "msm"),
    ],
)
def test_one_number_or_two_settle_cells(text: str, mines: int, first_row: str) -> None:
    assert statuses(known(text, mines)).splitlines()[0] == first_row


def test_knowledge_grows_with_every_view() -> None:
    knowledge = seen(parse_position("? ? ?\n? 1 ?", 1)).knowledge
    assert not knowledge.deduce()
    knowledge.update(parse_position("? ? ?\n1 1 ?", 1))
    assert knowledge.deduce()
    assert knowledge.take_safe()
    assert knowledge.take_safe() == []


def test_cells_proved_safe_are_handed_over_until_they_are_shown() -> None:
    knowledge = seen(parse_position("? . ?\n? . ?", 1)).knowledge
    assert knowledge.deduce()
    assert knowledge.has_safe()
    knowledge.update(parse_position(". . .\n. . .", 1))
    assert not knowledge.has_safe()


def test_marking_a_cell_twice_changes_nothing() -> None:
    knowledge = seen(parse_position("? 1\n? 1", 1)).knowledge
    knowledge.mark_safe([0])
    knowledge.mark_mines([0])
    assert knowledge.status[0] == SAFE
    assert (knowledge.unknown_left, knowledge.mines_left) == (1, 1)


def test_a_visible_cell_that_had_to_be_a_mine_is_found_out() -> None:
    knowledge = known("? 1\n1 1", 1)
    with pytest.raises(ImpossiblePositionError):
        knowledge.update(parse_position("1 1\n1 1", 1))


def test_the_clues_of_new_cells_are_read_at_once() -> None:
    view = parse_position("? 2 .\n3 ? 8", 1)
    assert new_clues(view, 0) == [(1, 2), (2, 0), (4, 3), (6, 8)]
    assert new_clues(view, view.visible ^ 1 << 6) == [(6, 8)]
    assert new_clues(view, view.visible) == []


def test_a_changed_board_corrects_the_clues_around() -> None:
    knowledge = seen(parse_position("? 1 ?\n? 1 ?", 1)).knowledge
    knowledge.correct_clues(0, -1)
    knowledge.deduce_all()
    assert knowledge.status[0] == SAFE
