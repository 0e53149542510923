"""Errors that end a game against the player's will."""

from __future__ import annotations

from jminesweeper.core.errors import JMinesweeperError


class ClientError(JMinesweeperError):
    """A reason to stop, explained to the player in one sentence."""


class AddressError(ClientError):
    """The text is not the address of a server."""


class ConnectError(ClientError):
    """The server cannot be reached."""


class NoServerError(ConnectError):
    """The machine answers, but refuses connections to this port."""


class TerminalError(ClientError):
    """The terminal is gone."""


class IdentityError(ClientError):
    """The player's key can neither be read nor created."""


class RequestError(ClientError):
    """No game fits what the player asked for."""


class OwnFileError(ClientError):
    """A file of the player's own cannot be used."""


class CommandError(ClientError):
    """The line is not a command."""
