import pytest

from jminesweeper.screen.lines import (
    Line,
    centre,
    clean,
    cut,
    gap,
    indent,
    join,
    pad,
    select,
    span,
    spread_out,
    wrapped,
)
from jminesweeper.screen.styles import SELECTED, Style


def test_a_span_has_one_style() -> None:
    assert span("abc", Style.KEY) == Line("abc", bytes((Style.KEY,)) * 3)


def test_lines_are_put_behind_one_another() -> None:
    assert join((span("a", 1), gap(2), span("b", 2))) == Line("a  b", b"\1\0\0\2")


def test_lines_are_cut_and_padded_to_a_width() -> None:
    assert cut(span("abc", 1), 2) == Line("ab", b"\1\1")
    assert cut(span("abc", 1), 3) == span("abc", 1)
    assert pad(span("a", 1), 3) == Line("a  ", b"\1\0\0")
    assert pad(span("abc", 1), 2) == Line("ab", b"\1\1")


def test_lines_are_put_in_the_middle() -> None:
    assert centre(span("ab"), 7).text == "  ab"
    assert centre(span("abcdef"), 4).text == "abcd"


def test_an_empty_line_stays_empty_when_it_is_indented() -> None:
    assert indent(span("a"), 2).text == "  a"
    assert indent(Line(), 2) == Line()


def test_one_column_of_a_line_is_selected() -> None:
    assert select(span("abc", 3), 1).styles == bytes((3, 3 | SELECTED, 3))


def test_two_lines_share_a_width_and_the_left_one_gives_way() -> None:
    assert spread_out(span("left"), span("right"), 12).text == "left   right"
    assert spread_out(span("left"), span("right"), 10).text == "lef  right"
    assert spread_out(span("left"), span("right"), 3).text == "rig"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x07\r\n", "[31mred"),
        ("a\u200bb\u202ec\x9bd", "abcd"),
        ("é ö", "é ö"),
        ("e\u0301", "e"),
        ("名前", "??"),
        ("💣", "?"),
        ("a\u00a0b\u3000c", "a b c"),
    ],
)
def test_text_from_outside_takes_one_column_a_character(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_without_unicode_only_ascii_is_left() -> None:
    assert clean("né ⚑", has_unicode=False) == "n? ?"


def test_text_is_broken_into_lines_that_go_on_as_they_started() -> None:
    assert wrapped("one two three", 8) == ["one two", "three"]
    assert wrapped("  one two three", 9) == ["  one two", "  three"]
    assert wrapped("", 8) == [""]


def test_a_sign_stays_with_its_figure() -> None:
    assert wrapped("a mine at 12 % here", 12) == ["a mine at", "12 % here"]
    assert wrapped("a mine at 12 % here", 14) == ["a mine at 12 %", "here"]


def test_a_margin_that_takes_half_the_width_is_not_kept() -> None:
    assert wrapped("    ab cd", 6)[1:] == ["cd"]
