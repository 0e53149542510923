"""What can go wrong with a game on a server."""

from __future__ import annotations

from jminesweeper.client.errors import ClientError


class BotError(ClientError):
    """The server's screens are not those of a game that the bot can play."""

    __module__ = "jminesweeper"
