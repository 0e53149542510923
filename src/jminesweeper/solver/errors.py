"""Refusals of the solver, and its way to know that time is up."""

from __future__ import annotations

from collections.abc import Callable

from jminesweeper.core.errors import SolverError, check_kind
from jminesweeper.core.view import PlayerView

Deadline = Callable[[], bool]
"""Says whether time is up. It is asked often, so it must be cheap."""


def never() -> bool:
    return False


class ImpossiblePositionError(SolverError):
    """No layout of the mines agrees with the clues that are shown."""

    __module__ = "jminesweeper"


class GameOverError(SolverError):
    """The game has ended: there is nothing left to find out or to do."""

    __module__ = "jminesweeper"


class OutOfTimeError(SolverError):
    """The deadline passed before there was an answer."""

    __module__ = "jminesweeper"


def check(deadline: Deadline) -> None:
    """Raise `OutOfTimeError` once time is up."""
    if deadline():
        raise OutOfTimeError("there is no answer in time")


def check_running(view: PlayerView) -> None:
    """Raise GameOverError if a view is of a game that has ended, ArgumentError if it is none."""
    check_kind("view", view, PlayerView, "a PlayerView, such as game.view")
    if view.status.is_over:
        raise GameOverError("the game is over")
