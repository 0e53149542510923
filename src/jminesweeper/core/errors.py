"""Errors of the engine.

Errors that are names of the library say so in a traceback: `__module__` is where programs import
them from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MOST_QUOTED: Final = 40
"""Characters of a bad text that an error repeats."""


class JMinesweeperError(Exception):
    """The root of every error this package raises on purpose."""

    __module__ = "jminesweeper"


class SolverError(JMinesweeperError):
    """The solver cannot answer this."""


class NoBoardError(SolverError):
    """No board was found that needs no guess."""

    __module__ = "jminesweeper"


class CoreError(JMinesweeperError):
    """The engine was asked for something Minesweeper does not have."""


class ArgumentError(CoreError, TypeError):
    """An argument is of another kind than the function takes."""

    __module__ = "jminesweeper"


class SizeError(CoreError):
    """A board of this size cannot be played."""

    __module__ = "jminesweeper"


class SetupError(CoreError):
    """These values do not make a game."""

    __module__ = "jminesweeper"


class CellError(CoreError):
    """The cell is not on the board."""

    __module__ = "jminesweeper"


class ActionError(CoreError):
    """The action lacks its cell, or does not exist."""

    __module__ = "jminesweeper"


class HiddenError(CoreError):
    """The rules do not let a player know this yet."""

    __module__ = "jminesweeper"


class NotationError(CoreError):
    """The text does not describe a board, a position or a game."""

    __module__ = "jminesweeper"


def check_kind(name: str, value: object, kind: type | tuple[type, ...], words: str) -> None:
    """Raise ArgumentError unless an argument is of the kind that a function takes."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} must be {words}, not {repr(value)[:MOST_QUOTED]}")


@contextmanager
def reading() -> Iterator[None]:
    """Report values in a text that the engine refuses as an error in the text."""
    try:
        yield
    except CoreError as error:
        raise NotationError(str(error)) from error
