"""Sentences: what has changed since the last ones, and a cell or a row on demand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_position
from jminesweeper.terminal.keys import KeyAction
from jminesweeper.terminal.narrator import Narrator, describe_cell, describe_row, draw_board
from tests.property.core_strategies import setups
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen

TABLE = {"head": ["", "won"], "rows": [["easy", "3"]]}


class Listener:
    """Hears a view told."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.narrator = Narrator()

    def hear(self) -> list[str]:
        viewer = self.seen.viewer
        facts = viewer.facts(self.seen.now_s)
        return self.narrator.tell(facts, viewer.view, viewer.board.cursor).splitlines()


def told(seen: Seen) -> list[str]:
    return Listener(seen).hear()


def test_a_game_is_told_whole_once() -> None:
    seen = Seen(
        play("*..\n...", "classic", "flag 0 0", "reveal 2 1"),
        label="classic 3x2",
        clock=61_900,
        remark=["assisted"],
        aim={"id": "aim.open", "text": "Open every safe cell."},
        message={"id": "undone", "text": "Undone.", "tone": "warning"},
        cursor=[2, 1],
        figures=[["time", "12 s"], ["", "not ranked"]],
    )
    listener = Listener(seen)
    assert listener.hear() == [
        "Classic 3x2: 3 columns, 2 rows, 1 mine.",
        "Undone.",
        "Playing.",
        "Clock 61 s, 80 % open.",
        "Assisted.",
        "Open every safe cell.",
        "0 mines left.",
        "time 12 s",
        "not ranked",
        "At 2 1: empty.",
    ]
    assert listener.hear() == ["Undone."]
    listener.narrator.forget()
    assert len(listener.hear()) == 10


def test_where_nothing_changed_and_nothing_is_said_that_is_the_answer() -> None:
    listener = Listener(Seen())
    listener.hear()
    assert listener.hear() == ["Nothing changed."]


def test_a_message_that_comes_again_is_told_again_with_what_changed() -> None:
    seen = Seen("? 1", message={"id": "x", "text": "No."})
    listener = Listener(seen)
    listener.hear()
    seen.press(KeyAction.RIGHT)
    assert listener.hear() == ["At 1 0: 1."]
    seen.press(KeyAction.LEFT)
    listener.narrator.expect_message()
    assert listener.hear() == ["No.", "At 0 0: covered."]


def test_few_cells_that_changed_are_named_and_many_are_counted() -> None:
    game = play("*..*\n....\n....", "classic")
    seen = Seen(game)
    listener = Listener(seen)
    listener.hear()
    game.flag(Cell(0, 0), 0)
    game.flag(Cell(1, 0), 0)
    seen.hear(game)
    assert listener.hear() == ["0 mines left.", "At 0 0: flag.", "Flagged: 1 0."]
    game.flag(Cell(1, 0), 0)
    game.reveal(Cell(2, 2), 0)
    seen.hear(game)
    assert listener.hear() == [
        "1 mine left.",
        "Flag removed: 1 0.",
        "Opened: 8 cells in columns 0 to 3, rows 1 to 2.",
    ]


def test_a_cell_that_was_opened_says_its_number() -> None:
    listener = Listener(Seen("? ? ?"))
    listener.hear()
    listener.seen.hear("? 1 ?")
    assert listener.hear() == ["Opened: 1 0 is 1."]


def test_an_undone_beginning_covers_every_cell() -> None:
    seen = Seen("1 ?")
    listener = Listener(seen)
    listener.hear()
    seen.hear("? ?")
    assert listener.hear()[-1] == "Every cell is covered."


def test_a_game_is_never_read_out_cell_by_cell() -> None:
    listener = Listener(Seen("\n".join([" ".join("?" * 30)] * 16)))
    listener.hear()
    for position in ("1", ".", "F"):
        listener.seen.hear("\n".join([" ".join(position * 30)] * 16))
        lines = listener.hear()
        assert len(lines) < 6
        assert max(map(len, lines)) < 80


def test_hints_odds_and_what_lacks_flags_name_their_cells() -> None:
    seen = Seen("? ?\n? ?", hint=[3, 0], flash=[2, 1], odds=[[0, 12], [3, 100]])
    lines = told(seen)
    assert "Hint: 1 1; look at 0 0." in lines
    assert "Covered around it: 1 0, 0 1." in lines
    assert "Least chance of a mine: 12 % at 0 0." in lines
    assert "Chance of a mine here: 12 %. Press o to hide the odds." in lines
    assert "Chance of a mine: 100 %." in describe_cell(Cell(1, 1), seen.viewer.view)


def test_a_pause_hides_the_board() -> None:
    seen = Seen("? 1")
    listener = Listener(seen)
    listener.hear()
    seen.take({"state": "paused"})
    assert listener.hear() == ["Paused.", "Clock 0 s, 100 % open."]


PARTNERS: dict[str, Any] = {
    "room": {"code": "KTPQAH", "kind": "shared", "state": "running", "you": 2},
    "seats": [{"number": 1, "name": "Ada"}, {"number": 2, "name": "Bob"}],
}


def test_a_cell_is_told_with_what_touches_it_and_whose_flag_it_is() -> None:
    view = Seen("1 F ?\n2 ? ?", owners=[[1, 1]], **PARTNERS).viewer.view
    assert describe_cell(Cell(0, 1), view) == "0 1: 2. Around it: 1 covered, 1 flag."
    assert "Flagged by Ada." in describe_cell(Cell(1, 0), view)


def test_a_row_is_told_with_equal_neighbours_together() -> None:
    view = Seen(". . 1 2 ? ? ? F ?").viewer.view
    assert describe_row(0, view) == "Row 0: 2 empty, 1, 2, 3 covered, flag, covered."


def test_debug_mode_is_drawn_in_small_letters_and_keeps_flags() -> None:
    game = play("*.*", "classic", "flag 0 0", "flag 1 0")
    seen = Seen(game, debug_mines=game.reveal_truth().mines)
    assert draw_board(seen.viewer.view) == "fFb"
    assert describe_row(0, seen.viewer.view) == "Row 0: flag on a mine, flag, covered mine."


@pytest.mark.requirement("C:Losing Condition")
def test_a_lost_field_tells_everything_apart() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    seen = Seen(play("**..*\n.....", "classic", *moves))
    assert draw_board(seen.viewer.view) == "XF?!B\n????1"
    assert describe_row(0, seen.viewer.view) == (
        "Row 0: the mine that ended the game, flagged mine, never opened, wrong flag, mine."
    )
    assert "Lost." in told(seen)


def test_a_menu_is_told_row_by_row_and_then_what_changes() -> None:
    seen = Seen()
    rows: list[dict[str, Any]] = [
        {"id": "h", "kind": "heading", "label": "Rules"},
        {"id": "a", "label": "Play", "help": "Back to the board."},
        {"id": "b", "kind": "choice", "label": "Kind", "value": "one", "choices": ["one", "two"]},
        {"id": "c", "kind": "text", "label": "Name", "value": "Ada"},
        {"id": "d", "label": "Undo", "disabled": "There is nothing to undo."},
        {"id": "e", "label": "quick", "figures": ["7 %", "0:12"]},
    ]
    listener = Listener(seen)
    listener.hear()
    seen.take({"menu": {"id": "m", "title": "Menu", "rows": rows, "selected": "a"}})
    assert listener.hear() == [
        "Menu: Menu.",
        "Rules:",
        "1. Play.",
        "2. Kind: one, left and right change it.",
        "3. Name: Ada, a text.",
        "4. Undo, not now: There is nothing to undo.",
        "5. quick: 7 %, 0:12.",
        "Selected: 1. Play. Back to the board.",
    ]
    seen.press(KeyAction.DOWN)
    assert listener.hear() == ["Selected: 2. Kind: one, left and right change it."]
    seen.take({"rows": [{**rows[2], "value": "two"}]})
    assert listener.hear() == ["Selected: 2. Kind: two, left and right change it."]
    seen.take({"menu": None})
    assert listener.hear()[0].startswith("A game: ")


def test_a_page_is_told_whole() -> None:
    seen = Seen(rows=12)
    lines = [f"line {number}" for number in range(99)]
    seen.take({"page": {"id": "p", "title": "Page", "lines": ["One.", "", TABLE, *lines]}})
    shown = told(seen)
    assert shown[:5] == ["Page: Page.", "One.", "", "      won", "easy    3"]
    assert shown[-1] == "line 98"


@given(data=st.data(), setup=setups(12))
def test_any_board_can_be_read_as_it_was_drawn(data: st.DataObject, setup: Setup) -> None:
    game = Game(setup)
    size = setup.size
    for _ in range(data.draw(st.integers(0, 6))):
        column = data.draw(st.integers(0, size.columns - 1))
        row = data.draw(st.integers(0, size.rows - 1))
        (game.flag if data.draw(st.booleans()) else game.reveal)(Cell(column, row), 0)
    # A mine that was hit before the end looks like any other one at the end.
    assume(not (game.known and game.status.is_over))
    written = draw_board(Seen(game).viewer.view)
    assert str(parse_position(written, setup.mine_count, game.status)) == str(game.view)
