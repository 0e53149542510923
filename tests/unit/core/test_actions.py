"""Actions and the log."""

import pytest

from jminesweeper.core.actions import (
    MAX_AT_MS,
    Action,
    ActionKind,
    Log,
    LoggedAction,
    pack_entry,
    unpack_entry,
)
from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Grid, Size

GRID = Grid.of(Size(255, 255))


def test_the_numbers_of_the_kinds_never_change_for_they_are_in_saved_games() -> None:
    assert {kind.name: kind.value for kind in ActionKind} == {
        "REVEAL": 1,
        "FLAG": 2,
        "CHORD": 3,
        "UNDO": 4,
        "HINT": 5,
        "DEBUG": 6,
        "TERMINATE": 7,
        "QUESTION": 8,
    }


def test_an_entry_names_its_author() -> None:
    entry = pack_entry(7, ActionKind.UNDO, 0, author=3)
    assert unpack_entry(entry) == (7, ActionKind.UNDO, 0, 3)
    assert Log(GRID, [entry])[0].author == 3


def test_entries_are_pinned_for_they_are_in_saved_games() -> None:
    assert pack_entry(1, 2, 3) == 0x0000_0000_0012_0003
    assert pack_entry(MAX_AT_MS, 1, 0xFFFF, author=5) == 0x5FFF_FFFF_FFF1_FFFF


def test_a_log_lists_its_actions_in_order() -> None:
    reveal = pack_entry(0, ActionKind.REVEAL, GRID.index(Cell(3, 2)))
    log = Log(GRID, [reveal, pack_entry(1500, ActionKind.UNDO, 0)])
    assert len(log) == 2
    assert list(log) == [
        LoggedAction(0, Action(ActionKind.REVEAL, Cell(3, 2))),
        LoggedAction(1500, Action(ActionKind.UNDO)),
    ]
    assert log[-1].at_ms == 1500


@pytest.mark.parametrize("number", [0, 9, 15])
def test_an_entry_of_no_kind_is_an_error(number: int) -> None:
    with pytest.raises(ActionError, match=f"kind {number}"):
        list(Log(GRID, [pack_entry(0, number, 0)]))
