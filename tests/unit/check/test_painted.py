"""Painted screens as a person sees them, and the field of any server found on them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.check.painted import FieldPlace, PaintedScreen, find_field
from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.packets import ScreenContent, Start
from tests.unit.bot.servers import OwnServer

SIZES = [Size(1, 1), Size(1, 7), Size(7, 1), Size(2, 2), Size(20, 10), Size(41, 3), Size(255, 4)]


def screen_of(*lines: str) -> PaintedScreen:
    return PaintedScreen.showing("\n".join(lines).encode())


def look(frame: str) -> object:
    return PaintedScreen.showing(frame.encode()).look(0, range(1))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\x1b[1;31mB", "\x1b[31m\x1b[1mB"),
        ("\x1b[32m\x1b[31mB", "\x1b[31mB"),
        ("\x1b[7mx\x1b[m\rB", "B"),
        ("\x1b[1;4;7m\x1b[22;24;27mB", "B"),
        ("\x1b[31;42m\x1b[39;49mB", "B"),
        ("\x1b[38:5:9m\x1b[31mB", "\x1b[31mB"),
        ("\x1b]2;a title\x07B", "B"),
        ("\x1b[2J\x1b[HB", "B"),
    ],
)
def test_looks_are_the_same_whatever_led_to_them(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(
    "frame",
    ["A", "\x1b[1mB", "\x1b[7mB", "\x1b[31mB", "\x1b[41mB", "\x1b[38;5;1mB", "\x1b[48:5:1mB"],
)
def test_another_character_colour_or_attribute_is_another_look(frame: str) -> None:
    assert look(frame) != look("B")


def test_wide_characters_have_two_columns_and_marks_above_others_none() -> None:
    assert screen_of("🚩x").lines[0].index("x") == 2
    assert screen_of("e\u0301⚑\ufe0fx").lines[0].index("x") == 2


def test_frames_build_on_each_other_and_leave_the_cursor() -> None:
    screen = screen_of("one", "two")
    screen.paint(b"\x1b[1;5Hmore")
    assert screen.text == "one more\ntwo"
    assert screen.cursor == Cell(8, 0)


@given(
    st.lists(
        st.sampled_from(
            [
                "\x1b[",
                "\x1b]",
                "1;2;3",
                "J",
                "K",
                "d",
                "?25h",
                "m",
                "38;5;999",
                ":",
                "H",
                "9999",
                "?\n",
            ]
        )
    )
)
def test_no_bytes_of_a_server_break_the_screen(pieces: list[str]) -> None:
    assert "\x1b" not in PaintedScreen.showing("".join(pieces).encode()).text


def own_screen(size: Size) -> bytes:
    shown = OwnServer().ask(Start(size.columns, size.rows, 1))
    assert isinstance(shown, ScreenContent)
    return shown.text


def other_screen(size: Size) -> bytes:
    """Paint cells three columns and two lines apart, between sentences with question marks."""
    rows = ["  ?" * size.columns, ""] * size.rows
    lines = ["\x1b[2J\x1b[HMines? All yours!", "\x1b[31m--------\x1b[0m", "", *rows]
    return "\n".join([*lines, "Help? Press nothing."]).encode()


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("paint", [own_screen, other_screen])
def test_a_field_is_found_wherever_a_server_paints_it(
    paint: Callable[[Size], bytes], size: Size
) -> None:
    screen = PaintedScreen.showing(paint(size))
    field = find_field(screen, size)
    assert field is not None
    assert list(field.rows(screen.lines)) == ["?" * size.columns] * size.rows


def test_cells_may_stand_any_number_of_columns_and_lines_apart() -> None:
    screen = screen_of("  ?   ?   ?", "", "", "  ?   ?   ?", "? for help")
    assert find_field(screen, Size(3, 2)) == FieldPlace(Size(3, 2), 0, 2, 3, 4)


def test_the_end_of_a_question_is_no_field_unless_there_is_no_other() -> None:
    one, four = Size(1, 1), Size(4, 1)
    assert find_field(screen_of("Ready?", "", " ?"), one) == FieldPlace(one, 2, 1, 2, 1)
    assert find_field(screen_of("?", "Ready?"), one) == FieldPlace(one, 0, 0, 1, 1)
    assert find_field(screen_of("a????"), four) == FieldPlace(four, 0, 1, 1, 1)


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("Nothing to see.",),
        ("? ?", "? ?"),
        ("? ? ?", "? . ?", "? ? ?"),
        ("? ? ?", "", "? ? ?", "", "", "? ? ?"),
        ("????", "????", "????"),
        ("???", "???", "???", "???"),
    ],
)
def test_no_field_is_found_where_none_of_that_size_is_covered(lines: tuple[str, ...]) -> None:
    assert find_field(screen_of(*lines), Size(3, 3)) is None
