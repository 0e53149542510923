"""Screens of the server to the text that shows them in the terminal."""

from __future__ import annotations

from typing import NamedTuple

from jminesweeper.client import escapes
from jminesweeper.client.frame_filter import filter_frame, plain_text
from jminesweeper.client.terminal import TerminalSize
from jminesweeper.protocol import PatchFlag, ScreenPatch

_LEFT_MARK, _RIGHT_MARK = "[", "]"
_BORDERS = " |\N{BOX DRAWINGS LIGHT VERTICAL}"


class _Position(NamedTuple):
    row: int
    column: int


class Painter:
    """Keeps what is needed to paint the next screen over the last one, and the last one again."""

    def __init__(self, *, coloured: bool) -> None:
        self._coloured = coloured
        self._frame = ""
        self._last_text = b""
        self._marked: _Position | None = None

    @property
    def last_words(self) -> str:
        """What the last screen says, if it is a sentence and not a game."""
        lines = plain_text(self._last_text)
        return lines[0] if len(lines) == 1 else ""

    @property
    def last_sentences(self) -> str:
        """What the last screen says in sentences, whatever stands around them."""
        lines = (line.strip(_BORDERS) for line in plain_text(self._last_text))
        return " ".join(line for line in lines if line.endswith((".", "!")) and " " in line)

    def paint_frame(self, frame: bytes) -> str:
        """Text for a whole screen, as it came but for what is filtered."""
        self._last_text = frame
        self._frame = filter_frame(frame, coloured=self._coloured)
        self._marked = None
        return _at_once(self._frame)

    def paint_patch(self, patch: ScreenPatch) -> str:
        """Text for what changed, the marks around the cursor moved along."""
        self._last_text = patch.text
        self._frame = ""
        flags = PatchFlag(patch.flags)
        position = _Position(patch.cursor_row, patch.cursor_column)
        unmark = "" if PatchFlag.FULL_REPAINT in flags else self._draw_marks(" ", " ")
        self._marked = position if PatchFlag.CURSOR_MARKED in flags else None
        text = filter_frame(patch.text, coloured=self._coloured)
        mark = self._draw_marks(_LEFT_MARK, _RIGHT_MARK)
        visibility = _VISIBILITY[PatchFlag.CURSOR_SHOWN in flags]
        return _at_once(f"{unmark}{text}{mark}{escapes.go_to(*position)}{visibility}")

    def repaint(self) -> str:
        """Text for the last whole screen again, on a screen that shows who knows what."""
        self._marked = None
        return _at_once(f"{escapes.CLEAR}{self._frame}")

    def paint_notice(self, text: str, size: TerminalSize) -> str:
        """Text for a line of the client's own at the bottom of the screen."""
        shown = text[: size.columns - 1]
        line = escapes.go_to(size.rows - 1, 0)
        return _at_once(
            f"{line}{escapes.PLAIN_TEXT}{escapes.REVERSE}{shown}"
            f"{escapes.PLAIN_TEXT}{escapes.ERASE_LINE}"
        )

    def _draw_marks(self, left: str, right: str) -> str:
        if self._marked is None:
            return ""
        row, column = self._marked
        before = f"{escapes.go_to(row, column - 1)}{left}" if column else ""
        after = f"{escapes.go_to(row, column + 1)}{right}"
        return f"{escapes.PLAIN_TEXT}{escapes.BOLD}{before}{after}{escapes.PLAIN_TEXT}"


_VISIBILITY = {True: escapes.CURSOR_SHOWN, False: escapes.CURSOR_HIDDEN}


def _at_once(text: str) -> str:
    return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}"
