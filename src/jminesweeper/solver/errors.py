"""What can be wrong with a position that is handed to the solver."""

from __future__ import annotations

from jminesweeper.core import JMinesweeperError


class SolverError(JMinesweeperError):
    """The solver was asked something it cannot answer."""


class ImpossiblePositionError(SolverError):
    """No layout of the mines agrees with the clues that are shown."""
