from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.screen.models import (
    CellSize,
    Listing,
    MenuItem,
    MenuScreen,
    Message,
    PageScreen,
    Typing,
)
from jminesweeper.screen.panels import compose_menu, compose_notice, compose_page
from jminesweeper.screen.styles import CLUES, Style
from tests.unit.screen.examples import ASCII_CANVAS

SMALL = replace(ASCII_CANVAS, columns=40, rows=12)
ITEMS = [
    MenuItem("New game", note="Begin."),
    MenuItem("Palette", "default", is_adjustable=True),
    MenuItem("Games", "12"),
    MenuItem("Load", is_enabled=False),
]
KEYS = (("RETURN", "choose"),)
MENU = MenuScreen("Menu", ITEMS, 1, Message("Hi"), KEYS)
PAGE = PageScreen("Help", [f"line {number}" for number in range(40)], 3, Message("Hi"), KEYS)


def texts(model: MenuScreen | PageScreen, size: Size | None = None) -> list[str]:
    canvas = replace(ASCII_CANVAS, columns=size.columns, rows=size.rows) if size else ASCII_CANVAS
    if isinstance(model, MenuScreen):
        return [line.text for line in compose_menu(model, canvas).screen.lines]
    return [line.text for line in compose_page(model, canvas).screen.lines]


def test_the_selected_item_is_marked_by_a_sign_and_reversed() -> None:
    composed = compose_menu(MENU, ASCII_CANVAS)
    (line,) = (line for line in composed.screen.lines if ">" in line.text and "Pal" in line.text)
    assert "| > Palette" in line.text
    assert line.styles[line.text.index("Palette")] == Style.CHOSEN


def test_the_cursor_is_on_the_mark_of_the_selected_item() -> None:
    screen = compose_menu(MENU, ASCII_CANVAS).screen
    assert screen.cursor_shown
    assert screen.lines[screen.cursor_row].text[screen.cursor_column] == ">"


def test_values_are_at_the_right_and_those_that_can_be_changed_in_angles() -> None:
    lines = texts(MENU)
    assert any(line.endswith("< default > |") for line in lines)
    assert any(line.endswith(" 12 |") for line in lines)


def test_an_item_that_cannot_be_chosen_is_in_parentheses() -> None:
    assert any("(Load)" in line for line in texts(MENU))


def test_title_message_and_keys_are_shown() -> None:
    shown = "\n".join(texts(MENU))
    assert "+- Menu -" in shown
    assert "Hi" in shown
    assert "RETURN choose" in shown


def test_the_selected_items_note_is_shown() -> None:
    assert not any("Begin." in line for line in texts(MENU))
    assert any("Begin." in line for line in texts(MENU._replace(selected=0)))


def test_a_menu_keeps_its_place_when_a_note_comes_and_goes() -> None:
    tops = [
        next(row for row, line in enumerate(texts(model)) if "Menu" in line)
        for model in (MENU, MENU._replace(selected=0))
    ]
    assert tops[0] == tops[1]


def test_a_long_note_continues_in_the_next_line_and_the_menu_stays_where_it_is() -> None:
    items = [MenuItem("One", note="word " * 12), MenuItem("Two", note="short")]
    shown = [texts(MenuScreen("Menu", items, selected), Size(40, 12)) for selected in (0, 1)]
    assert [sum("word" in line for line in lines) for lines in shown] == [2, 0]
    assert (
        len({next(row for row, line in enumerate(lines) if "Menu" in line) for lines in shown}) == 1
    )


@pytest.mark.parametrize("selected", [0, 7, 20, 39])
def test_a_long_menu_scrolls_to_the_selected_item(selected: int) -> None:
    model = MenuScreen("Menu", [MenuItem(f"Item {number}") for number in range(40)], selected)
    lines = texts(model, Size(40, 12))
    assert sum("Item" in line for line in lines) == 9
    assert any(f"> Item {selected} " in line for line in lines)
    (top,) = (line for line in lines if "Menu" in line)
    bottom = next(line for line in reversed(lines) if line.strip().startswith("+"))
    assert ("^" in top, "v" in bottom) == (selected > 4, selected < 35)


def test_an_items_row_leads_to_it() -> None:
    composed = compose_menu(MENU, ASCII_CANVAS)
    row, column = composed.screen.cursor_row, composed.screen.cursor_column
    assert [composed.locate(column, row + down) for down in range(-2, 4)] == [
        None,
        0,
        1,
        2,
        3,
        None,
    ]
    assert composed.locate(0, row) is None
    assert composed.locate(column, 99) is None


def test_an_items_row_leads_to_it_in_a_menu_that_is_scrolled() -> None:
    model = MenuScreen("Menu", [MenuItem(f"Item {number}") for number in range(40)], 30)
    composed = compose_menu(model, SMALL)
    row, column = composed.screen.cursor_row, composed.screen.cursor_column
    assert composed.locate(column, row - 1) == 29


SAVES = MenuScreen(
    "Load",
    [
        MenuItem("my game", figures=("easy 20x10", "100%", "12:05", "2026-11-18")),
        MenuItem("x" * 64, figures=("beginner 9x9", "1%", "1:05", "2026-11-17")),
        MenuItem("other"),
    ],
    0,
)


def test_figures_of_items_stand_in_columns() -> None:
    rows = [line for line in texts(SAVES) if "2026" in line]
    assert [row.rstrip("| ")[-38:] for row in rows] == [
        "    easy 20x10  100%  12:05  2026-11-18"[-38:],
        "  beginner 9x9    1%   1:05  2026-11-17"[-38:],
    ]


def test_on_a_narrow_screen_the_first_figures_go_and_names_are_cut() -> None:
    rows = [line for line in texts(SAVES, Size(40, 12)) if "2026" in line]
    assert rows == [
        "| > my game      100% 12:05 2026-11-18 |",
        "|   xxxxxxxxxxx    1%  1:05 2026-11-17 |",
    ]


def test_on_a_narrow_screen_what_follows_the_comma_of_a_value_goes_before_the_label() -> None:
    item = MenuItem("New game", "intermediate 16x16, 40 mines", is_adjustable=True)
    menu = MenuScreen("Menu", [item], 0)
    assert "| > New game   < intermediate 16x16, 40 mines > |" in "".join(texts(menu))
    assert "| > New game   < intermediate 16x16 > |" in "".join(texts(menu, Size(40, 12)))


def field(text: str) -> MenuScreen:
    item = MenuItem("Name", text, typing=Typing.TEXT)
    return MenuScreen("Save", [item], 0)


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("text", ["", "my game ", "abcdefghij" * 6 + "wxyz"])
def test_a_field_shows_what_is_near_the_next_letter_and_the_cursor_there(
    columns: int, text: str
) -> None:
    screen = compose_menu(field(text), replace(ASCII_CANVAS, columns=columns)).screen
    line = screen.lines[screen.cursor_row].text
    assert screen.takes_text
    assert len(line) <= columns
    before = line[: screen.cursor_column].partition("[")[2]
    assert text.endswith(before)
    assert bool(before) == bool(text)
    assert line[screen.cursor_column :].strip(" |") == "]"


def test_a_field_keeps_its_size_while_it_is_filled() -> None:
    lines = [texts(field(text)) for text in ("", "a", "abcdefghij" * 6)]
    assert len({line.index("]") for text in lines for line in text if "]" in line}) == 1


def test_letters_are_text_only_where_a_field_is_selected() -> None:
    assert not compose_menu(MENU, ASCII_CANVAS).screen.takes_text
    assert not MenuScreen("Menu", [], 0).takes_text


def test_a_page_has_figures_and_says_where_it_is_scrolled_to() -> None:
    rows = [(f"board {number}", str(number)) for number in range(40)]
    model = PageScreen("Statistics", ["sums", Listing(("", "played"), rows)], 999)
    composed = compose_page(model, ASCII_CANVAS)
    assert composed.first_line == 42 - 21
    assert any("board 39      39" in line.text for line in composed.screen.lines)


@pytest.mark.parametrize(("rows", "keys"), [(80, "ESC back"), (24, "UP scroll")])
def test_a_key_that_scrolls_is_named_where_there_is_more_to_read(rows: int, keys: str) -> None:
    page = PAGE._replace(keys=(("ESC", "back"),), part_keys=(("UP", "scroll"),))
    assert [line for line in texts(page, Size(80, rows)) if line][-1].strip() == keys


def test_columns_that_have_no_room_follow_each_other() -> None:
    page = PageScreen("Help", ["arrows, w a s d   move the cursor by one cell", "x      quit"])
    shown = [line.strip("| ") for line in texts(page, Size(40, 12)) if line.startswith("|")]
    assert shown == ["arrows, w a s d  move the cursor by", "one cell", "x      quit"]
    assert any(line.startswith("|   one cell") for line in texts(page, Size(40, 12)))


def test_a_menu_without_items_is_no_trouble() -> None:
    composed = compose_menu(MenuScreen("Menu", [], 0), ASCII_CANVAS)
    assert not composed.screen.cursor_shown


def test_a_page_shows_its_lines_from_the_first_on() -> None:
    lines = texts(PAGE, Size(80, 13))
    assert [line.strip("| ") for line in lines if "line" in line] == [
        f"line {number}" for number in range(3, 12)
    ]
    assert any("- 4-12 of 40 -" in line for line in lines)


def test_a_page_scrolled_beyond_its_end_stops_there() -> None:
    lines = texts(PAGE._replace(first_line=400))
    assert any("line 39" in line for line in lines)
    assert any("of 40" in line for line in lines)


def test_a_short_page_is_shown_whole() -> None:
    lines = texts(PageScreen("Help", ["one", "two"]))
    assert sum("one" in line or "two" in line for line in lines) == 2
    assert not any("of 2" in line for line in lines)


def test_long_lines_of_a_page_continue_in_the_next() -> None:
    lines = texts(PageScreen("Help", ["word " * 20]), Size(40, 12))
    assert sum("word" in line for line in lines) == 3


def test_a_page_can_be_empty() -> None:
    assert any("Help" in line for line in texts(PageScreen("Help", [])))


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_panels_stand_in_the_middle(columns: int) -> None:
    for model in (MENU, PAGE):
        (title,) = (line for line in texts(model, Size(columns, 60)) if model.title in line)
        left = len(title) - len(title.lstrip())
        assert abs(left - (columns - len(title))) <= 1


def test_a_title_longer_than_its_panel_is_cut() -> None:
    lines = texts(MENU._replace(title="title " * 30), Size(40, 24))
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(
    ("columns", "rows", "shown"),
    [
        (20, 2, ["Make it larger", ""]),
        (7, 3, ["Make it", "larger", ""]),
        (6, 2, ["Make", "it"]),
    ],
)
def test_a_notice_takes_as_many_lines_as_there_are(
    columns: int, rows: int, shown: list[str]
) -> None:
    canvas = replace(ASCII_CANVAS, columns=columns, rows=rows)
    screen = compose_notice(Message("Make it larger"), canvas)
    assert [line.text for line in screen.lines] == shown


@pytest.mark.parametrize("cell_size", CellSize)
def test_a_preview_stands_beside_the_list_where_there_is_room(cell_size: CellSize) -> None:
    wide = replace(ASCII_CANVAS, columns=130, rows=30, cell_size=cell_size)
    alone = compose_menu(MENU, wide).screen
    beside = compose_menu(MENU._replace(has_preview=True), wide).screen
    assert beside.cursor_column == alone.cursor_column
    styles = {style for line in beside.lines for style in line.styles}
    assert styles >= {*CLUES, Style.COVERED, Style.FLAG, Style.MINE, Style.FATAL, Style.WRONG_FLAG}
    assert all(
        shown.text.startswith(line.text)
        for shown, line in zip(beside.lines, alone.lines, strict=True)
    )


def test_without_room_there_is_no_preview() -> None:
    model = MENU._replace(has_preview=True)
    assert texts(model, Size(40, 12)) == texts(MENU, Size(40, 12))
