"""The server's screens, and the client's own line below them, as text for the terminal.

A version 1 screen is painted as it came. A version 2 patch is painted over the last screen, and
the client adds the marks around the cursor, so that moving it costs the server nothing.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jminesweeper.client import escapes
from jminesweeper.client.capabilities import NO_COLOURS
from jminesweeper.client.escapes import filter_frame
from jminesweeper.client.profile import TerminalSize
from jminesweeper.protocol.packets import ScreenPatch
from jminesweeper.protocol.vocabulary import PatchFlag

_LEFT_MARK, _RIGHT_MARK = "[", "]"
_RECONNECTING: Final = "Reconnecting; press x to quit."
_RECONNECTING_SOONER: Final = "Reconnecting; RETURN tries now, x quits."
_PRESS_X: Final = "Press x to quit."
_CUT: Final = "..."
_GROUND: Final = re.compile("[25](?:;[0-9]{1,3}){1,3}")
_VISIBILITY: Final = {True: escapes.CURSOR_SHOWN, False: escapes.CURSOR_HIDDEN}


class _ScreenPosition(NamedTuple):
    row: int
    column: int


class _Marked(NamedTuple):
    """Where the marks are, and on tiles what sets the backgrounds left and right of the cursor."""

    row: int
    column: int
    grounds: tuple[str, str] | None


class Painter:
    """Remembers enough to paint the next screen over the last one, or that one again."""

    def __init__(self, colours: int) -> None:
        self._coloured = colours != NO_COLOURS
        self._frame = ""
        self._grounds = [""]
        """The backgrounds of tiles, after that of the terminal."""
        self._marked: _Marked | None = None

    def paint_frame(self, frame: bytes) -> str:
        """Paint a whole screen as it came, through the filter."""
        self._frame = filter_frame(frame, coloured=self._coloured)
        self._marked = None
        return _in_one_frame(self._frame)

    def paint_patch(self, patch: ScreenPatch) -> str:
        """Paint what changed, and move the marks around the cursor along."""
        self._frame = ""
        flags = PatchFlag(patch.flags)
        position = _ScreenPosition(patch.cursor_row, patch.cursor_column)
        unmark = "" if PatchFlag.FULL_REPAINT in flags else self._unmark()
        is_marked = PatchFlag.CURSOR_MARKED in flags
        text, grounds = patch.text, None
        if PatchFlag.ON_TILES in flags:
            if PatchFlag.FULL_REPAINT in flags:
                line, _, text = text.partition(b"\n")
                self._grounds = ["", *map(escapes.ground, _GROUND.findall(line.decode("latin-1")))]
            if is_marked:
                grounds, text = self._grounds_of(text[:1]), text[1:]
        self._marked = _Marked(*position, grounds) if is_marked else None
        shown = filter_frame(text, coloured=self._coloured)
        visibility = _VISIBILITY[PatchFlag.CURSOR_SHOWN in flags]
        return _in_one_frame(f"{unmark}{shown}{self._mark()}{escapes.go_to(*position)}{visibility}")

    def repaint(self) -> str:
        """Paint the last whole screen again, over anything."""
        self._marked = None
        return _in_one_frame(f"{escapes.CLEAR}{self._frame}")

    def _grounds_of(self, code: bytes) -> tuple[str, str]:
        left, right = divmod(code[0] if code else 0, 16)
        known = self._grounds
        return known[left % len(known)], known[right % len(known)]

    def _mark(self) -> str:
        if self._marked is None:
            return ""
        style = f"{escapes.PLAIN_TEXT}{escapes.BOLD}"
        if self._marked.grounds is not None:
            style = escapes.MARK_ON_TILE
        marks = self._beside_cursor(f"{style}{_LEFT_MARK}", f"{style}{_RIGHT_MARK}")
        return f"{marks}{escapes.PLAIN_TEXT}"

    def _unmark(self) -> str:
        """Write what was under the marks: blanks, on the backgrounds that were there."""
        if self._marked is None:
            return ""
        if self._marked.grounds is None:
            return f"{escapes.PLAIN_TEXT}{self._beside_cursor(' ', ' ')}"
        left, right = (f"{escapes.PLAIN_TEXT}{ground} " for ground in self._marked.grounds)
        return f"{self._beside_cursor(left, right)}{escapes.PLAIN_TEXT}"

    def _beside_cursor(self, left: str, right: str) -> str:
        if self._marked is None:
            return ""
        row, column, _ = self._marked
        before = f"{escapes.go_to(row, column - 1)}{left}" if column else ""
        return f"{before}{escapes.go_to(row, column + 1)}{right}"


def paint_notice(text: str, size: TerminalSize) -> str:
    """Paint a line of the client's own at the bottom of the screen."""
    shown = text[: size.columns - 1]
    line = escapes.go_to(size.rows - 1, 0)
    return _in_one_frame(
        f"{line}{escapes.PLAIN_TEXT}{escapes.REVERSE}{shown}"
        f"{escapes.PLAIN_TEXT}{escapes.ERASE_LINE}"
    )


def erase_notice(size: TerminalSize) -> str:
    """Clear the line of the client's own."""
    return _in_one_frame(
        f"{escapes.go_to(size.rows - 1, 0)}{escapes.PLAIN_TEXT}{escapes.ERASE_LINE}"
    )


def paint_silence(seconds: int, size: TerminalSize) -> str:
    """Say that the server owes an answer, in few words where room is short."""
    told = f"The server has not answered for {seconds} s. {_PRESS_X}"
    return paint_notice(told if len(told) < size.columns else f"No answer. {_PRESS_X}", size)


def paint_trouble(trouble: str, size: TerminalSize) -> str:
    """Paint what is wrong, cut short so that the key to press fits beside it."""
    whole = f"{trouble} {_RECONNECTING_SOONER}"
    if len(whole) < size.columns:
        return paint_notice(whole, size)
    room = size.columns - 1 - len(_RECONNECTING) - 1
    if len(trouble) > room:
        trouble = f"{trouble[: room - len(_CUT)]}{_CUT}" if room > len(_CUT) else ""
    return paint_notice(f"{trouble} {_RECONNECTING}".lstrip(), size)


def _in_one_frame(text: str) -> str:
    return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}"
