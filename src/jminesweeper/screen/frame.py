"""The frame around the field: signs where the field goes on, and how far the board is solved."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from jminesweeper.core import Size
from jminesweeper.screen.layout import Layout, Window
from jminesweeper.screen.lines import Line, indent, join, span
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import Symbols

_NARROWEST_WITH_SHARE = 16
_SIGN_EVERY = 8
_SIGN_EVERY_ROW = 4


class Frame(NamedTuple):
    """All of the frame's pieces, each where it belongs in its line."""

    top: Line
    bottom: Line
    plain_sides: tuple[Line, Line]
    signed_sides: tuple[Line, Line]

    def sides(self, row: int) -> tuple[Line, Line]:
        """Return what is left and right of a row of cells."""
        return self.signed_sides if row % _SIGN_EVERY_ROW == 1 else self.plain_sides


@lru_cache(maxsize=256)
def frame_of(
    symbols: Symbols, layout: Layout, window: Window, size: Size, share: float | None
) -> Frame:
    """Draw the frame of a window on a field."""
    is_cut_right = window.column + layout.window_columns < size.columns
    is_cut_below = window.row + layout.window_rows < size.rows
    line, side = symbols.horizontal, symbols.vertical
    before = symbols.left if window.column else side
    behind = symbols.right if is_cut_right else side
    inner = layout.frame_width - 2
    above = span(_signed(line, symbols.up if window.row else line, inner), Style.FRAME)
    below = _signed(line, symbols.down if is_cut_below else line, inner)
    top_left, top_right, bottom_left, bottom_right = (
        span(corner, Style.FRAME) for corner in symbols.corners
    )
    bottom = _filled(below, share, symbols)
    return Frame(
        indent(join((top_left, above, top_right)), layout.frame_left),
        indent(join((bottom_left, bottom, bottom_right)), layout.frame_left),
        (indent(span(side, Style.FRAME), layout.frame_left), span(side, Style.FRAME)),
        (indent(span(before, Style.FRAME), layout.frame_left), span(behind, Style.FRAME)),
    )


def _signed(line: str, sign: str, width: int) -> str:
    """Draw a line with a sign in it every few columns."""
    half = _SIGN_EVERY // 2
    period = line * (half - 1) + sign + line * (_SIGN_EVERY - half)
    return (period * (width // _SIGN_EVERY)).ljust(width, line)


def _filled(text: str, share: float | None, symbols: Symbols) -> Line:
    """Make of a line a bar that fills as the board is solved."""
    if share is None:
        return span(text, Style.FRAME)
    share = min(max(share, 0.0), 1.0)
    told = f" {int(share * 100)} % ".rjust(7, symbols.horizontal) + symbols.horizontal
    if len(text) < _NARROWEST_WITH_SHARE:
        told = ""
    length = len(text) - len(told)
    done = int(share * length)
    bar = text[:done].replace(symbols.horizontal, symbols.done)
    return join((span(bar, Style.DONE), span(text[done:length] + told, Style.FRAME)))
