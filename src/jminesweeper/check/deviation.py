"""What a check reports about a deviation: sent, came, expected.

A check raises one of these errors and ends. What was sent before is in the transcript, which all
connections of a check share, so that it reads in the order in which things happened.
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from jminesweeper.core.errors import JMinesweeperError

_FIRST_LINES: Final = 2
_LAST_LINES: Final = 9


class DeviationError(JMinesweeperError):
    """The other side does not do what the clause says."""

    def __init__(self, came: str, expected: str) -> None:
        super().__init__(f"{came}; expected: {expected}")
        self.came = came
        self.expected = expected


class AdviceError(DeviationError):
    """The other side may do that, but some that it talks to cannot take it: a warning."""


class NoConnectionError(DeviationError):
    """No server listens, or it refuses the connection."""


class ServerClosedError(DeviationError):
    """The server ended the connection where a packet was due."""


class ServerSilentError(DeviationError):
    """Nothing came where something was due."""


class NotApplicableError(JMinesweeperError):
    """The clause is optional, and the other side lacks it."""


class TimeSpentError(JMinesweeperError):
    """The time for all checks is spent."""


def expect(holds: bool, came: str, expected: str) -> None:
    """Raise a deviation unless a condition holds."""
    if not holds:
        raise DeviationError(came, expected)


class Transcript:
    """What was sent, a line each."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        self._lines.append(line)

    def shortened(self) -> tuple[str, ...]:
        """Return the first and the last lines; what was sent several times in a row is one."""
        counted = [(line, len(list(same))) for line, same in groupby(self._lines)]
        lines = [line if times == 1 else f"{line} ({times} times)" for line, times in counted]
        dropped = len(lines) - _FIRST_LINES - _LAST_LINES
        if dropped <= 0:
            return tuple(lines)
        return (*lines[:_FIRST_LINES], f"({dropped} more)", *lines[-_LAST_LINES:])
