"""The part of a frame of version 1 that reaches the terminal."""

from __future__ import annotations

import re
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.client.escapes import INVISIBLE, filter_frame, paint_frame, paint_line, plain_text
from tests.painted import PaintedTerminal

PERMITTED = re.compile(
    "\x1b(?:\\[[0-9;:]{0,64}m|\\[[0-9;]{0,12}[ABCDEFGHdf]|\\[[012]?[JK]|\\[\\?(?:7|25)[hl])"
)

colours = st.lists(st.integers(0, 107), max_size=5).map(
    lambda codes: f"\x1b[{';'.join(map(str, codes))}m"
)
moves = st.builds(
    lambda row, column: f"\x1b[{row};{column}H", st.integers(1, 255), st.integers(1, 255)
)
others = st.sampled_from(
    [
        "\x1b[H",
        "\x1b[2J",
        "\x1b[J",
        "\x1b[K",
        "\x1b[?25l",
        "\x1b[?25h",
        "\x1b[?7l",
        "\x1b[5A",
        "\r\n",
    ]
)
texts = st.text(st.sampled_from("?.B 12345678F[]⚑─│█é漢"), max_size=20)
valid_frames = st.lists(colours | moves | others | texts, max_size=40).map("".join)

pieces = st.sampled_from(
    [
        "\x1b",
        "[",
        "]",
        "52;c;",
        "\x07",
        "\x1b\\",
        "P",
        "?",
        "1049h",
        "0",
        ";",
        "m",
        "n",
        "\x9b",
        "\x9d",
        "\x18",
        "(0",
        "c",
        "2J",
        "\x00",
        "\n",
        "\u202e",
        " ",
        "x",
        "M",
        "[[A",
        "\x7f",
    ]
)
hostile_frames = st.lists(pieces, max_size=30).map("".join).map(str.encode) | st.binary(
    max_size=200
)


def assert_harmless(shown: str) -> None:
    rest = PERMITTED.sub("", shown)
    assert "\x1b" not in rest
    assert all(
        character in "\r\n\b\t" or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
        for character in rest
    )


@given(hostile_frames)
def test_whatever_comes_only_what_a_screen_needs_reaches_the_terminal(frame: bytes) -> None:
    assert_harmless(filter_frame(frame))
    assert_harmless(filter_frame(frame, coloured=False))


@given(hostile_frames)
def test_filtering_twice_changes_nothing(frame: bytes) -> None:
    once = filter_frame(frame)
    assert filter_frame(once.encode()) == once


@given(valid_frames)
def test_a_frame_that_needs_no_filter_is_unchanged(frame: str) -> None:
    assert filter_frame(frame.encode()) == frame


@pytest.mark.parametrize(
    "attack",
    [
        b"\x1b]52;c;cm0gLXJmIC8=\x07",  # clipboard
        b"\x1b]52;c;cm0gLXJmIC8=\x1b\\",
        b"\x1b]0;a title\x07",
        b"\x1b]2;JMinesweeper/2\x07",  # the announcement is read, not passed on
        b'\x1bP$q"p\x1b\\',  # asks for settings
        b"\x1b_payload\x1b\\",
        b"\x1b^payload\x1b\\",
        b"\x1bXpayload\x1b\\",
        b"\x1b[6n",  # asks where the cursor is
        b"\x1b[c",  # asks what the terminal is
        b"\x1b[?1049l",
        b"\x1b[?1000h",  # mouse
        b"\x1b[?2004l",
        b"\x1b[?25;1049h",
        b"\x1b[3J",  # drops the scroll-back
        b"\x1b[20t",
        b"\x1b[!p",
        b"\x1b[2 q",
        b"\x1b[?1$p",
        b"\x1b[99b",  # repeats
        b"\x1b[4h",
        b"\x1b(0",
        b"\x1b%G",
        b"\x1b#8",
        b"\x1bc",
        b"\x1bN",
        b"\x1b=",
        b"\x0e",
        b"\x0f",
        b"\x05",
        b"\x07",
        b"\x7f",
        b"\xc2\x9b6n",
        b"\xc2\x9d52;c;aGk=\xc2\x9c",
        b"\xc2\x90q\x1b\\",
        b"\xff\xfe\xc3",
        "\u202e\u2066\u200b\ufeff\u2028".encode(),
    ],
)
def test_an_attack_leaves_nothing_behind(attack: bytes) -> None:
    assert filter_frame(b"a" + attack + b"b") == "ab"


def test_a_string_without_an_end_takes_nothing_of_the_next_frame() -> None:
    assert filter_frame(b"a\x1b]52;c;aGk=") == "a"
    assert filter_frame(b"b") == "b"


def test_a_cancelled_string_lets_the_rest_of_the_frame_be_seen() -> None:
    assert filter_frame(b"a\x1b]52;c;aGk=\x18b\x1b]0;t\x1b[1mc") == "ab\x1b[1mc"


def test_a_control_within_a_sequence_does_not_smuggle_it_through() -> None:
    assert "\x1b" not in filter_frame(b"\x1b[?10\x0849h \x1b[\n6n \x1b\x1b]")


def test_two_removals_do_not_join_to_a_sequence() -> None:
    assert "\x1b" not in filter_frame(b"\x1b\x00[?1049h\x1b\xff[6n")


@pytest.mark.parametrize(
    ("coloured", "plain"),
    [
        ("\x1b[31m", ""),
        ("\x1b[m", "\x1b[m"),
        ("\x1b[0m", "\x1b[0m"),
        ("\x1b[1;31m", "\x1b[1m"),
        ("\x1b[38;5;208;7m", "\x1b[7m"),
        ("\x1b[1;38;2;10;20;30;48;5;1;4m", "\x1b[1;4m"),
        ("\x1b[38:5:208;7m", "\x1b[7m"),
        ("\x1b[97;100;39;49m", ""),
        ("\x1b[38m", ""),
        ("\x1b[2;38;9;1m", "\x1b[2;1m"),
    ],
)
def test_without_colours_only_attributes_stay(coloured: str, plain: str) -> None:
    assert filter_frame(coloured.encode(), coloured=False) == plain


def test_the_table_of_invisible_characters_is_complete() -> None:
    invisible = re.compile(f"[{INVISIBLE}]")
    unlisted = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"}
        and chr(code) not in "\t\n\r\b\x1b"
        and not invisible.match(chr(code))
    ]
    assert unlisted == []


def test_the_largest_frame_is_filtered_while_nobody_notices() -> None:
    row = "".join(f"\x1b[38;5;{column % 256}m?" for column in range(100))
    frame = (f"\x1b[1;1H{row}\x1b[K" * 64).encode()
    assert len(frame) >= 64 * 1024
    began = time.process_time()
    filter_frame(frame)
    assert time.process_time() - began < 0.5


def test_a_long_run_of_openings_is_filtered_in_linear_time() -> None:
    began = time.process_time()
    filter_frame(b"\x1b]" * 200_000 + b"\x1b[" * 200_000 + b"\xc2\x9d" * 100_000)
    assert time.process_time() - began < 5


def test_the_words_of_a_page_can_be_had_without_its_layout() -> None:
    page = b"\x1b[?7l\x1b[1;1H\x1b[K\x1b[2;1H  \x1b[1mGood\x1b[0m bye.\x1b[K\x1b[3;1H\x1b[J"
    assert plain_text(page) == ["Good bye."]
    assert plain_text(b"one\r\n\r\ntwo\x1b]0;three\x07") == ["one", "two"]


def test_a_frame_is_painted_at_once_and_filtered() -> None:
    text = paint_frame(b"\x1b[H\x1b[31mhi\x1b]52;c;aGk=\x07\r\n", has_colours=True)
    assert text == "\x1b[?2026h\x1b[H\x1b[31mhi\r\n\x1b[?2026l"


def test_a_line_of_the_clients_own_is_at_the_bottom_and_never_too_long() -> None:
    screen = PaintedTerminal(12, 4)
    screen.feed(paint_line("a notice of some length", 12, 4))
    assert screen.lines[1:] == ["############", "############", "a notice of"]
