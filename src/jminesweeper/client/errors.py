"""What can end a game that the player did not want to end."""

from __future__ import annotations

from jminesweeper.core.errors import JMinesweeperError


class ClientError(JMinesweeperError):
    """A reason to stop, told to the player in one sentence."""


class AddressError(ClientError):
    """The text names no server."""


class ConnectError(ClientError):
    """There is no connection to be had."""


class NobodyListensError(ConnectError):
    """The machine answered that nothing waits on this port."""


class TerminalError(ClientError):
    """There is no terminal any more that the game could be painted on."""


class IdentityError(ClientError):
    """The player's key can neither be read nor made."""


class WishError(ClientError):
    """No game is like what was asked for."""


class CommandError(ClientError):
    """The line is no command."""
