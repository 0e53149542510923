"""What frames look like on a screen without edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.client.character_screen import COLUMNS, CharacterScreen
from tests.unit.pyte_terminal import Terminal


def shown(*frames: str) -> list[str]:
    """Return the lines that are not blank, without the blanks at their ends."""
    screen = CharacterScreen()
    for frame in frames:
        screen.paint(frame.encode())
    assert all(len(row) == COLUMNS for row in screen.rows)
    return [line for line in map(str.rstrip, screen.rows) if line]


@pytest.mark.parametrize(
    ("frame", "lines"),
    [
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo", ["one", "two"]),
        ("one\rtw", ["twe"]),
        ("abc\b\bX", ["aXc"]),
        ("a\tb", ["a       b"]),
        ("\x1b[2;3Hx\x1b[Hy", ["y", "  x"]),
        ("\x1b[0;0Hx\x1b[;4fy", ["x  y"]),
        ("\x1b[3Gx\x1b[2dy", ["  x", "   y"]),
        ("abc\x1b[2D!\x1b[3C?", ["a!c  ?"]),
        ("abc\x1b[B\x1b[Dx\x1b[A\x1b[9DY", ["Ybc", "  x"]),
        ("abc\x1b[Ed\x1b[FX", ["Xbc", "d"]),
        ("\x1b[1;31mred\x1b[0m \x1b[?25lplain\x1b[?7h", ["red plain"]),
        ("\x1b]2;title\x07text\x1b[6n", ["text"]),
        ("abcde\x1b[3G\x1b[K", ["ab"]),
        ("abcde\x1b[3G\x1b[1K", ["   de"]),
        ("abcde\x1b[3G\x1b[2Kx", ["  x"]),
        ("one\ntwo\nsix\x1b[2;2H\x1b[J", ["one", "t"]),
        ("one\ntwo\nsix\x1b[2;2H\x1b[1J", ["  o", "six"]),
        ("one\ntwo\x1b[2J", []),
    ],
)
def test_a_frame_is_painted_as_by_a_terminal(frame: str, lines: list[str]) -> None:
    assert shown(frame) == lines
    terminal = Terminal()
    terminal.paint(frame.encode())
    assert [line.rstrip() for line in terminal.lines if line.strip()] == lines


def test_wide_characters_take_two_columns_and_marks_above_others_none() -> None:
    assert shown("🚩x")[0].index("x") == 2
    assert shown("e\u0301⚑\ufe0fx") == ["e⚑x"]


def test_frames_build_on_each_other_unless_each_is_looked_at_by_itself() -> None:
    assert shown("one", "two") == ["onetwo"]
    assert CharacterScreen.showing(b"two").rows[0].rstrip() == "two"


def test_what_is_beyond_the_edge_is_cut() -> None:
    assert shown(f"\x1b[9999;9999H{'x' * 9}") == [f"{'x':>{COLUMNS}}"]
    assert shown("x" * (COLUMNS + 5)) == ["x" * COLUMNS]


frames = st.lists(
    st.one_of(
        st.sampled_from(["\n", "\r", "\b", "\x1b[K", "\x1b[1K", "\x1b[J", "\x1b[1J", "\x1b[2J"]),
        st.text("ab?.1", min_size=1, max_size=5),
        st.builds("\x1b[{};{}H".format, st.integers(0, 12), st.integers(0, 40)),
        st.builds("\x1b[{}{}".format, st.integers(0, 5), st.sampled_from("ABCDEFGd")),
    ),
    max_size=20,
).map("".join)


@given(frames)
def test_any_frame_that_keeps_away_from_the_edges_looks_as_in_a_terminal(frame: str) -> None:
    terminal = Terminal(300, 60)
    terminal.paint(frame.encode())
    screen = CharacterScreen.showing(frame.encode())
    assert [row[:300] for row in screen.rows[:60]] == terminal.lines
