"""The frames of a server of version 1, painted as they came but for what a screen does not need."""

from __future__ import annotations

from jminesweeper.client.escapes import filter_frame
from jminesweeper.terminal import escapes


class FramePainter:
    """Remembers the last frame, to paint it again."""

    def __init__(self, *, has_colours: bool) -> None:
        self._has_colours = has_colours
        self._frame = ""

    def paint(self, frame: bytes) -> str:
        """Paint a whole screen through the filter."""
        self._frame = filter_frame(frame, coloured=self._has_colours)
        return _in_one_frame(self._frame)

    def repaint(self) -> str:
        """Paint the last screen again, over anything."""
        return _in_one_frame(f"{escapes.CLEAR}{self._frame}")


def paint_line(text: str, columns: int, rows: int) -> str:
    """Paint a line of the client's own at the bottom of a frame."""
    bottom = escapes.go_to(rows - 1, 0)
    shown = text[: columns - 1]
    return _in_one_frame(
        f"{bottom}{escapes.PLAIN_TEXT}{escapes.REVERSE}{shown}"
        f"{escapes.PLAIN_TEXT}{escapes.ERASE_LINE}"
    )


def _in_one_frame(text: str) -> str:
    return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}"
