"""From what a terminal shows to what it shall show, in few bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import ne
from typing import Final

from jminesweeper.screen.ansi import (
    CUT_LONG_LINES,
    ERASE_BELOW,
    ERASE_TO_LINE_END,
    HOME,
    NEXT_LINE,
    RESET,
    WRAP_LONG_LINES,
    move_right,
    move_to,
)
from jminesweeper.screen.lines import Line
from jminesweeper.screen.styles import Style, Theme, shows_on_blanks

_PLAIN: Final = int(Style.PLAIN)
_CHANGED_RUN: Final = re.compile(rb"[^\0]+")
_STYLE_RUN: Final = re.compile(rb"(.)\1*", re.DOTALL)
_FEWEST_TO_ERASE: Final = 4
_LONGEST_BRIDGE: Final = 3
"""Writing up to so many blanks anew costs less than hopping over them."""
_DENSE: Final = 4
"""Where one column in so many has changed, writing all costs hardly more and saves much time."""
_PLAIN_ON_BLANKS: Final = frozenset(style for style in range(256) if not shows_on_blanks(style))


class _Pen:
    """Writes spans one after the other and switches styles only where it shows."""

    __slots__ = ("_style", "_theme", "pieces")

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._style = _PLAIN
        self.pieces: list[bytes] = []

    def write(self, text: str, styles: bytes) -> None:
        """Write characters, each in its style; blanks take any style that does not show on them."""
        pieces, current = self.pieces, self._style
        for run in _STYLE_RUN.finditer(styles):
            start, stop = run.span()
            style, piece = styles[start], text[start:stop]
            if style != current and not (
                style == _PLAIN and current in _PLAIN_ON_BLANKS and piece.isspace()
            ):
                pieces.append(self._theme[style])
                current = style
            pieces.append(piece.encode())
        self._style = current

    def reset(self) -> None:
        if self._style != _PLAIN:
            self._style = _PLAIN
            self.pieces.append(RESET)

    def finish(self) -> bytes:
        self.reset()
        return b"".join(self.pieces)


def paint_all(lines: Sequence[Line], theme: Theme) -> bytes:
    """Paint a whole screen, whatever was on it."""
    pen = _Pen(theme)
    pen.pieces += (RESET, CUT_LONG_LINES, HOME)
    last = max((row for row, line in enumerate(lines) if line.text), default=0)
    for row, line in enumerate(lines[: last + 1]):
        pen.reset()
        if row:
            pen.pieces.append(NEXT_LINE)
        # Before the text: behind a line that fills the screen it would erase the last column.
        pen.pieces.append(ERASE_TO_LINE_END)
        pen.write(*line)
    pen.reset()
    if last + 1 < len(lines):
        pen.pieces += (NEXT_LINE, ERASE_BELOW)
    pen.pieces.append(WRAP_LONG_LINES)
    return pen.finish()


def paint_changes(before: Sequence[Line], after: Sequence[Line], theme: Theme) -> bytes:
    """Paint what differs between two screens of one size."""
    pen = _Pen(theme)
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is not new and old != new:
            _paint_line(pen, row, old, new)
    return pen.finish()


def _paint_line(pen: _Pen, row: int, old: Line, new: Line) -> None:
    width = max(len(old.text), len(new.text))
    text, styles = new.text.ljust(width), new.styles.ljust(width, b"\0")
    changed = _differences(old, text, styles)
    end = len(new.text)
    tail = changed.find(b"\1", end)
    erases = tail >= 0 and changed.count(b"\1", end) >= _FEWEST_TO_ERASE
    if erases:
        changed = changed[:end]
    column: int | None = None
    for start, stop in _runs(changed, text, styles):
        _go(pen, row, column, start)
        pen.write(text[start:stop], styles[start:stop])
        column = stop
    if erases:
        _go(pen, row, column, tail)
        pen.reset()
        pen.pieces.append(ERASE_TO_LINE_END)


def _differences(old: Line, text: str, styles: bytes) -> bytes:
    """Mark the columns that differ, with a byte each."""
    width = len(text)
    flags = bytes(map(ne, old.text.ljust(width), text))
    if old.styles.ljust(width, b"\0") == styles:
        return flags
    other = bytes(map(ne, old.styles.ljust(width, b"\0"), styles))
    both = int.from_bytes(flags, "big") | int.from_bytes(other, "big")
    return both.to_bytes(width, "big")


def _runs(changed: bytes, text: str, styles: bytes) -> Iterator[tuple[int, int]]:
    """List the changed stretches; those with but a few blanks between them are one."""
    if changed.count(b"\1") * _DENSE > len(changed):
        yield changed.index(b"\1"), changed.rindex(b"\1") + 1
        return
    first = last = -1
    for run in _CHANGED_RUN.finditer(changed):
        start, stop = run.span()
        if first >= 0 and not _is_bridge(text, styles, last, start):
            yield first, last
            first = -1
        if first < 0:
            first = start
        last = stop
    if first >= 0:
        yield first, last


def _is_bridge(text: str, styles: bytes, start: int, stop: int) -> bool:
    return (
        stop - start <= _LONGEST_BRIDGE
        and text[start:stop].isspace()
        and _PLAIN_ON_BLANKS.issuperset(styles[start:stop])
        and styles[start - 1] in _PLAIN_ON_BLANKS
    )


def _go(pen: _Pen, row: int, column: int | None, target: int) -> None:
    if column is None:
        pen.pieces.append(move_to(row, target))
    elif target != column:
        pen.pieces.append(move_right(target - column))
