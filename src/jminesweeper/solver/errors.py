"""Refusals of the solver, and its way to know that time is up."""

from __future__ import annotations

from collections.abc import Callable

from jminesweeper.core.errors import JMinesweeperError

Deadline = Callable[[], bool]
"""Says whether time is up. It is asked often, so it must be cheap."""


def never() -> bool:
    return False


class SolverError(JMinesweeperError):
    """The solver cannot answer this."""


class ImpossiblePositionError(SolverError):
    """No layout of the mines agrees with the clues that are shown."""

    __module__ = "jminesweeper"


class OutOfTimeError(SolverError):
    """The deadline passed before there was an answer."""

    __module__ = "jminesweeper"


def check(deadline: Deadline) -> None:
    """Raise `OutOfTimeError` once time is up."""
    if deadline():
        raise OutOfTimeError("there is no answer in time")
