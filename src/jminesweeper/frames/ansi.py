"""The control sequences that paint a screen. No other module of the server knows any."""

from __future__ import annotations

from typing import Final

ESC: Final = b"\x1b"
RESET: Final = b"\x1b[m"
ERASE_TO_LINE_END: Final = b"\x1b[K"
ERASE_BELOW: Final = b"\x1b[J"
CUT_LONG_LINES: Final = b"\x1b[?7l"
WRAP_LONG_LINES: Final = b"\x1b[?7h"
REVERSE: Final = b"\x1b[7m"
HOME: Final = b"\x1b[H"


def move_to(row: int, column: int) -> bytes:
    """Place the cursor; row and column count from 0. To a terminal a missing number means 1."""
    if column:
        return b"\x1b[%d;%dH" % (row + 1, column + 1) if row else b"\x1b[;%dH" % (column + 1)
    return b"\x1b[%dH" % (row + 1) if row else HOME


def move_right(columns: int) -> bytes:
    """Move the cursor to the right in its line."""
    return b"\x1b[%dC" % columns if columns > 1 else b"\x1b[C"


def change_style(parameters: str) -> bytes:
    """Switch parts of a style; the others stay as they are."""
    return b"\x1b[%sm" % parameters.encode()


def select_style(parameters: str) -> bytes:
    """Switch to a style, whatever was on before; an empty one is the terminal's own."""
    return b"\x1b[;%sm" % parameters.encode() if parameters else RESET
