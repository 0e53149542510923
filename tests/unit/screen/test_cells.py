"""Screens as data: what is said, and how little of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import LONGEST_MEMBERS
from jminesweeper.screen.cells import LONGEST_TEXT, MOST_ITEMS, CellsPainter
from jminesweeper.screen.models import (
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    ScreenModel,
    Taste,
    Tone,
    Typing,
)
from tests.unit.core.boards import play
from tests.unit.screen.examples import covered, screen_of


@pytest.fixture
def painter() -> CellsPainter:
    return CellsPainter(Taste())


def see(painter: CellsPainter, model: ScreenModel) -> dict[str, Any]:
    """Return the members that changed."""
    members: dict[str, Any] = json.loads(painter.paint(model).text)
    return members


def test_a_game_is_described_member_by_member(painter: CellsPainter) -> None:
    model = screen_of(
        "F ? ?\n. 1 2",
        (2, 1),
        label="beginner 3x2",
        elapsed_ms=42_900,
        solved_share=0.129,
        message=Message("Well done.", Tone.GOOD),
        state="assisted",
        aim="Open every safe cell.",
        hint_cells=0b0110,
        keys=(("m", "menu"),),
        summary=("time 1 s",),
    )
    assert see(painter, model) == {
        "label": "beginner 3x2",
        "size": [3, 2],
        "mines": 1,
        "left": 0,
        "state": "playing",
        "remark": "assisted",
        "clock": 42_900,
        "clock_runs": False,
        "solved": 12,
        "replay": None,
        "cursor": [2, 1],
        "hint": [1, 2],
        "flash": [],
        "odds": None,
        "figures": ["time 1 s"],
        "menu": None,
        "page": None,
        "takes_text": False,
        "aim": "Open every safe cell.",
        "message": ["Well done.", "good"],
        "keys": [["m", "menu"]],
        "palette": "tiles",
    }


def test_every_cell_has_its_face_at_first(painter: CellsPainter) -> None:
    assert painter.paint(screen_of("F ? ?\n. 1 2")).cells == bytes((0x30, 0x10, 0x10, 0, 1, 2))


def test_one_opened_cell_is_a_run_of_one(painter: CellsPainter) -> None:
    painter.paint(screen_of("? ? ?\n? ? ?"))
    assert painter.paint(screen_of("? ? ?\n? 3 ?")).cells == bytes((0, 4, 1, 3))


def test_cells_with_a_short_gap_between_them_are_one_run(painter: CellsPainter) -> None:
    painter.paint(screen_of("? ? ? ? ? ? ? ? ? ? ? ? ? ?"))
    patch = painter.paint(screen_of("? 1 ? ? ? 1 ? ? ? ? ? 2 ? ?"))
    assert patch.cells == bytes((0, 1, 5, 1, 16, 16, 16, 1, 0, 11, 1, 2))


def test_a_board_that_changes_all_over_is_sent_whole(painter: CellsPainter) -> None:
    painter.paint(screen_of("? ? ?\n? ? ?"))
    assert painter.paint(screen_of("1 ? 1\n1 ? 1")).cells == bytes((1, 16, 1, 1, 16, 1))


def test_another_size_is_another_board(painter: CellsPainter) -> None:
    painter.paint(screen_of("? ?"))
    patch = painter.paint(screen_of("?\n?"))
    assert json.loads(patch.text)["size"] == [1, 2]
    assert patch.cells == b"\x10\x10"


def test_a_paused_game_shows_no_cell(painter: CellsPainter) -> None:
    patch = painter.paint(screen_of("? 1", is_paused=True))
    assert json.loads(patch.text)["state"] == "paused"
    assert patch.cells == b""
    assert painter.paint(screen_of("? 1")).cells == b"\x10\x01"


def test_a_lost_game_tells_apart_what_each_cell_was(painter: CellsPainter) -> None:
    game = play("* * .\n. . .", "classic", "flag 0 0", "flag 2 0", "reveal 1 0")
    faces = painter.paint(screen_of(game)).cells
    assert faces[0] == 16 + 32 + 64
    assert faces[1] == 64 + 128
    assert faces[2] == 16 + 32 + 1
    assert faces[3] == 16 + 2


def test_debug_mode_shows_mines_under_covered_cells(painter: CellsPainter) -> None:
    model = screen_of("? F\n1 1", debug_mines=0b1)
    assert painter.paint(model).cells[:2] == bytes((16 + 64, 16 + 32))


def test_a_clock_that_runs_is_sent_once_a_second(painter: CellsPainter) -> None:
    def at(elapsed_ms: int, *, runs: bool = True) -> dict[str, Any]:
        return see(painter, screen_of("? ?", elapsed_ms=elapsed_ms, clock_runs=runs))

    at(1_200)
    assert at(1_999) == {}
    assert at(2_000) == {"clock": 2_000}
    assert at(2_500) == {}
    assert at(2_600, runs=False) == {"clock": 2_600, "clock_runs": False}


def test_a_menu_lies_over_a_game_that_stays_as_it_is(painter: CellsPainter) -> None:
    game = screen_of("? ?")
    menu = MenuScreen(
        "Settings",
        [
            MenuItem("Board", "expert", is_adjustable=True, note="A board."),
            MenuItem("Columns", "30", typing=Typing.DIGITS, is_adjustable=True),
            MenuItem("Load", is_enabled=False, figures=("1", "2")),
        ],
        1,
    )
    painter.paint(game)
    assert see(painter, menu) == {
        "menu": {
            "title": "Settings",
            "first": 0,
            "items": [
                {
                    "label": "Board",
                    "value": "expert",
                    "note": "A board.",
                    "adjustable": True,
                },
                {"label": "Columns", "value": "30", "typing": "digits", "adjustable": True},
                {"label": "Load", "figures": ["1", "2"], "disabled": True},
            ],
        },
        "selected": 1,
    }
    assert see(painter, game) == {"menu": None}


def test_walking_through_a_menu_says_only_where_one_is(painter: CellsPainter) -> None:
    items = [MenuItem("one"), MenuItem("two")]
    painter.paint(MenuScreen("Menu", items, 0))
    assert see(painter, MenuScreen("Menu", items, 1)) == {"selected": 1}


def test_a_field_to_fill_in_says_that_it_takes_text(painter: CellsPainter) -> None:
    field = MenuScreen("Save", [MenuItem("Name", typing=Typing.TEXT)], 0)
    assert see(painter, field)["takes_text"] is True


def test_of_a_long_menu_what_is_around_the_selection_is_sent() -> None:
    items = [MenuItem(f"item {number}") for number in range(1_000)]
    for selected in (0, 127, 128, 500, 999):
        menu = see(CellsPainter(Taste()), MenuScreen("Many", items, selected))["menu"]
        assert len(menu["items"]) == MOST_ITEMS
        assert menu["items"][selected - menu["first"]] == {"label": f"item {selected}"}


def test_a_menu_of_long_texts_is_cut_to_what_fits(painter: CellsPainter) -> None:
    assert LONGEST_TEXT == LONGEST_MEMBERS
    items = [MenuItem(f"{number} " + "\N{SNOWMAN}" * 200) for number in range(1_000)]
    patch = painter.paint(MenuScreen("Many", items, 700))
    assert len(patch.text) <= LONGEST_MEMBERS
    menu = json.loads(patch.text)["menu"]
    assert menu["items"][700 - menu["first"]]["label"].startswith("700 ")


def test_a_page_has_texts_and_tables(painter: CellsPainter) -> None:
    listing = Listing(("", "won"), (("expert", "3"),))
    page = PageScreen("Statistics", ["Hello.", listing], message=Message("Look!"))
    members = see(painter, page)
    assert members["page"] == {
        "title": "Statistics",
        "lines": ["Hello.", {"head": ["", "won"], "rows": [["expert", "3"]]}],
    }
    assert members["message"] == ["Look!", "plain"]
    assert members["menu"] is None


def test_marks_are_of_one_screen_alone(painter: CellsPainter) -> None:
    page = PageScreen("Bye", ["Goodbye."])
    assert json.loads(painter.paint(page, last=True, unasked=False).text)["last"] is True
    assert see(painter, page) == {}


def test_a_move_of_the_cursor_on_the_largest_board_says_nothing_else(painter: CellsPainter) -> None:
    game = covered(Size(255, 255))
    painter.paint(screen_of(game))
    patch = painter.paint(screen_of(game, (254, 254)))
    assert patch == (b'{"cursor":[254,254]}', b"")


def test_the_last_cell_of_the_largest_board_has_a_number(painter: CellsPainter) -> None:
    game = covered(Size(255, 255))
    painter.paint(screen_of(game))
    flagged = replace(game.view, flagged=game.grid.bit(Cell(254, 254)))
    patch = painter.paint(screen_of(game)._replace(view=flagged))
    assert patch.cells == (65_024).to_bytes(2, "big") + b"\x01\x30"
