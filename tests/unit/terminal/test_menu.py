"""Menus and pages: what keys choose, turn, type and scroll. How they look is in `tests/golden`."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.protocol.packets import OpenMenu, Packet, Pick
from jminesweeper.protocol.vocabulary import Command, PickWhat
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import Characters, Ground, Looks, Palette
from tests.unit.terminal.examples import Members, Seen

ROWS: list[Members] = [
    {"id": "rules", "kind": "heading", "label": "Rules"},
    {"id": "play", "label": "Play", "help": "Back to the board."},
    {"id": "kind", "kind": "choice", "label": "Kind", "value": "two", "choices": ["one", "two"]},
    {"id": "mines", "kind": "number", "label": "Mines", "value": "10", "range": [1, 80]},
    {"id": "name", "kind": "text", "label": "Name", "value": "Ada", "range": [0, 8]},
    {"id": "off", "label": "Undo", "disabled": "There is nothing to undo."},
    {"id": "old", "label": "old game", "drop": True, "other": "watch"},
]
FIELD: list[Members] = [{"id": "code", "kind": "text", "label": "Code", "value": "abc"}]
HUGE: list[Members] = [
    {"id": "n", "kind": "number", "label": "Mines", "value": "9" * 5_000, "range": [1, 80]}
]
LATER: list[Members] = [{"id": "new", "kind": "of a later server", "label": "New"}]
FORTY: list[Members] = [{"id": str(each), "label": f"row {each}."} for each in range(40)]
LEAVE = OpenMenu("")
DROP, WATCH = Pick("m", "old", what=PickWhat.DROP), Pick("m", "old", what=PickWhat.OTHER)


def menu(rows: list[Members] = ROWS, selected: str = "", height: int = 24) -> Seen:
    seen = Seen(has_unicode=True, rows=height)
    shown = {"id": "m", "title": "Menu", "rows": rows, "selected": selected}
    seen.take({"menu": shown, "keys": ["choose", "back", "quit", "drop"]})
    return seen


def selected(seen: Seen) -> str:
    return next(line.split("> ", 1)[1].split("  ")[0] for line in seen.lines if "│ > " in line)


def pick(row: str, *values: str) -> list[Packet]:
    return [Pick("m", row, value) for value in values or [""]]


@pytest.mark.parametrize(
    ("begins_at", "steps", "sent", "ends_at"),
    [
        ("", "", [], "Play"),
        ("mines", "", [], "Mines"),
        # Moving goes round and past headings.
        ("", "up", [], "old game"),
        ("", "up down", [], "Play"),
        ("", "row-end", [], "old game"),
        ("old", "page-up", [], "Play"),
        ("mines", "up@Mines", [], "Kind"),
        ("mines", "down@Mines", [], "Name"),
        # What is chosen is named with its menu.
        ("", "reveal", pick("play"), "Play"),
        ("", "flag", pick("play"), "Play"),
        ("mines", "@Play", pick("play"), "Play"),
        ("", "flag@Mines", [], "Mines"),
        ("mines", "@Rules", [], "Mines"),
        ("off", "reveal", [], "Undo"),
        ("old", "erase", [DROP], "old game"),
        ("old", "overview", [WATCH], "old game"),
        ("", "erase overview undo chord", [], "Play"),
        # A value is turned at once, and a number within its range.
        ("kind", "right right left", pick("kind", "one", "two", "one"), "Kind"),
        ("mines", "right jump-left left row-end", pick("mines", "11", "1", "1", "80"), "Mines"),
        # A number that is typed is sent when it is left.
        ("mines", "=42", [], "Mines"),
        ("mines", "=42 erase up", pick("mines", "4"), "Kind"),
        ("mines", "=7 menu", [*pick("mines", "7"), LEAVE], "Mines"),
        # Letters are keys until a text is being filled in.
        ("name", "=x reveal", [], None),
        ("name", "=x reveal '=Grace Hopper' reveal", pick("name", "Grace Ho"), "Name"),
        ("name", "reveal =G menu", [], "Name"),
        ("name", "reveal =G menu menu", [LEAVE], "Name"),
        ("", "menu", [LEAVE], "Play"),
        ("", "quit", [Command.QUIT], "Play"),
        ("", "help", [OpenMenu("help")], "Play"),
    ],
)
def test_keys_move_choose_turn_and_type(
    begins_at: str, steps: str, sent: list[Packet], ends_at: str | None
) -> None:
    seen = menu(selected=begins_at)
    assert seen.do(steps) == sent
    assert seen.viewer.screen(0.0).is_typing is (ends_at is None)
    if ends_at is not None:
        assert selected(seen) == ends_at


@pytest.mark.parametrize(
    ("rows", "steps", "sent"),
    [
        (FIELD, "reveal", pick("code", "abc")),
        (FIELD, "'=x q' erase reveal", pick("code", "x ")),
        (FIELD, "menu", [LEAVE]),
        # Arrows edit a text and lose nothing of it.
        (FIELD, "left =- up down row-start =x reveal", pick("code", "xab-c")),
        (FIELD, "left =- row-start =x right erase row-end =z reveal", pick("code", "xb-cz")),
        (FIELD, "'=\x1b[31mé' reveal", pick("code", "[31mé")),
        (HUGE, "left", pick("n", "80")),
        (LATER, "reveal", pick("new")),
        (FORTY, "'@row 9.'", pick("9")),
        ([], "down reveal right erase", []),
    ],
)
def test_other_menus_are_used_the_same_way(
    rows: list[Members], steps: str, sent: list[Packet]
) -> None:
    seen = menu(rows)
    assert seen.do(steps) == sent
    assert "─ Menu ─" in seen.text
    assert "Menu: Menu." in seen.viewer.facts(0.0).values()


@pytest.mark.parametrize("number", [1, 17, 39])
def test_a_row_of_a_long_menu_is_pressed_where_it_is_shown(number: int) -> None:
    seen = menu(FORTY, str(number), height=12)
    assert seen.do(f"'@> row {number}.'") == pick(str(number))


def test_a_value_may_follow_before_the_last_is_answered_and_a_choice_may_not() -> None:
    seen = menu(selected="kind")
    seen.do("right right")
    assert all(seen.viewer.flows(packet) for packet in seen.sent)
    (chosen,) = menu().do("reveal")
    assert not seen.viewer.flows(chosen)


def test_a_row_that_cannot_be_chosen_offers_no_key_for_that() -> None:
    assert "RETURN choose" in menu().text
    assert "RETURN choose" not in menu(selected="off").text


def test_the_part_of_a_long_text_is_seen_where_letters_go() -> None:
    seen = menu(FIELD)
    seen.type("".join(map(chr, range(33, 127))))
    assert "~" in seen.text
    seen.do("row-start")
    assert "[!" in seen.text
    assert "~" not in seen.text


def test_what_is_typed_fits_a_packet() -> None:
    seen = menu(FIELD)
    seen.type("é" * 300)
    (packet,) = seen.do("reveal")
    assert isinstance(packet, Pick)
    assert len(packet.value.encode()) <= 255


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
    seen.take({"menu": {"id": "m", "title": "Menu", "rows": ROWS[:3]}})
    assert selected(seen) == "Play"
    seen.do("up")
    seen.take({"menu": {"id": "other", "title": "Menu", "rows": ROWS}})
    assert selected(seen) == "Play"


@pytest.mark.parametrize(
    ("steps", "looks"),
    [
        ("down", Looks(palette=Palette.CLASSIC)),
        ("down down", Looks(ground=Ground.DARK)),
        ("down down down", Looks(cells=CellSize.ONE)),
        ("down down down down down", Looks(characters=Characters.ASCII)),
    ],
)
def test_looks_are_turned_in_the_settings_and_stay_here(steps: str, looks: Looks) -> None:
    seen = Seen()
    rows = [{"id": "kind", "kind": "choice", "label": "Kind", "value": "a", "choices": ["a"]}]
    seen.take({"menu": {"id": "settings", "title": "Settings", "rows": rows}, "keys": ["back"]})
    assert seen.do(f"{steps} right") == []
    assert seen.viewer.canvas.looks == looks


# Pages


@pytest.fixture
def page() -> Seen:
    lines = [f"line {number}." for number in range(50)]
    shown: dict[str, Any] = {"id": "p", "title": "Page", "lines": lines}
    seen = Seen(has_unicode=True)
    seen.take({"page": shown, "keys": ["back", "quit", "of a later server"]})
    return seen


@pytest.mark.parametrize(
    ("steps", "shown"),
    [
        ("", "1-21"),
        ("down", "2-22"),
        ("down@line", "2-22"),
        ("down flag", "22-42"),
        ("row-end", "30-50"),
        ("row-end down up", "29-49"),
        ("row-end row-start up", "1-21"),
    ],
)
def test_a_page_is_read_line_by_line_and_page_by_page(page: Seen, steps: str, shown: str) -> None:
    for step in steps.split():
        assert page.do(step) == []
        assert "of 50 ─" in page.text
    assert f"─ {shown} of 50 ─" in page.text


@pytest.mark.parametrize(
    ("step", "sent"),
    [("menu", LEAVE), ("reveal", LEAVE), ("help", LEAVE), ("quit", Command.QUIT)],
)
def test_a_page_is_left_by_the_keys_that_leave(page: Seen, step: str, sent: Packet) -> None:
    assert page.do(step) == [sent]
