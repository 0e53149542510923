"""Looks that are the same however they were asked for, and others that differ."""

from __future__ import annotations

import pytest

from jminesweeper.check.painted_screen import PaintedScreen


def look(frame: str) -> object:
    return PaintedScreen.showing(frame.encode()).look(0, [0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\x1b[1;31mB", "\x1b[31m\x1b[1mB"),
        ("\x1b[32m\x1b[31mB", "\x1b[31mB"),
        ("\x1b[91m\x1b[31mB", "\x1b[31mB"),
        ("\x1b[7mx\x1b[m\rB", "B"),
        ("\x1b[7mx\x1b[0m\rB", "B"),
        ("\x1b[1;4;7m\x1b[22;24;27mB", "B"),
        ("\x1b[2m\x1b[1mB", "\x1b[1mB"),
        ("\x1b[31;42m\x1b[39;49mB", "B"),
        ("\x1b[38;5;9;1mB", "\x1b[1;38;5;9mB"),
        ("\x1b[38;2;1;2;3m\x1b[38;5;9mB", "\x1b[38;5;9mB"),
        ("\x1b[38:5:9m\x1b[31mB", "\x1b[31mB"),
        ("\x1b[2J\x1b[HB", "B"),
    ],
)
def test_looks_are_the_same_whatever_led_to_them(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(
    "frame",
    ["A", "\x1b[1mB", "\x1b[7mB", "\x1b[31mB", "\x1b[41mB", "\x1b[38;5;1mB", "\x1b[48;5;1mB"],
)
def test_another_character_colour_or_attribute_is_another_look(frame: str) -> None:
    assert look(frame) != look("B")


def test_each_column_has_the_look_it_was_written_in() -> None:
    screen = PaintedScreen.showing(b"\n a\x1b[1mb\x1b[mc")
    blank, a, b, c = screen.look(1, range(4))
    assert (blank[0], a[0], b[0], c[0]) == (" ", "a", "b", "c")
    assert blank[1] == a[1] == c[1] != b[1]
