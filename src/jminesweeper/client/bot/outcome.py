"""What a game of the bot consists of, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from jminesweeper.client.errors import ClientError
from jminesweeper.core import ActionKind, Status
from jminesweeper.protocol import Command

DOES: Final[Mapping[ActionKind, Command]] = MappingProxyType(
    {ActionKind.REVEAL: Command.REVEAL, ActionKind.FLAG: Command.TOGGLE_BOMB_MARK}
)
"""The packets of what a player decides on."""


class BotError(ClientError):
    """The server's screens are not those of a game that the bot can play."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game, and what it took."""

    status: Status
    moves: int
    guesses: int
