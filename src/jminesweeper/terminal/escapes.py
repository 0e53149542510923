"""The control sequences that this program writes.

Nearly all of them blind: a terminal that does not know one ignores it. The one question, for the
background, is asked where terminals are known to answer, and nobody waits long for it.
"""

from __future__ import annotations

from typing import Final

ALTERNATE_SCREEN: Final = "\x1b[?1049h"
NORMAL_SCREEN: Final = "\x1b[?1049l"
BRACKETED_PASTE: Final = "\x1b[?2004h"
PLAIN_PASTE: Final = "\x1b[?2004l"
MOUSE_ON: Final = "\x1b[?1002h\x1b[?1006h"
MOUSE_OFF: Final = "\x1b[?1006l\x1b[?1002l"
FRAME_BEGIN: Final = "\x1b[?2026h"
FRAME_END: Final = "\x1b[?2026l"
CURSOR_SHOWN: Final = "\x1b[?25h"
CURSOR_HIDDEN: Final = "\x1b[?25l"
WRAP: Final = "\x1b[?7h"
NO_WRAP: Final = "\x1b[?7l"
PLAIN_TEXT: Final = "\x1b[0m"
REVERSE: Final = "\x1b[7m"
ERASE_LINE: Final = "\x1b[K"
ASK_BACKGROUND: Final = "\x1b]11;?\x07\x1b[c"
"""Asks for the background, and what every terminal answers: so no answer to the first is known."""
CLEAR: Final = "\x1b[0m\x1b[H\x1b[2J"


def opening(*, has_mouse: bool) -> str:
    """Take the screen of a terminal."""
    mouse = MOUSE_ON if has_mouse else ""
    return f"{ALTERNATE_SCREEN}{CLEAR}{mouse}{BRACKETED_PASTE}"


def closing(*, has_mouse: bool) -> str:
    """Give the screen back as it was."""
    mouse = MOUSE_OFF if has_mouse else ""
    return f"{FRAME_END}{PLAIN_PASTE}{mouse}{WRAP}{CURSOR_SHOWN}{NORMAL_SCREEN}{PLAIN_TEXT}"


def go_to(row: int, column: int) -> str:
    """Place the cursor, counted from 0."""
    return f"\x1b[{row + 1};{column + 1}H"
