"""The player's side of the wire: one conversation, and the terminal and line mode driving it.

It never knows a rule of the game, and never writes to the terminal what a server sent unfiltered.
"""

from __future__ import annotations

from jminesweeper.core.errors import JMinesweeperError


class ClientError(JMinesweeperError):
    """A reason to stop against the player's will, explained to the player in one sentence."""
