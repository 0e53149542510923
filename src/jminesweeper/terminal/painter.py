"""From what a terminal shows to what it should show, in control sequences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from jminesweeper.terminal import escapes
from jminesweeper.terminal.inks import PLAIN, Inks, sequence_between
from jminesweeper.terminal.lines import Line, Screen, gap
from jminesweeper.terminal.looks import Canvas

_RUN_OF_STYLE: Final = re.compile(rb"(.)\1*", re.DOTALL)
_WORTH_A_JUMP: Final = 8
"""Columns that stay as they are, and take more bytes to write again than to leap over."""


class Painter:
    """Remembers what one terminal shows."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._inks = Inks(canvas)
        self._shown: list[Line] = []
        self._cursor: tuple[int, int] | None = None
        self._is_cursor_shown: bool | None = None

    def forget(self) -> None:
        """Paint everything next time: the terminal may show anything."""
        self._shown, self._is_cursor_shown = [], None

    def paint(self, screen: Screen, canvas: Canvas) -> str:
        """Return what turns the terminal's screen into this one; nothing if it shows that."""
        canvas = canvas._replace(rows=len(screen.lines))
        if canvas != self._canvas:
            self._canvas, self._inks = canvas, Inks(canvas)
            self.forget()
        lines = [line.pad(canvas.columns) for line in screen.lines]
        is_anew = len(lines) != len(self._shown)
        shown = [gap(canvas.columns)] * len(lines) if is_anew else self._shown
        text = "".join(self._changes(shown, lines))
        if is_anew:
            text = f"{escapes.NO_WRAP}{escapes.CLEAR}{text}"
        self._shown = lines
        text += self._place_cursor(screen, has_moved=bool(text))
        return f"{escapes.FRAME_BEGIN}{text}{escapes.FRAME_END}" if text else ""

    def _changes(self, before: list[Line], after: list[Line]) -> Iterator[str]:
        """Write the columns of each line that differ, in the ink that is on where it will do."""
        ink = PLAIN
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            if old == new:
                continue
            for first, end in _differences(old, new):
                yield escapes.go_to(row, first)
                for run in _RUN_OF_STYLE.finditer(new.styles, first, end):
                    text = new.text[run.start() : run.end()]
                    way, ink = self._inks.switch(ink, run[0][0], is_blank=text.isspace())
                    yield way + text
        yield sequence_between(ink, PLAIN)

    def _place_cursor(self, screen: Screen, *, has_moved: bool) -> str:
        """Put the terminal's cursor where the player's is, for magnifiers; show it to type."""
        text = ""
        if screen.cursor is not None and (has_moved or screen.cursor != self._cursor):
            text = escapes.go_to(*screen.cursor)
        if screen.is_typing is not self._is_cursor_shown:
            text += escapes.CURSOR_SHOWN if screen.is_typing else escapes.CURSOR_HIDDEN
        self._cursor, self._is_cursor_shown = screen.cursor, screen.is_typing
        return text


def _differences(old: Line, new: Line) -> Iterator[tuple[int, int]]:
    """Find the parts of a line that differ; parts that are close are one."""
    first = end = -1
    before, after = zip(old.text, old.styles, strict=True), zip(new.text, new.styles, strict=True)
    for column, (was, is_now) in enumerate(zip(before, after, strict=True)):
        if was == is_now:
            continue
        if first >= 0 and column - end > _WORTH_A_JUMP:
            yield first, end
            first = column
        first, end = (column if first < 0 else first), column + 1
    if first >= 0:
        yield first, end
