"""What the solver refuses to answer, and how it learns that time is up."""

from __future__ import annotations

from collections.abc import Callable

from jminesweeper.core import JMinesweeperError

Deadline = Callable[[], bool]
"""Says whether time is up. It is asked often, so it must be cheap."""


def never() -> bool:
    """Wait for the result, however long it takes."""
    return False


class SolverError(JMinesweeperError):
    """The solver was asked something it cannot answer."""


class ImpossiblePositionError(SolverError):
    """No layout of the mines agrees with the clues that are shown."""


class OutOfTimeError(SolverError):
    """The deadline passed before there was an answer."""


def check(deadline: Deadline) -> None:
    """Raise `OutOfTimeError` once time is up."""
    if deadline():
        raise OutOfTimeError("there is no answer in time")
