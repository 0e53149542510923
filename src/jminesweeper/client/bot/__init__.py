"""A player that is no person: it reads a server's screens and plays by what the solver says.

It knows no more of a game than is painted, and never looks anywhere but on the screen.
"""

from jminesweeper.client.bot.game import Watch
from jminesweeper.client.bot.glass import Glass
from jminesweeper.client.bot.line import Line, Server
from jminesweeper.client.bot.outcome import BotError, Outcome
from jminesweeper.client.bot.sight import Field, find_field
from jminesweeper.client.bot.wire1 import play_wire_1
from jminesweeper.client.bot.wire2 import play_wire_2, speaks_version_2

__all__ = [
    "BotError",
    "Field",
    "Glass",
    "Line",
    "Outcome",
    "Server",
    "Watch",
    "find_field",
    "play_wire_1",
    "play_wire_2",
    "speaks_version_2",
]
