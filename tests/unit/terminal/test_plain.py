"""What there is to see as plain text: complete enough to play by."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.notation import parse_position
from jminesweeper.core.setup import Setup
from tests.property.core_strategies import setups
from tests.unit.core.boards import play
from tests.unit.terminal.examples import Seen


def text_of(seen: Seen) -> list[str]:
    return seen.viewer.text(seen.now_s).splitlines()


def field_of(lines: list[str]) -> list[str]:
    """Return the rows of cells, without their numbers."""
    rows = lines[lines.index("field:") + 1 :]
    return [row[4:] for row in rows if row[:3].strip().isdigit()]


def test_a_game_is_written_line_by_line() -> None:
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
    assert text_of(seen) == [
        "JMinesweeper classic 3x2",
        "screen: game",
        "state: playing",
        "remark: assisted",
        "aim: Open every safe cell.",
        "size: 3x2",
        "mines: 1",
        "mines left: 0",
        "clock: 61 s",
        "solved: 80 %",
        "cursor: 2 1",
        "field:",
        "    0 1 2",
        "  0 F 1 .",
        "  1 ? 1 .",
        "figure: time 12 s",
        "figure: not ranked",
        "message: Undone.",
    ]


def test_column_numbers_are_written_downwards() -> None:
    lines = text_of(Seen(" ".join("?" * 12)))
    start = lines.index("field:") + 1
    assert lines[start : start + 3] == [
        "                        1 1",
        "    0 1 2 3 4 5 6 7 8 9 0 1",
        "  0 ? ? ? ? ? ? ? ? ? ? ? ?",
    ]


def test_hints_odds_and_what_lacks_flags_name_their_cells() -> None:
    seen = Seen("? ?\n? ?", hint=[3, 0], flash=[2, 1], odds=[[0, 12], [3, 100]])
    lines = text_of(seen)
    assert "hint: 1 1, 0 0" in lines
    assert "around: 1 0, 0 1" in lines
    assert "odds: 0 0 12 %, 1 1 100 %" in lines
    assert "message: Chance of a mine here: 12 %. Press o to hide the odds." in lines


def test_a_pause_hides_the_field() -> None:
    lines = text_of(Seen("? 1", state="paused"))
    assert "field:" not in lines


def test_debug_mode_is_told_in_small_letters_and_keeps_flags() -> None:
    game = play("*.*", "classic", "flag 0 0", "flag 1 0")
    assert field_of(text_of(Seen(game, debug_mines=game.reveal_truth().mines))) == ["f F b"]


@pytest.mark.requirement("C:Losing Condition")
def test_a_lost_field_tells_everything_apart() -> None:
    moves = ("flag 1 0", "flag 3 0", "reveal 4 1", "reveal 0 0")
    lines = text_of(Seen(play("**..*\n.....", "classic", *moves)))
    assert field_of(lines) == ["X F ? ! B", "? ? ? ? 1"]
    assert "state: lost" in lines


def test_a_menu_is_a_numbered_list() -> None:
    seen = Seen()
    rows = [
        {"id": "h", "kind": "heading", "label": "Rules"},
        {"id": "a", "label": "Play", "help": "Back to the board."},
        {"id": "b", "kind": "choice", "label": "Kind", "value": "one", "choices": ["one"]},
        {"id": "c", "kind": "text", "label": "Name", "value": "Ada"},
        {"id": "d", "label": "Undo", "disabled": "There is nothing to undo."},
        {"id": "e", "label": "quick", "figures": ["7 %", "0:12"]},
    ]
    seen.take({"menu": {"id": "m", "title": "Menu", "rows": rows, "selected": "a"}})
    assert text_of(seen) == [
        "JMinesweeper Menu",
        "screen: menu",
        "     Rules:",
        ">  1. Play",
        "   2. Kind  < one >",
        "   3. Name  [Ada]",
        "   4. (Undo)",
        "   5. quick  7 %  0:12",
        "note: Back to the board.",
    ]


def test_a_page_is_written_whole() -> None:
    seen = Seen(rows=12)
    table = {"head": ["", "won"], "rows": [["easy", "3"]]}
    lines = [f"line {number}" for number in range(99)]
    seen.take({"page": {"id": "p", "title": "Page", "lines": ["One.", "", table, *lines]}})
    shown = text_of(seen)
    assert shown[:7] == [
        "JMinesweeper Page",
        "screen: page",
        "text:",
        "One.",
        "",
        "      won",
        "easy    3",
    ]
    assert shown[-1] == "line 98"


@given(data=st.data(), setup=setups(12))
def test_any_position_can_be_read_as_it_was_written(data: st.DataObject, setup: Setup) -> None:
    game = Game(setup)
    size = setup.size
    for _ in range(data.draw(st.integers(0, 6))):
        column = data.draw(st.integers(0, size.columns - 1))
        row = data.draw(st.integers(0, size.rows - 1))
        (game.flag if data.draw(st.booleans()) else game.reveal)(Cell(column, row), 0)
    # A mine that was hit before the end looks like any other one at the end.
    assume(not (game.known and game.status.is_over))
    written = "\n".join(field_of(text_of(Seen(game))))
    view = parse_position(written, setup.mine_count, game.status)
    assert str(view) == str(game.view)


def test_the_document_shows_what_is_written() -> None:
    text = (Path(__file__).parents[3] / "docs/plain-format.md").read_text()
    example = text.partition("```text\n")[2].partition("```")[0].splitlines()
    names = [line.partition(":")[0] for line in example if line.partition(":")[1]]
    rows = [line[4:] for line in example if line[:3].strip().isdigit()]
    position = "\n".join(rows)
    seen = Seen(
        position,
        mines=10,
        left=9,
        label="beginner 9x9",
        clock=42_000,
        cursor=[2, 1],
        message={"id": "odd", "text": example[-1].partition(": ")[2]},
    )
    written = text_of(seen)
    assert [line.partition(":")[0] for line in written if line.partition(":")[1]] == names
    assert written[:9] == example[:9]
