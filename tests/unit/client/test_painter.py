import pyte

from jminesweeper.client.escapes import paint_frame, paint_line


def shown(text: str) -> list[str]:
    """Return what a terminal of 12x4 shows."""
    screen = pyte.Screen(12, 4)
    pyte.Stream(screen).feed(text)
    return [line.rstrip() for line in screen.display]


def test_a_frame_is_painted_at_once_and_filtered() -> None:
    text = paint_frame(b"\x1b[H\x1b[31mhi\x1b]52;c;aGk=\x07\r\n", has_colours=True)
    assert text == "\x1b[?2026h\x1b[H\x1b[31mhi\r\n\x1b[?2026l"


def test_colours_can_be_left_out() -> None:
    assert "31m" not in paint_frame(b"\x1b[31mhi", has_colours=False)


def test_a_line_of_the_clients_own_is_at_the_bottom_and_never_too_long() -> None:
    assert shown(paint_line("a notice of some length", 12, 4)) == ["", "", "", "a notice of"]
