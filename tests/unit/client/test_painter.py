import pyte
import pytest

from jminesweeper.client.capabilities import INDEXED_COLOURS, NO_COLOURS
from jminesweeper.client.painter import Painter, paint_notice, paint_trouble
from jminesweeper.client.profile import TerminalSize
from jminesweeper.protocol.packets import ScreenPatch
from jminesweeper.protocol.vocabulary import PatchFlag

SHOWN = PatchFlag.CURSOR_SHOWN
MARKED = PatchFlag.CURSOR_SHOWN | PatchFlag.CURSOR_MARKED
FULL = MARKED | PatchFlag.FULL_REPAINT


class Window:
    """What a terminal of 12x4 shows of what it was sent."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(12, 4)
        self._stream = pyte.Stream(self.screen)

    def show(self, text: str) -> list[str]:
        self._stream.feed(text)
        return [line.rstrip() for line in self.screen.display]


def test_a_frame_is_painted_at_once_and_filtered() -> None:
    text = Painter(INDEXED_COLOURS).paint_frame(b"\x1b[H\x1b[31mhi\x1b]52;c;aGk=\x07\r\n")
    assert text == "\x1b[?2026h\x1b[H\x1b[31mhi\r\n\x1b[?2026l"


def test_colours_can_be_left_out() -> None:
    assert "31m" not in Painter(NO_COLOURS).paint_frame(b"\x1b[31mhi")
    assert "31m" not in Painter(NO_COLOURS).paint_patch(ScreenPatch(0, 0, 0, b"\x1b[31mhi"))


def test_the_last_frame_can_be_painted_again_on_whatever_is_there() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    window.show(painter.paint_frame(b"\x1b[Hfirst\r\nline"))
    window.show("garbage everywhere")
    assert window.show(painter.repaint()) == ["first", "line", "", ""]


def test_marks_follow_the_cursor() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    screen = b"\x1b[H ? ? ?\x1b[2;1H ? ? ?"
    assert window.show(painter.paint_patch(ScreenPatch(FULL, 0, 1, screen)))[0] == "[?]? ?"
    assert window.show(painter.paint_patch(ScreenPatch(MARKED, 0, 3)))[0] == " ?[?]?"
    assert window.show(painter.paint_patch(ScreenPatch(MARKED, 1, 3)))[:2] == [" ? ? ?", " ?[?]?"]
    assert (window.screen.cursor.y, window.screen.cursor.x) == (1, 3)
    assert window.show(painter.paint_patch(ScreenPatch(SHOWN, 1, 3)))[:2] == [" ? ? ?", " ? ? ?"]


TILES = PatchFlag.ON_TILES
GROUNDS = b"5;233 2;1;2;3\n"


def test_marks_on_tiles_are_replaced_by_what_was_under_them() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    painted = b"\x1b[H\x1b[48;5;233m ? \x1b[48;2;1;2;3m? \x1b[m"
    window.show(painter.paint_patch(ScreenPatch(FULL | TILES, 0, 1, GROUNDS + b"\x11" + painted)))
    assert window.screen.buffer[0][0].bg == window.screen.buffer[0][2].bg == "ffd700"
    window.show(painter.paint_patch(ScreenPatch(MARKED | TILES, 0, 3, b"\x12")))
    assert [window.screen.buffer[0][column].bg for column in (0, 2)] == ["121212", "ffd700"]
    window.show(painter.paint_patch(ScreenPatch(SHOWN, 0, 3)))
    grounds = [window.screen.buffer[0][column].bg for column in range(5)]
    assert grounds == ["121212"] * 3 + ["010203"] * 2
    assert window.screen.display[0].rstrip() == " ? ?"


@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"5;233", b"5;233\n", b"\x1b]0;x\x07\n\xff", b"99;1 5;9999\n\x77", b"\n\x11hi"],
)
def test_backgrounds_that_make_no_sense_do_no_harm(text: bytes) -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    written = painter.paint_patch(ScreenPatch(FULL | TILES, 0, 1, text))
    written += painter.paint_patch(ScreenPatch(MARKED | TILES, 0, 1, b""))
    window.show(written)
    assert "\x1b]" not in written
    assert "9999" not in written


def test_at_the_left_edge_there_is_no_room_for_a_left_mark() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    assert window.show(painter.paint_patch(ScreenPatch(FULL, 0, 0, b"\x1b[H? ?")))[0] == "?]?"


def test_a_full_repaint_forgets_the_old_marks() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    window.show(painter.paint_patch(ScreenPatch(FULL, 0, 1, b"\x1b[H ? ? ?")))
    page = b"\x1b[H\x1b[2Ja page"
    text = painter.paint_patch(ScreenPatch(PatchFlag.FULL_REPAINT, 0, 6, page))
    assert window.show(text)[0] == "a page"
    assert text.startswith("\x1b[?2026h\x1b[H\x1b[2J")


def test_the_cursor_is_hidden_where_there_is_nothing_to_select() -> None:
    painter = Painter(INDEXED_COLOURS)
    assert "\x1b[?25l" in painter.paint_patch(ScreenPatch(0))
    assert "\x1b[?25h" in painter.paint_patch(ScreenPatch(SHOWN))


def test_a_notice_takes_the_bottom_line_and_no_more() -> None:
    window, painter = Window(), Painter(INDEXED_COLOURS)
    window.show(painter.paint_frame(b"\x1b[Ha\r\nb\r\nc\r\nd"))
    shown = window.show(paint_notice("Connection lost.", TerminalSize(12, 4)))
    assert shown == ["a", "b", "c", "Connection"]


def test_trouble_names_the_key_that_tries_now_where_there_is_room() -> None:
    text = paint_trouble("It is gone.", TerminalSize(53, 4))
    assert "\x1b[7mIt is gone. Reconnecting; RETURN tries now, x quits.\x1b[0m" in text


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (52, "It is gone. "),
        (43, "It is gone. "),
        (42, "It is g... "),
        (36, "I... "),
        (35, ""),
        (31, ""),
    ],
)
def test_trouble_is_cut_short_for_the_key_to_press(columns: int, words: str) -> None:
    text = paint_trouble("It is gone.", TerminalSize(columns, 4))
    assert f"\x1b[7m{words}Reconnecting; press x to quit.\x1b[0m" in text
