from jminesweeper.core import Size
from jminesweeper.screen import CellWidth
from jminesweeper.screen.frame import Frame, frame_of
from jminesweeper.screen.layout import Window, arrange
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import ASCII, UNICODE, Symbols


def framed(
    columns: int,
    rows: int,
    share: float | None = None,
    window: Window | None = None,
    symbols: Symbols = ASCII,
) -> Frame:
    size = Size(columns, rows)
    layout = arrange(80, 24, size, CellWidth.AUTO)
    return frame_of(symbols, layout, window or Window(0, 0), size, share)


def test_a_frame_goes_around_the_field() -> None:
    frame = framed(9, 9)
    assert frame.top.text.strip() == frame.bottom.text.strip() == "+" + "-" * 19 + "+"
    assert [side.text.strip() for side in frame.sides(0)] == ["|", "|"]


def test_unicode_frames_have_round_corners() -> None:
    frame = framed(9, 9, symbols=UNICODE)
    assert frame.top.text.strip() == "╭" + "─" * 19 + "╮"
    assert frame.bottom.text.strip() == "╰" + "─" * 19 + "╯"


def test_signs_tell_where_the_field_goes_on() -> None:
    start, middle = framed(255, 255), framed(255, 255, window=Window(50, 50))
    end = framed(255, 255, window=Window(255 - 38, 255 - 19))
    assert ("^" in start.top.text, "v" in start.bottom.text) == (False, True)
    assert ("^" in middle.top.text, "v" in middle.bottom.text) == (True, True)
    assert ("^" in end.top.text, "v" in end.bottom.text) == (True, False)
    sides = [[side.text.strip() for side in frame.sides(1)] for frame in (start, middle, end)]
    assert sides == [["|", ">"], ["<", ">"], ["<", "|"]]
    assert [side.text.strip() for side in middle.sides(0)] == ["|", "|"]


def test_the_last_line_fills_as_the_board_is_solved() -> None:
    assert framed(16, 16, 0.0).bottom.text.strip() == "+" + "-" * 27 + " 0 % -+"
    assert framed(16, 16, 0.5).bottom.text.strip() == "+" + "=" * 12 + "-" * 14 + " 50 % -+"
    assert framed(16, 16, 1.0).bottom.text.strip() == "+" + "=" * 25 + " 100 % -+"


def test_the_share_is_told_by_style_as_well() -> None:
    bottom = framed(16, 16, 0.5).bottom
    assert bottom.styles.count(Style.DONE) == 12


def test_a_narrow_frame_tells_the_share_by_its_line_alone() -> None:
    assert framed(3, 3, 0.5).bottom.text.strip() == "+===----+"


def test_a_share_beyond_all_sense_is_taken_for_all_or_nothing() -> None:
    assert framed(3, 3, 7.0).bottom.text.strip() == "+=======+"
    assert framed(3, 3, -7.0).bottom.text.strip() == "+-------+"
