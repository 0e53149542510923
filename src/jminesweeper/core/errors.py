"""What can be wrong with what the engine is asked."""


class JMinesweeperError(Exception):
    """The root of every error this package raises on purpose."""


class CoreError(JMinesweeperError):
    """The engine was asked for something Minesweeper does not have."""


class SizeError(CoreError):
    """A board of this size cannot be played."""


class SetupError(CoreError):
    """These values do not make a game."""


class CellError(CoreError):
    """The cell is not on the board."""


class ActionError(CoreError):
    """The action lacks its cell, or does not exist."""


class HiddenError(CoreError):
    """The rules do not let a player know this yet."""


class NotationError(CoreError):
    """The text does not describe a board, a position or a game."""
