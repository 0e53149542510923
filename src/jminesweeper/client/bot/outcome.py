"""How a game of the bot ended."""

from __future__ import annotations

from dataclasses import dataclass

from jminesweeper.client.errors import ClientError
from jminesweeper.core import Status


class BotError(ClientError):
    """The server's screens are not those of a game that the bot can play."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game, and what it took."""

    status: Status
    moves: int
    guesses: int
