from jminesweeper.screen.lines import (
    Line,
    Screen,
    centre,
    cut,
    gap,
    indent,
    join,
    pad,
    span,
    spread_out,
)
from jminesweeper.screen.styles import Style


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


def test_two_lines_share_a_width_and_the_left_one_gives_way() -> None:
    assert spread_out(span("left"), span("right"), 12).text == "left   right"
    assert spread_out(span("left"), span("right"), 10).text == "lef  right"
    assert spread_out(span("left"), span("right"), 3).text == "rig"


def test_a_screen_hides_its_cursor_unless_it_says_otherwise() -> None:
    assert not Screen([]).cursor_shown
