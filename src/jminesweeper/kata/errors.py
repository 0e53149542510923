"""Errors in the kata's pictures, moves and bots."""

from jminesweeper.core.errors import JMinesweeperError


class KataError(JMinesweeperError):
    """The kata has no such thing."""


class SquareError(KataError):
    """The text or the numbers name no square of the sandbox."""


class PictureError(KataError):
    """The text is no picture of the sandbox, or not one of these bombs."""


class BombCountError(KataError):
    """A sandbox holds one bomb or three."""


class MoveError(KataError):
    """The move does nothing, so the kata has no message for it."""
