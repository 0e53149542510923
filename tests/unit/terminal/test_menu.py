"""Menus: rows to choose from, values to turn, texts to fill in; and pages to read."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import OpenMenu, Pick
from jminesweeper.protocol.vocabulary import Command, PickWhat
from jminesweeper.terminal.keys import KeyAction, Press
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import Characters, ColourDepth, Ground, Looks, Palette
from jminesweeper.terminal.symbols import Style
from tests.unit.terminal.examples import Seen

ROWS = [
    {"id": "rules", "kind": "heading", "label": "Rules"},
    {"id": "play", "label": "Play", "help": "Back to the board."},
    {"id": "kind", "kind": "choice", "label": "Kind", "value": "two", "choices": ["one", "two"]},
    {"id": "mines", "kind": "number", "label": "Mines", "value": "10", "range": [1, 80]},
    {"id": "name", "kind": "text", "label": "Name", "value": "Ada", "range": [0, 8]},
    {"id": "off", "label": "Undo", "disabled": "There is nothing to undo."},
    {"id": "old", "label": "old game", "drop": True},
]
FIELD = [{"id": "code", "kind": "text", "label": "Code", "value": "abc"}]


def menu(rows: list[dict[str, Any]] | None = None, **more: Any) -> Seen:
    """Open a menu; `columns`, `height` and `colours` are the terminal's."""
    terminal = {name: more.pop(name) for name in ("columns", "colours") if name in more}
    seen = Seen(has_unicode=True, rows=more.pop("height", 24), **terminal)
    shown = {"id": "m", "title": "Menu", "rows": ROWS if rows is None else rows, **more}
    seen.take({"menu": shown, "keys": ["choose", "back", "quit", "drop"]})
    return seen


def selected(seen: Seen) -> str:
    return next(line.split("> ", 1)[1].split("  ")[0] for line in seen.lines if "│ > " in line)


def test_the_first_row_that_can_be_chosen_is_selected_or_the_one_that_is_named() -> None:
    assert selected(menu()) == "Play"
    assert selected(menu(selected="mines")) == "Mines"


def test_the_selected_row_is_marked_and_coloured_and_explained() -> None:
    seen = menu(colours=ColourDepth.INDEXED)
    assert set(seen.styles_of("> Play")) == {Style.CHOSEN}
    assert "Back to the board." in seen.text
    assert set(seen.styles_of("Undo")) == {Style.DISABLED}
    assert set(seen.styles_of("Rules")) == {Style.HEADING}


def test_moving_goes_round_and_past_headings_and_sends_nothing() -> None:
    seen = menu()
    assert seen.press(KeyAction.UP) == []
    assert selected(seen) == "old game"
    seen.press(KeyAction.DOWN)
    assert selected(seen) == "Play"
    seen.press(KeyAction.ROW_END)
    assert selected(seen) == "old game"
    seen.press(KeyAction.PAGE_UP)
    assert selected(seen) == "Play"


def test_a_choice_names_menu_and_row() -> None:
    assert menu().press(KeyAction.REVEAL) == [Pick("m", "play")]
    assert menu().press(KeyAction.FLAG) == [Pick("m", "play")]


def test_a_row_that_cannot_be_chosen_says_why() -> None:
    seen = menu(selected="off")
    assert seen.press(KeyAction.REVEAL) == []
    assert "There is nothing to undo." in seen.text
    assert "RETURN choose" not in seen.text


def test_a_value_is_turned_at_once_and_one_packet_carries_it() -> None:
    seen = menu(selected="kind")
    assert seen.press(KeyAction.RIGHT, KeyAction.RIGHT) == [
        Pick("m", "kind", "one"),
        Pick("m", "kind", "two"),
    ]
    assert seen.press(KeyAction.LEFT) == [Pick("m", "kind", "one")]
    assert "< one >" in seen.text
    assert all(seen.viewer.flows(packet) for packet in seen.sent)


def test_a_number_is_turned_within_its_range() -> None:
    seen = menu(selected="mines")
    packets = seen.press(KeyAction.RIGHT, KeyAction.JUMP_LEFT, KeyAction.LEFT, KeyAction.ROW_END)
    assert [packet.value for packet in packets if isinstance(packet, Pick)] == [
        "11",
        "1",
        "1",
        "80",
    ]


def test_a_number_of_any_length_is_turned() -> None:
    rows = [{"id": "n", "kind": "number", "label": "Mines", "value": "9" * 5_000, "range": [1, 80]}]
    assert menu(rows).press(KeyAction.LEFT) == [Pick("m", "n", "80")]


def test_a_row_of_an_unknown_kind_is_chosen() -> None:
    rows = [{"id": "new", "kind": "of a later server", "label": "New"}]
    assert menu(rows).press(KeyAction.REVEAL) == [Pick("m", "new", "")]


def test_a_number_is_typed_and_sent_when_it_is_left() -> None:
    seen = menu(selected="mines")
    assert seen.type("42") == []
    assert "< 42 >" in seen.text
    seen.press(KeyAction.ERASE)
    assert seen.press(KeyAction.UP) == [Pick("m", "mines", "4")]
    seen = menu(selected="mines")
    seen.type("7")
    assert seen.press(KeyAction.MENU) == [Pick("m", "mines", "7"), OpenMenu("")]


def test_letters_are_keys_until_a_text_is_being_filled_in() -> None:
    seen = menu(selected="name")
    assert seen.type("x") == []
    assert seen.press(KeyAction.REVEAL) == []
    assert seen.viewer.screen(0.0).is_typing
    seen.type("Grace Hopper")
    assert seen.press(KeyAction.REVEAL) == [Pick("m", "name", "Grace Ho")]
    assert not seen.viewer.flows(seen.sent[-1])


def test_filling_in_can_be_given_up() -> None:
    seen = menu(selected="name")
    seen.press(KeyAction.REVEAL)
    seen.type("G")
    assert seen.press(KeyAction.MENU) == []
    assert "Ada" in seen.text
    assert seen.press(KeyAction.MENU) == [OpenMenu("")]


def test_a_menu_of_one_text_is_a_field_where_typing_begins_at_once() -> None:
    seen = menu(FIELD)
    assert "[abc" in seen.text
    seen.type("x q")
    assert "[x q" in seen.text
    seen.press(KeyAction.ERASE)
    assert seen.press(KeyAction.REVEAL) == [Pick("m", "code", "x ")]
    assert menu(FIELD).press(KeyAction.REVEAL) == [Pick("m", "code", "abc")]
    assert menu(FIELD).press(KeyAction.MENU) == [OpenMenu("")]


def test_arrows_edit_a_text_and_lose_nothing_of_it() -> None:
    seen = menu(FIELD)
    seen.press(KeyAction.LEFT)
    seen.type("-")
    row, column = seen.find("[ab-c")
    assert seen.viewer.screen(0.0).cursor == (row, column + 4)
    seen.press(KeyAction.UP, KeyAction.DOWN, KeyAction.ROW_START)
    seen.type("x")
    seen.press(KeyAction.RIGHT, KeyAction.ERASE, KeyAction.ROW_END)
    seen.type("z")
    assert seen.press(KeyAction.REVEAL) == [Pick("m", "code", "xb-cz")]


def test_the_part_of_a_long_text_is_seen_where_letters_go() -> None:
    seen = menu(FIELD)
    seen.type("".join(map(chr, range(33, 127))))
    assert "~" in seen.text
    seen.press(KeyAction.ROW_START)
    assert "[!" in seen.text
    assert "~" not in seen.text


def test_typing_is_shown_where_the_next_letter_goes() -> None:
    seen = menu(FIELD)
    row, column = seen.find("[abc")
    assert seen.viewer.screen(0.0).cursor == (row, column + 4)


def test_what_is_typed_is_cleaned_and_fits_a_packet() -> None:
    seen = menu(FIELD)
    seen.type("\x1b[31mé")
    (packet,) = seen.press(KeyAction.REVEAL)
    assert packet == Pick("m", "code", "[31mé")
    seen.type("é" * 300)
    (packet,) = seen.press(KeyAction.REVEAL)
    assert isinstance(packet, Pick)
    assert len(packet.value.encode()) <= 255


def test_a_row_is_dropped_where_that_can_be() -> None:
    assert menu(selected="old").press(KeyAction.ERASE) == [Pick("m", "old", what=PickWhat.DROP)]
    assert menu().press(KeyAction.ERASE) == []


def test_other_keys_leave_or_mean_nothing() -> None:
    assert menu().press(KeyAction.MENU) == [OpenMenu("")]
    assert menu().press(KeyAction.QUIT) == [Command.QUIT]
    assert menu().press(KeyAction.UNDO, KeyAction.CHORD) == []


def test_the_help_opens_over_a_menu() -> None:
    assert menu().press(KeyAction.HELP) == [OpenMenu("help")]


def test_rows_that_change_keep_what_is_selected() -> None:
    seen = menu(selected="mines")
    seen.take({"rows": [{"id": "mines", "kind": "number", "label": "Mines", "value": "80"}]})
    assert selected(seen) == "Mines"
    assert "< 80 >" in seen.text
    seen.take({"menu": {"id": "m", "title": "Menu", "rows": ROWS[1:]}})
    assert selected(seen) == "Mines"
    seen.type("4")
    seen.take({"menu": {"id": "m", "title": "Menu", "rows": ROWS}})
    assert "< 4 >" in seen.text
    seen.take({"menu": {"id": "other", "title": "Menu", "rows": ROWS}})
    assert selected(seen) == "Play"


def test_a_row_is_chosen_where_it_is_pressed() -> None:
    seen = menu()
    row, column = seen.find("Play")
    assert seen.click(row, column) == [Pick("m", "play")]
    row, column = seen.find("Mines")
    assert seen.click(row, column, Press.FLAG) == []
    assert selected(seen) == "Mines"
    assert seen.click(*seen.find("Rules")) == []
    seen.click(row, column, Press.WHEEL_UP)
    assert selected(seen) == "Kind"


@pytest.mark.parametrize("number", [1, 17, 39])
def test_a_long_menu_scrolls_to_its_selected_row(number: int) -> None:
    rows = [{"id": str(each), "label": f"row {each}."} for each in range(40)]
    seen = menu(rows, selected=str(number), height=12)
    assert f"> row {number}." in seen.text
    row, column = seen.find(f"row {number}.")
    assert seen.click(row, column) == [Pick("m", str(number))]


@pytest.mark.parametrize("columns", [40, 80])
def test_figures_beside_a_value_matter_more_than_it(columns: int) -> None:
    row = {"label": "Ada", "value": "intermediate no-guess 16x16", "figures": ["81 %", "room AB"]}
    seen = menu([{"id": "a", **row}], columns=columns)
    assert "81 %  room AB" in seen.text
    assert ("16x16  81 %" in seen.text) == (columns == 80)


def test_figures_stand_in_columns_and_the_first_go_where_there_is_no_room() -> None:
    rows = [
        {"id": "a", "label": "quick save", "figures": ["expert 30x16", "81 %", "4:31"]},
        {
            "id": "b",
            "label": "a name that is longer than most",
            "figures": ["easy", "7 %", "12:05"],
        },
    ]
    assert "expert 30x16  81 %   4:31" in menu(rows).text
    narrow = menu(rows, columns=40).text
    assert " 4:31 │" in narrow
    assert "12:05 │" in narrow


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (80, "New game   easy 20x10, 10 mines, flag every mine"),
        (40, "New game   easy 20x10, 10 mines"),
    ],
)
def test_where_there_is_little_room_the_end_of_a_value_goes_and_the_label_stays(
    columns: int, shown: str
) -> None:
    rows = [{"id": "a", "label": "New game", "value": "easy 20x10, 10 mines, flag every mine"}]
    line = next(line for line in menu(rows, columns=columns).lines if "New" in line)
    assert " ".join(line.strip(" │|>").split()) == " ".join(shown.split())


def test_a_menu_without_rows_is_no_trouble() -> None:
    seen = menu([])
    assert seen.press(KeyAction.DOWN, KeyAction.REVEAL, KeyAction.RIGHT, KeyAction.ERASE) == []


class TestSettings:
    def seen(self, **more: Any) -> Seen:
        seen = Seen(has_unicode=True, **more)
        rows = [{"id": "kind", "kind": "choice", "label": "Kind", "value": "a", "choices": ["a"]}]
        seen.take({"menu": {"id": "settings", "title": "Settings", "rows": rows}, "keys": ["back"]})
        return seen

    @pytest.mark.parametrize(
        ("rows_down", "looks"),
        [
            (1, Looks(palette=Palette.CLASSIC)),
            (2, Looks(ground=Ground.DARK)),
            (3, Looks(cells=CellSize.ONE)),
            (5, Looks(characters=Characters.ASCII)),
        ],
    )
    def test_looks_are_turned_beside_them_and_stay_here(self, rows_down: int, looks: Looks) -> None:
        seen = self.seen()
        seen.press(*[KeyAction.DOWN] * rows_down)
        assert seen.press(KeyAction.RIGHT) == []
        assert seen.viewer.canvas.looks == looks

    def test_cells_are_shown_as_they_look_then(self) -> None:
        seen = self.seen(colours=ColourDepth.INDEXED)
        assert "3 4 ⚑   ⚑" in seen.text
        seen.press(
            KeyAction.DOWN,
            KeyAction.DOWN,
            KeyAction.DOWN,
            KeyAction.RIGHT,
            KeyAction.RIGHT,
            KeyAction.RIGHT,
        )
        assert " 3  4  ⚑" in seen.text
        assert "3 4 ⚑" not in self.seen(columns=60).text


PAGE = {"id": "p", "title": "Page", "lines": [f"line {number}." for number in range(50)]}


class TestPage:
    def seen(self, **more: Any) -> Seen:
        seen = Seen(has_unicode=True, **more)
        seen.take({"page": PAGE, "keys": ["back", "quit"]})
        return seen

    def test_it_is_read_line_by_line_and_page_by_page(self) -> None:
        seen = self.seen()
        assert seen.press(KeyAction.DOWN) == []
        assert "line 0." not in seen.text
        assert "─ 2-22 of 50 ─" in seen.text
        seen.press(KeyAction.FLAG)
        assert "─ 22-42 of 50 ─" in seen.text
        seen.press(KeyAction.ROW_END)
        assert "─ 30-50 of 50 ─" in seen.text
        seen.press(KeyAction.ROW_START, KeyAction.UP)
        assert "─ 1-21 of 50 ─" in seen.text

    def test_scrolling_stops_at_the_end(self) -> None:
        seen = self.seen()
        seen.press(KeyAction.ROW_END)
        seen.viewer.screen(0.0)
        seen.press(KeyAction.UP)
        assert "─ 29-49 of 50 ─" in seen.text

    def test_it_is_left_by_the_keys_that_leave(self) -> None:
        assert self.seen().press(KeyAction.MENU) == [OpenMenu("")]
        assert self.seen().press(KeyAction.REVEAL) == [OpenMenu("")]
        assert self.seen().press(KeyAction.HELP) == [OpenMenu("")]
        assert self.seen().press(KeyAction.QUIT) == [Command.QUIT]

    def test_the_wheel_scrolls(self) -> None:
        seen = self.seen()
        seen.click(5, 5, Press.WHEEL_DOWN)
        assert "─ 2-22 of 50 ─" in seen.text

    def test_columns_that_have_no_room_follow_each_other(self) -> None:
        seen = Seen(columns=40)
        line = "RETURN                     open; on a number: the rest"
        seen.take({"page": {"id": "p", "title": "", "lines": [line]}})
        assert "RETURN  open; on a number: the rest" in seen.text

    def test_the_help_explains_this_players_keys(self) -> None:
        seen = Seen(rows=60)
        seen.take({"page": {"id": "help", "title": "Help", "lines": ["The game."]}})
        assert "The game." in seen.text
        assert "SPACE f " in seen.text
        assert "c    " in seen.text
        without = Seen(rows=60, chords=False)
        without.take({"page": {"id": "help", "title": "Help", "lines": []}})
        assert "chord:" not in without.text


def test_a_row_with_another_thing_to_do_names_its_key() -> None:
    rows = [
        {"id": "=ada", "label": "Ada", "value": "in an open room", "other": "watch"},
        {"id": "=bob", "label": "Bob", "value": "no game"},
    ]
    seen = menu(rows)
    assert "v watch" in seen.text
    assert seen.press(KeyAction.OVERVIEW) == [Pick("m", "=ada", what=PickWhat.OTHER)]
    seen.press(KeyAction.DOWN)
    assert "watch" not in seen.text
    assert seen.press(KeyAction.OVERVIEW) == []
