"""What the player means by mouse reports: a click, a long press, a turn of the wheel.

Terminals on touch screens send taps as presses and releases of the left button. So there a press
that is held flags, as document C asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jminesweeper.terminal.keystroke import Click, Press

HOLD_S: Final = 0.4
"""A longer press flags, a shorter one reveals."""

_CTRL: Final = 16
_MOTION: Final = 32
# Shift and Meta change nothing; the terminal uses most of them itself.
_IGNORED_MODIFIERS: Final = 4 | 8
_LEFT: Final = 0

# By the code of the SGR report: the buttons that act when pressed.
_AT_ONCE: Final[Mapping[int, Press]] = {
    1: Press.CHORD,
    2: Press.FLAG,
    _LEFT | _CTRL: Press.FLAG,
    1 | _CTRL: Press.CHORD,
    2 | _CTRL: Press.FLAG,
    64: Press.WHEEL_UP,
    65: Press.WHEEL_DOWN,
    64 | _CTRL: Press.WHEEL_UP,
    65 | _CTRL: Press.WHEEL_DOWN,
}


@dataclass(frozen=True, slots=True)
class MouseReport:
    """One SGR report: a raw button code, and the screen position counted from 0."""

    code: int
    column: int
    row: int
    pressed: bool

    def is_near(self, other: MouseReport) -> bool:
        """Whether it is close enough to be the same press of an unsteady finger."""
        return abs(self.column - other.column) <= 1 and abs(self.row - other.row) <= 1

    def click(self, press: Press) -> Click:
        return Click(self.row, self.column, press)


class Gestures:
    """Tells clicks from long presses; `deadline` is when a held press becomes a flag."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._held: MouseReport | None = None

    def report(self, report: MouseReport, now_s: float) -> Click | None:
        """Return the gesture that this report completes."""
        code = report.code & ~_IGNORED_MODIFIERS
        if code & _MOTION:
            self._drag(report)
            return None
        if not report.pressed:
            return self._release(code)
        if code == _LEFT:
            self._held, self.deadline = report, now_s + HOLD_S
            return None
        press = _AT_ONCE.get(code)
        return None if press is None else report.click(press)

    def expire(self) -> Click | None:
        """Flag, because the press was held long enough."""
        return self._finish(Press.FLAG)

    def _release(self, code: int) -> Click | None:
        return self._finish(Press.OPEN) if code & ~_CTRL == _LEFT else None

    def _drag(self, report: MouseReport) -> None:
        if self._held is not None and not report.is_near(self._held):
            self._finish(Press.OPEN)

    def _finish(self, press: Press) -> Click | None:
        held, self._held, self.deadline = self._held, None, None
        return None if held is None else held.click(press)
